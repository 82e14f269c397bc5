package io.zett.sandbox.policyfile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.SpecVersion;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * The one document of a policy file: a map of names to values, lists and flat maps. It is read from
 * the parser's events, so that nothing is built that a policy cannot hold: neither deep nesting nor
 * an alias costs anything.
 */
final class Document {
  private final SourceText source;
  private final ScalarResolver types;
  private final Iterator<Event> events;

  private Document(SourceText source) {
    this.source = source;
    CoreSchema schema = new CoreSchema();
    LoadSettings settings =
        LoadSettings.builder().setLabel(source.name()).setSchema(schema).build();
    this.types = schema.getScalarResolver();
    this.events = new ParserImpl(settings, new StreamReader(settings, source.text()));
  }

  /** One entry of the document. */
  record Entry(Value.Scalar key, Value value) {}

  /**
   * Its entries in their order; none for an empty one.
   *
   * @throws PolicyFileException if it is no such document
   */
  static List<Entry> read(SourceText source) {
    try {
      return new Document(source).entries();
    } catch (MarkedYamlEngineException e) {
      throw new PolicyFileException(
          source.at(e.getProblemMark()), "this is no YAML: " + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new PolicyFileException(
          source.at(Optional.empty()), "this is no YAML: " + e.getMessage(), e);
    }
  }

  private List<Entry> entries() {
    events.next(); // the stream's start
    if (!(events.next() instanceof DocumentStartEvent start)) {
      return List.of();
    }
    Optional<SpecVersion> version = start.getSpecVersion();
    if (version.isPresent() && version.get().getMinor() < 2) {
      throw at(start).refuse("this file is read as YAML 1.2; leave the %YAML line out");
    }
    List<Entry> entries = entries(events.next());
    events.next(); // the document's end
    Event after = events.next();
    if (!(after instanceof StreamEndEvent)) {
      throw at(after).refuse("a second document begins here; a policy is one document");
    }
    return entries;
  }

  private List<Entry> entries(Event root) {
    if (root instanceof ScalarEvent scalar && scalar(scalar).type() == Value.Scalar.Type.NOTHING) {
      return List.of();
    }
    if (!(plain(root) instanceof MappingStartEvent)) {
      throw at(root).refuse("a policy is a map of options, such as memory: 512MB");
    }
    List<Entry> entries = new ArrayList<>();
    Map<String, Position> known = new HashMap<>();
    for (Event next = events.next(); !(next instanceof MappingEndEvent); next = events.next()) {
      Value.Scalar key = key(next, known);
      entries.add(new Entry(key, value(key.text(), events.next())));
    }
    return entries;
  }

  private Value.Scalar key(Event event, Map<String, Position> known) {
    if (!(plain(event) instanceof ScalarEvent found)) {
      throw at(event).refuse("a name is a text, not a list or a map");
    }
    Value.Scalar key = scalar(found);
    Position before = known.putIfAbsent(key.text(), key.at());
    if (before != null) {
      throw key.at()
          .refuse(
              "\""
                  + key.text()
                  + "\" is there twice, first in line "
                  + before.line()
                  + "; keep one of the two");
    }
    return key;
  }

  private Value value(String key, Event event) {
    return switch (plain(event)) {
      case ScalarEvent scalar -> scalar(scalar);
      case SequenceStartEvent start -> {
        List<Value.Scalar> items = new ArrayList<>();
        for (Event next = events.next();
            !(next instanceof SequenceEndEvent);
            next = events.next()) {
          items.add(inner(key, next));
        }
        yield new Value.Items(at(start), items);
      }
      case MappingStartEvent start -> {
        List<Value.Pair> pairs = new ArrayList<>();
        Map<String, Position> known = new HashMap<>();
        for (Event next = events.next(); !(next instanceof MappingEndEvent); next = events.next()) {
          Value.Scalar name = key(next, known);
          pairs.add(new Value.Pair(name, inner(key, events.next())));
        }
        yield new Value.Pairs(at(start), pairs);
      }
      default -> throw new IllegalStateException(event.toString());
    };
  }

  private Value.Scalar inner(String key, Event event) {
    if (!(plain(event) instanceof ScalarEvent scalar)) {
      throw at(event).refuse(key + ": no list or map can stand inside another one here");
    }
    return scalar(scalar);
  }

  /** The event itself, if it is nothing that refers to, or can be referred to from, elsewhere. */
  private Event plain(Event event) {
    if (event instanceof AliasEvent
        || event instanceof NodeEvent node && node.getAnchor().isPresent()) {
      throw at(event).refuse("anchors and aliases are not read here; write the value out");
    }
    Optional<String> tag =
        switch (event) {
          case ScalarEvent scalar -> scalar.getTag();
          case SequenceStartEvent start -> start.getTag();
          case MappingStartEvent start -> start.getTag();
          default -> Optional.empty();
        };
    if (tag.isPresent()) {
      throw at(event).refuse("tags are not read here; leave " + tag.get() + " out");
    }
    return event;
  }

  private Value.Scalar scalar(ScalarEvent event) {
    Tag tag = types.resolve(event.getValue(), event.isPlain());
    Value.Scalar.Type type =
        !event.isPlain() || tag.equals(Tag.STR)
            ? Value.Scalar.Type.TEXT
            : tag.equals(Tag.INT)
                ? Value.Scalar.Type.WHOLE
                : tag.equals(Tag.FLOAT)
                    ? Value.Scalar.Type.DECIMAL
                    : tag.equals(Tag.BOOL)
                        ? Value.Scalar.Type.TRUTH
                        : tag.equals(Tag.NULL) ? Value.Scalar.Type.NOTHING : Value.Scalar.Type.TEXT;
    return new Value.Scalar(at(event), type, event.getValue());
  }

  private Position at(Event event) {
    Optional<Mark> mark = event.getStartMark();
    return source.at(mark);
  }
}
