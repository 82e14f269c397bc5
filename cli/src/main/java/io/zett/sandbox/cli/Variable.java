package io.zett.sandbox.cli;

import io.zett.sandbox.SandboxPolicy;
import java.util.Optional;
import java.util.function.Function;

/** {@code --env K=V}, or {@code --env K} for the caller's value. No message holds a value. */
record Variable(String name, String value) {

  static Variable of(String text, Function<String, Optional<String>> hostVariable) {
    int equals = text.indexOf('=');
    if (equals >= 0) {
      return new Variable(text.substring(0, equals), text.substring(equals + 1));
    }
    return new Variable(
        text,
        hostVariable
            .apply(text)
            .orElseThrow(
                () ->
                    new UsageException(
                        "--env: the variable " + text + " is not set here",
                        "to give it a value: --env " + text + "=VALUE")));
  }

  void applyTo(SandboxPolicy.Builder policy) {
    try {
      policy.env(name, value);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--env: " + e.getMessage());
    }
  }

  @Override
  public String toString() {
    return name + "=…";
  }
}
