package io.zett.sandbox.policyfile;

import io.zett.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;

/** What can stand after a key, and what it does to a policy. */
sealed interface Kind {

  /** What to write, for people. */
  String wanted();

  /** Bytes, as a number or with a unit. */
  record Size(
      long least,
      ObjLongConsumer<SandboxPolicy.Builder> bytes,
      BiConsumer<SandboxPolicy.Builder, String> text)
      implements Kind {
    @Override
    public String wanted() {
      return "a size such as 512MB";
    }
  }

  /** Processors. */
  record Cores(ObjDoubleConsumer<SandboxPolicy.Builder> set) implements Kind {
    @Override
    public String wanted() {
      return "a number of cores such as 1.5";
    }
  }

  /** A whole number; {@code most} is that of the builder. */
  record Count(long least, long most, ObjLongConsumer<SandboxPolicy.Builder> set) implements Kind {
    static Count of(long least, long most, ObjIntConsumer<SandboxPolicy.Builder> set) {
      return new Count(least, most, (policy, value) -> set.accept(policy, (int) value));
    }

    @Override
    public String wanted() {
      return "a whole number of " + least + " or more";
    }
  }

  /** Yes or no. */
  record Truth(BiConsumer<SandboxPolicy.Builder, Boolean> set) implements Kind {
    @Override
    public String wanted() {
      return "true or false";
    }
  }

  /** One of some words. */
  record Choice(List<String> words, BiConsumer<SandboxPolicy.Builder, String> set) implements Kind {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public String wanted() {
      return "one of " + String.join(", ", words);
    }
  }

  /** Yes or no, or one of some words. */
  record TruthOrChoice(Truth truth, Choice choice) implements Kind {
    @Override
    public String wanted() {
      return truth.wanted() + ", or " + choice.wanted();
    }
  }

  /** Paths. */
  record Paths(BiConsumer<SandboxPolicy.Builder, Path> add) implements Kind {
    @Override
    public String wanted() {
      return "a list of paths such as [build, ~/.cache]";
    }
  }

  /** Variables with their values. */
  record Variables() implements Kind {
    @Override
    public String wanted() {
      return "a map of variables such as {CI: \"true\"}";
    }
  }

  /** A time, or the word for none. */
  record Seconds(
      BiConsumer<SandboxPolicy.Builder, Duration> set, Consumer<SandboxPolicy.Builder> unset)
      implements Kind {
    /** The word. */
    static final String NONE = "none";

    @Override
    public String wanted() {
      return "a number of seconds such as 2.5, or " + NONE;
    }
  }
}
