package io.zett.sandbox.policyfile;

import java.util.List;

/** What stands after a key. */
sealed interface Value {
  /** Where it begins. */
  Position at();

  /** What it is, for people. */
  String described();

  /** A text, a number, a truth value, or nothing. */
  record Scalar(Position at, Type type, String text) implements Value {
    /** As YAML 1.2 tells them apart (core schema): {@code no} and {@code on} are texts. */
    enum Type {
      TEXT("the text "),
      WHOLE("the number "),
      DECIMAL("the number "),
      TRUTH(""),
      NOTHING("");

      private final String name;

      Type(String name) {
        this.name = name;
      }
    }

    private static final int LONGEST_SHOWN = 60;

    @Override
    public String described() {
      if (type == Type.NOTHING) {
        return text.isEmpty() ? "nothing" : "\"" + text + "\", which means nothing in YAML,";
      }
      String shown = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
      return type.name + (type == Type.TEXT ? "\"" + shown + "\"" : shown);
    }
  }

  /** A list. */
  record Items(Position at, List<Scalar> values) implements Value {
    public Items {
      values = List.copyOf(values);
    }

    @Override
    public String described() {
      return "a list";
    }
  }

  /** A map of names to values. */
  record Pairs(Position at, List<Pair> values) implements Value {
    public Pairs {
      values = List.copyOf(values);
    }

    @Override
    public String described() {
      return "a map";
    }
  }

  /** One entry of a map. */
  record Pair(Scalar name, Scalar value) {}
}
