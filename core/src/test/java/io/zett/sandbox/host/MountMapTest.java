package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.host.MountMap.Inner;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Where files of a file system are. */
class MountMapTest {

  private final MountMap host =
      map(
          """
          1 0 254:0 / / rw - ext4 /dev/vda rw
          2 1 0:30 / /run rw - tmpfs tmpfs rw
          3 1 254:0 /srv/data /mnt/data rw - ext4 /dev/vda rw
          4 1 0:31 / /home rw - tmpfs tmpfs rw
          5 1 0:32 / /home rw - tmpfs tmpfs rw
          """);
  private final MountMap container =
      map(
          """
          7 0 0:50 / / rw - overlay overlay rw
          8 7 254:0 /srv/data/v /data rw - ext4 /dev/vda rw
          9 7 0:51 / /run rw - tmpfs tmpfs rw
          """);

  private static MountMap map(String table) {
    return new MountMap(MountTable.parse(table.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static Inner ext4(String path) {
    return new Inner(254 << 8, path);
  }

  @Test
  void aPathIsOfTheInnermostAndTopmostMountAboveIt() {
    assertThat(host.inner("/mnt/data/s")).isEqualTo(ext4("/srv/data/s"));
    assertThat(host.inner("/mnt/database")).isEqualTo(ext4("/mnt/database"));
    assertThat(host.inner("/run")).isEqualTo(new Inner(30, "/"));
    assertThat(host.inner("/home/s")).isEqualTo(new Inner(32, "/s"));
    assertThat(MountMap.NONE.inner("/s")).isNull();
  }

  @Test
  void aFileHasAPathInEachMountThatShowsIt() {
    assertThat(host.paths(ext4("/srv/data/s"))).containsExactly("/srv/data/s", "/mnt/data/s");
    assertThat(host.paths(ext4("/srv/data"))).containsExactly("/srv/data", "/mnt/data");
    assertThat(host.paths(ext4("/srv/database"))).containsExactly("/srv/database");
    assertThat(host.paths(new Inner(99, "/s"))).isEmpty();
  }

  @Test
  void aPathOfAContainerIsFoundWhereItsVolumeIs() {
    assertThat(host.translate(container, "/data/s"))
        .containsExactly("/srv/data/v/s", "/mnt/data/v/s");
    assertThat(host.translate(container, "/run/s")).isEmpty();
    assertThat(host.translate(container, "/etc/s")).isEmpty();
  }

  @Test
  void aMountIsNamedByItsNumberWhereAnotherOneLiesOnTop() {
    assertThat(host.inner(4, "/home/s")).isEqualTo(new Inner(31, "/s"));
    assertThat(host.inner(4, "/srv/s")).isNull();
    assertThat(host.inner(6, "/home/s")).isNull();
  }
}
