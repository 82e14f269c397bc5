package io.zett.sandbox.benchmarks;

import java.util.List;

/** All sections; a new one needs a line here and nothing else. */
final class Sections {
  static final List<Section> ALL =
      List.of(
          new Cold(),
          new Warm(),
          new Peers(),
          new Limits(),
          new WatchdogCost(),
          new Many(),
          new BatchRate(),
          new Alive(),
          new Streams(),
          new FirstByte(),
          new PolicySize(),
          new CommandStart(),
          new InsideTheJvm(),
          new Profile());

  private Sections() {}

  static List<String> names() {
    return ALL.stream().map(Section::name).toList();
  }
}
