package io.zett.sandbox.policyfile;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.policyfile.Value.Scalar;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a file says.
 *
 * @param key of which option
 * @param at where
 * @param path of which path; null for an option of another kind
 * @param effect what it does
 */
record Setting(Key key, Position at, @Nullable Path path, Consumer<SandboxPolicy.Builder> effect) {

  void applyTo(SandboxPolicy.Builder policy) {
    try {
      effect.accept(policy);
    } catch (PolicyFileException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      String problem = String.valueOf(e.getMessage());
      String name = key.spelling() + ": ";
      throw new PolicyFileException(at, problem.startsWith(name) ? problem : name + problem, e);
    }
  }

  /**
   * What an entry says.
   *
   * @param folder what relative paths are relative to
   * @param home what {@code ~} stands for
   */
  static List<Setting> of(Key key, Value value, Path folder, Path home) {
    return switch (key.kind()) {
      case Kind.Paths paths -> paths(key, paths, value, folder, home);
      case Kind.Variables _ -> variables(key, value);
      case Kind other -> {
        if (!(value instanceof Scalar scalar)) {
          throw wrong(key, value);
        }
        yield List.of(new Setting(key, value.at(), null, effect(key, other, scalar)));
      }
    };
  }

  private static Consumer<SandboxPolicy.Builder> effect(Key key, Kind kind, Scalar value) {
    Scalar.Type type = value.type();
    boolean isNumber = type == Scalar.Type.WHOLE || type == Scalar.Type.DECIMAL;
    String text = value.text();
    return switch (kind) {
      case Kind.Size size when type == Scalar.Type.WHOLE ->
          policy -> size.bytes().accept(policy, Numerals.bytes(value));
      case Kind.Size size when type == Scalar.Type.TEXT ->
          policy -> size.text().accept(policy, text);
      case Kind.Cores cores when isNumber ->
          policy -> cores.set().accept(policy, Numerals.decimal(value));
      case Kind.Count count when type == Scalar.Type.WHOLE ->
          policy -> count.set().accept(policy, Numerals.whole(value, count.most()));
      case Kind.Truth truth when type == Scalar.Type.TRUTH ->
          policy -> truth.set().accept(policy, Boolean.parseBoolean(text));
      case Kind.Choice choice when type == Scalar.Type.TEXT ->
          policy -> choice.set().accept(policy, text);
      case Kind.TruthOrChoice either when type == Scalar.Type.TRUTH ->
          effect(key, either.truth(), value);
      case Kind.TruthOrChoice either when type == Scalar.Type.TEXT && truth(text).isEmpty() ->
          effect(key, either.choice(), value);
      case Kind.Seconds seconds when isNumber ->
          policy -> seconds.set().accept(policy, Numerals.seconds(value));
      case Kind.Seconds seconds when type == Scalar.Type.TEXT && text.equals(Kind.Seconds.NONE) ->
          seconds.unset();
      default -> throw wrong(key, value);
    };
  }

  private static List<Setting> paths(
      Key key, Kind.Paths paths, Value value, Path folder, Path home) {
    if (!(value instanceof Value.Items items)) {
      throw wrong(key, value);
    }
    List<Setting> settings = new ArrayList<>();
    for (Scalar item : items.values()) {
      Path path = path(key, item, folder, home);
      settings.add(new Setting(key, item.at(), path, policy -> paths.add().accept(policy, path)));
    }
    return settings;
  }

  private static Path path(Key key, Scalar item, Path folder, Path home) {
    String text = item.text();
    if (item.type() != Scalar.Type.TEXT) {
      throw item.at()
          .refuse(
              key.spelling()
                  + ": "
                  + item.described()
                  + " is no path; put it in quotation marks"
                  + (text.equals("~") ? ", \"~\" is the home directory" : ""));
    }
    if (text.isEmpty()) {
      throw item.at()
          .refuse(key.spelling() + ": the path is empty; \".\" is the folder of this file");
    }
    try {
      if (text.equals("~") || text.startsWith("~/")) {
        return home.resolve(text.substring(Math.min(2, text.length())));
      }
      if (text.startsWith("~")) {
        throw item.at()
            .refuse(
                key.spelling()
                    + ": \""
                    + text
                    + "\": only your own home is known here; write its"
                    + " path, or \"./"
                    + text
                    + "\" for a file of that name");
      }
      return folder.resolve(text);
    } catch (InvalidPathException e) {
      throw new PolicyFileException(
          item.at(), key.spelling() + ": this cannot be a path here: " + e.getReason(), e);
    }
  }

  /** Values are taken as they are written: of 1.10 nothing is lost. No message shows them. */
  private static List<Setting> variables(Key key, Value value) {
    if (!(value instanceof Value.Pairs pairs)) {
      throw wrong(key, value);
    }
    List<Setting> settings = new ArrayList<>();
    for (Value.Pair pair : pairs.values()) {
      String name = pair.name().text();
      Scalar given = pair.value();
      if (given.type() == Scalar.Type.NOTHING) {
        throw given
            .at()
            .refuse(
                key.spelling()
                    + ": "
                    + name
                    + " has no value; write \"\" for an empty one, or put"
                    + " it in quotation marks");
      }
      settings.add(
          new Setting(key, pair.name().at(), null, policy -> policy.env(name, given.text())));
    }
    return settings;
  }

  private static PolicyFileException wrong(Key key, Value value) {
    // What stands at env may be a secret.
    String found = key == Key.ENV ? "this" : value.described();
    boolean takesTruth =
        key.kind() instanceof Kind.Truth || key.kind() instanceof Kind.TruthOrChoice;
    String wanted =
        takesTruth && value instanceof Scalar scalar && scalar.type() == Scalar.Type.TEXT
            ? truth(scalar.text()).orElse(key.kind().wanted())
            : key.kind().wanted();
    return value
        .at()
        .refuse(key.spelling() + ": " + found + " is not what belongs here; write " + wanted);
  }

  /** YAML 1.1 had more words for it. */
  private static Optional<String> truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "yes", "on", "y", "true" -> Optional.of("true");
      case "no", "off", "n", "false" -> Optional.of("false");
      default -> Optional.empty();
    };
  }
}
