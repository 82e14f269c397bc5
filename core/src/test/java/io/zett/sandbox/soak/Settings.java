package io.zett.sandbox.soak;

/** How long, how often, and from which seed. */
final class Settings {
  private Settings() {}

  static long seconds() {
    return Long.getLong("zett.soak.seconds", 20);
  }

  static int kills() {
    return Integer.getInteger("zett.soak.kills", 8);
  }

  static int races() {
    return Integer.getInteger("zett.soak.races", 1000);
  }

  /** The seed of a run; printed, so that it can be given again. */
  static long seed(String what) {
    Long given = Long.getLong("zett.soak.seed");
    long seed = given != null ? given : System.nanoTime() & 0xffffffL;
    System.out.println(what + ": -Dzett.soak.seed=" + seed);
    return seed;
  }
}
