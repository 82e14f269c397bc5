package io.zett.sandbox.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.posix.FileStatus;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

  private final Posix posix = Posix.system();

  @TempDir Path host;
  private PrivateDirectory directory;
  private RunFolder files;

  @BeforeEach
  void write() {
    directory = PrivateDirectory.create(posix, UnixPath.of(host));
    files =
        RunFolder.write(
            posix,
            directory.run(),
            "<settings/>",
            "me:x:12345:12345::/home/mé:/bin/sh\n",
            "me:x:12345:\n");
  }

  @AfterEach
  void everythingGoesAgain() {
    assertThat(directory.delete().remaining()).isEmpty();
    assertThat(posix.lstat(directory.path())).isNull();
  }

  @Test
  void masksHaveNoPermissionsAndTheOthersCanOnlyBeRead() {
    assertMode(files.maskFile(), 0100000);
    assertMode(files.maskDirectory(), 0040000);
    assertMode(files.emptySettings(), 0100444);
    assertMode(files.passwd(), 0100444);
    assertMode(files.group(), 0100444);
    assertThat(files.passwd().toPath()).hasContent("me:x:12345:12345::/home/mé:/bin/sh\n");
    assertThat(files.group().toPath()).hasContent("me:x:12345:\n");
    assertThat(files.emptySettings().toPath()).hasContent("<settings/>");
  }

  private void assertMode(UnixPath path, int mode) {
    FileStatus status = posix.lstat(path);
    assertThat(status).isNotNull();
    assertThat(Integer.toOctalString(status.mode())).isEqualTo(Integer.toOctalString(mode));
  }

  @Test
  void bubblewrapOfTheSameUserCanBindThem() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "there is no bubblewrap");
    Trees.sh(host, "mkdir w w/secrets; echo s > w/secret; echo s > w/secrets/s");

    String seen =
        Trees.sh(
            host,
            "bwrap --unshare-all --unshare-user --uid 12345 --gid 12345 --cap-drop ALL --ro-bind / /"
                + " --dev /dev --ro-bind \"$1/passwd\" /etc/passwd --ro-bind \"$1/group\" /etc/group"
                + " --ro-bind \"$1/file000\" \"$2/secret\" --ro-bind \"$1/dir000\" \"$2/secrets\""
                + " --chdir \"$2\" -- sh -c 'whoami; cat secret; ls secrets; test -r secret || echo masked' 2>&1",
            directory.run().toString(),
            host + "/w");

    assertThat(seen).startsWith("me\n").contains("Permission denied").endsWith("masked\n");
    assertThat(seen).doesNotContain("s\ns\n");
  }
}
