package io.zett.sandbox.testkit;

import java.util.List;
import java.util.stream.Stream;

/** All attacks, in the order of the matrix. */
final class Catalogue {

  private static final List<Attack> ALL =
      Stream.of(
              OutsideAttacks.all(),
              KeptAttacks.all(),
              HiddenAttacks.all(),
              CredentialAttacks.all(),
              EnvironmentAttacks.all(),
              KernelAttacks.all(),
              SocketAttacks.all(),
              DeviceAttacks.all(),
              ProcessAttacks.all(),
              SetIdAttacks.all(),
              LimitAttacks.all())
          .flatMap(List::stream)
          .toList();

  private Catalogue() {}

  static List<Attack> all() {
    return ALL;
  }
}
