package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The kernel's table of mounts. */
class MountTableTest {

  @Test
  void escapesAreUndoneAndRootsTold() {
    String table =
        """
        66 42 254:0 / / ro,nosuid - ext4 /dev/vda rw
        98 66 0:45 /sub\\040dir /a\\040b\\134c ro master:1 - tmpfs tmpfs rw
        99 66 0:45 /s /w/.env//deleted ro - tmpfs tmpfs rw
        garbage
        """;
    assertThat(MountTable.parse(table.getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly(
            new MountTable.Mount(66, 254 << 8, "/", "/"),
            new MountTable.Mount(98, 45, "/sub dir", "/a b\\c"),
            new MountTable.Mount(99, 45, "/s", "/w/.env//deleted"));
  }
}
