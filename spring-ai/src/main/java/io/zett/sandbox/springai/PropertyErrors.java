package io.zett.sandbox.springai;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** What the library refuses, as an error of the property that it comes from. */
final class PropertyErrors {
  private static final String PREFIX = "zett.sandbox.";
  private static final Pattern OPTION = Pattern.compile("\\A([a-z][A-Za-z]*): .*", Pattern.DOTALL);

  private PropertyErrors() {}

  /** Hands on a value that was given. */
  static <T> void set(String property, @Nullable T value, Consumer<T> option) {
    if (value == null) {
      return;
    }
    try {
      option.accept(value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason(e));
    }
  }

  /** Variables can be secrets: no value of theirs is shown. */
  static <T> void setSecret(String property, T value, Consumer<T> option) {
    try {
      option.accept(value);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(PREFIX + property, "…", reason(e));
    }
  }

  /** What only shows when all is there: the message begins with the option's name. */
  static RuntimeException atOpening(IllegalArgumentException e, SandboxProperties properties) {
    Matcher option = OPTION.matcher(reason(e));
    if (!option.matches()) {
      return e;
    }
    return switch (option.group(1)) {
      case "workspace" -> invalid("workspace", properties.workspace(), e);
      case "writable" -> invalid("writable", properties.writable(), e);
      case "allowRead" -> invalid("allow-read", properties.allowRead(), e);
      case "denyRead" -> invalid("deny-read", properties.denyRead(), e);
      case "denyWrite" -> invalid("deny-write", properties.denyWrite(), e);
      case "requireIsolation" -> invalid("require-isolation", properties.requireIsolation(), e);
      case "memoryStrategy" ->
          invalid(
              "memory-strategy", properties.memoryStrategy().name().toLowerCase(Locale.ROOT), e);
      default -> e;
    };
  }

  private static RuntimeException invalid(
      String property, @Nullable Object value, IllegalArgumentException e) {
    return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason(e));
  }

  private static String reason(IllegalArgumentException e) {
    return String.valueOf(e.getMessage());
  }
}
