package io.zett.sandbox.backend.bubblewrap;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A test of the low 32 bits of one argument of a system call.
 *
 * <p>The high bits are left out on purpose: the kernel drops them from arguments that are ints, so
 * a comparison of all 64 bits is passed by setting one of them (CVE-2019-10063).
 */
public sealed interface ArgumentTest {

  /** The argument's index, from 0. */
  int argument();

  /** Holds when any of these bits is set. */
  record AnyBit(int argument, int bits) implements ArgumentTest {
    @Override
    public String toString() {
      return "argument %d & %#x".formatted(argument, bits);
    }
  }

  /** Holds when the argument is one of these. */
  record OneOf(int argument, List<Integer> values) implements ArgumentTest {
    public OneOf {
      values = List.copyOf(values);
    }

    @Override
    public String toString() {
      return "argument %d is %s".formatted(argument, join(values, " or "));
    }
  }

  /** Holds when the argument is none of these. */
  record NoneOf(int argument, List<Integer> values) implements ArgumentTest {
    public NoneOf {
      values = List.copyOf(values);
    }

    @Override
    public String toString() {
      return "argument %d is not %s".formatted(argument, join(values, " or "));
    }
  }

  private static String join(List<Integer> values, String word) {
    return values.stream().map("%#x"::formatted).collect(Collectors.joining(word));
  }
}
