package io.zett.sandbox;

import java.time.Duration;
import java.util.Objects;

/** The ranges that the numbers of a policy must lie in, and what is said of one that does not. */
final class Bounds {
  static final long LEAST_MEMORY = 4L << 20;
  // A page: tmpfs takes less than that for "no bound".
  static final long LEAST_SCRATCH = 4096;
  // An exbibyte: more is a slip, and "unlimited" is said by leaving the option out.
  static final long MOST_BYTES = 1L << 60;
  // The shortest quota that the kernel takes is 1 ms in its usual period of 100 ms.
  static final double LEAST_CPUS = 0.01;
  // CONFIG_NR_CPUS of x86-64 ends there.
  static final double MOST_CPUS = 8192;
  // About 31 years; it still fits in microseconds.
  static final long MOST_CPU_SECONDS = 1_000_000_000;
  static final int LEAST_PROCESSES = 8;
  // PID_MAX_LIMIT of 64-bit kernels, proc_sys_kernel(5).
  static final int MOST_PROCESSES = 1 << 22;
  static final int LEAST_OPEN_FILES = 16;
  // The highest value that the kernel takes for fs.nr_open, the bound of RLIMIT_NOFILE.
  static final int MOST_OPEN_FILES = 1_073_741_816;

  private Bounds() {}

  static long bytes(String option, long least, long value) {
    if (value < least) {
      boolean slip = value > 0;
      throw new IllegalArgumentException(
          option
              + ": "
              + Sizes.format(value)
              + (slip ? "? The" : "; the")
              + " least is "
              + Sizes.format(least)
              + (slip && value < 4096
                  ? "; \"" + value + "M\" is " + value + " MiB"
                  : "; leave " + option + " out for no limit"));
    }
    if (value > MOST_BYTES) {
      throw tooMuch(option, value, MOST_BYTES);
    }
    return value;
  }

  static long count(String option, long least, long most, long value) {
    if (value < least) {
      throw new IllegalArgumentException(
          option
              + ": "
              + value
              + " is below the least, "
              + least
              + "; leave "
              + option
              + " out for no limit");
    }
    if (value > most) {
      throw tooMuch(option, value, most);
    }
    return value;
  }

  static double cpus(double value) {
    // The negation also catches NaN.
    if (!(value >= LEAST_CPUS && value <= MOST_CPUS)) {
      throw new IllegalArgumentException(
          "cpus: "
              + value
              + " is no share of processors; write a number of cores from 0.01 to 8192, such as"
              + " 1.5, or leave cpus out for no limit");
    }
    return value;
  }

  static Duration timeout(Duration value) {
    if (!Objects.requireNonNull(value, "timeout").isPositive()) {
      throw new IllegalArgumentException(
          "timeout: " + value + " is not positive; noTimeout() is for no limit");
    }
    return value;
  }

  private static IllegalArgumentException tooMuch(String option, long value, long most) {
    return new IllegalArgumentException(
        option
            + ": "
            + value
            + " is above the most, "
            + most
            + "; leave "
            + option
            + " out for no limit");
  }
}
