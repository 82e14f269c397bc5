package io.zett.sandbox.backend.seatbelt.language;

import io.zett.sandbox.backend.seatbelt.language.Attempt.Fact;
import io.zett.sandbox.backend.seatbelt.language.Expression.Form;
import io.zett.sandbox.backend.seatbelt.language.Expression.Text;
import io.zett.sandbox.backend.seatbelt.language.Expression.Word;
import java.util.List;
import java.util.Map;

/** Makes conditions of forms, parameters put in. */
final class FilterReader {

  private final Map<String, String> parameters;

  FilterReader(Map<String, String> parameters) {
    this.parameters = parameters;
  }

  Filter read(Expression expression) {
    if (!(expression instanceof Form form)) {
      throw new MalformedProfileException("no condition: " + expression);
    }
    List<Expression> rest = form.rest();
    return switch (form.head()) {
      case "require-all" -> new Filter.All(all(rest));
      case "require-any" -> new Filter.Any(all(rest));
      case "require-not" -> new Filter.Not(all(rest).getFirst());
      case "literal", "path", "path-literal" -> new Filter.Literal(absolute(only(rest)));
      case "subpath" -> new Filter.Subpath(absolute(only(rest)));
      case "prefix", "path-prefix" -> new Filter.Prefix(only(rest));
      case "regex" -> Filter.Regex.of(only(rest));
      case "vnode-type" -> words(Fact.VNODE_TYPE, rest);
      case "socket-domain" -> words(Fact.DOMAIN, rest);
      case "socket-protocol", "fcntl-command" -> words(Fact.NUMBER, rest);
      case "target" -> words(Fact.TARGET, rest);
      case "extension" -> texts(Fact.EXTENSION, rest);
      case "sysctl-name", "global-name", "iokit-registry-entry-class" -> texts(Fact.NAME, rest);
      case "sysctl-name-prefix" -> new Filter.NamePrefix(only(rest));
      case "remote" -> end(Fact.REMOTE, rest);
      case "local" -> end(Fact.LOCAL, rest);
      default -> throw new MalformedProfileException("unbound variable: " + form.head());
    };
  }

  private List<Filter> all(List<Expression> expressions) {
    if (expressions.isEmpty()) {
      throw new MalformedProfileException("a condition of nothing");
    }
    return expressions.stream().map(this::read).toList();
  }

  private Filter end(Fact end, List<Expression> rest) {
    String family = rest.isEmpty() ? "" : word(rest.getFirst());
    return switch (family) {
      case "ip", "tcp", "udp" -> Filter.Internet.of(end, only(rest.subList(1, rest.size())));
      case "unix-socket", "unix" ->
          new Filter.UnixSocket(rest.subList(1, rest.size()).stream().map(this::read).toList());
      default -> throw new MalformedProfileException("no family of addresses: " + family);
    };
  }

  private static Filter words(Fact fact, List<Expression> rest) {
    return new Filter.Equal(fact, rest.stream().map(FilterReader::word).toList());
  }

  private Filter texts(Fact fact, List<Expression> rest) {
    return new Filter.Equal(fact, rest.stream().map(this::text).toList());
  }

  private String only(List<Expression> rest) {
    if (rest.size() != 1) {
      throw new MalformedProfileException("one value is needed: " + rest);
    }
    return text(rest.getFirst());
  }

  private static String absolute(String path) {
    if (!path.startsWith("/")) {
      throw new MalformedProfileException("not an absolute path: " + path);
    }
    return path;
  }

  private static String word(Expression expression) {
    if (!(expression instanceof Word word)) {
      throw new MalformedProfileException("no word: " + expression);
    }
    return word.name();
  }

  private String text(Expression expression) {
    return switch (expression) {
      case Text text -> text.value();
      case Form form when form.head().equals("param") -> parameter(only(form.rest()));
      case Form form when form.head().equals("string-append") -> {
        StringBuilder joined = new StringBuilder();
        form.rest().forEach(part -> joined.append(text(part)));
        yield joined.toString();
      }
      default -> throw new MalformedProfileException("no text: " + expression);
    };
  }

  private String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new MalformedProfileException("the parameter " + name + " is not defined");
    }
    return value;
  }
}
