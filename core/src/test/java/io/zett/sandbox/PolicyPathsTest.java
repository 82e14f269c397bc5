package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyPathsTest {
  private static final Map<String, BiConsumer<SandboxSession.Builder, Path>> OPTIONS =
      Map.of(
          "workspace", SandboxSession.Builder::workspace,
          "writable", (builder, path) -> builder.writable(path),
          "denyWrite", (builder, path) -> builder.denyWrite(path),
          "denyRead", (builder, path) -> builder.denyRead(path),
          "allowRead", (builder, path) -> builder.allowRead(path));

  private static void give(String option, Path path) {
    Objects.requireNonNull(OPTIONS.get(option)).accept(SandboxSession.builder(), path);
  }

  private static void refused(String option, Path path, String mend) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> give(option, path))
        .withMessageStartingWith(option + ": ")
        .withMessageContaining(mend);
  }

  @Test
  void aLeadingTildeIsRefusedWithTheMend() {
    for (String option : OPTIONS.keySet()) {
      for (String path : List.of("~", "~/.ssh", "~root/x", "~backup")) {
        refused(option, Path.of(path), "System.getProperty(\"user.home\")");
      }
      refused(option, Path.of("~backup"), "./~backup");
    }
  }

  @Test
  void aFileWhoseNameBeginsWithATildeCanBeGiven() {
    Path file = Path.of("./~backup");
    SandboxPolicy policy = SandboxPolicy.builder().denyRead(file, Path.of("/x/~y")).build();
    assertThat(policy.denyRead())
        .containsExactlyInAnyOrder(Path.of("~backup").toAbsolutePath(), Path.of("/x/~y"));
  }

  @Test
  void anEmptyPathIsRefused() {
    for (String option : OPTIONS.keySet()) {
      refused(option, Path.of(""), "empty");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxCommand.shell("true").cwd(Path.of("")))
        .withMessageStartingWith("cwd: ");
  }

  @Test
  void theWholeDiskIsNoWorkspaceAndCanNeitherBeWritableNorHidden() {
    for (String option : List.of("workspace", "writable", "denyRead")) {
      refused(option, Path.of("/"), "the whole disk");
      refused(option, Path.of("/."), "the whole disk");
      refused(option, Path.of("/etc/.."), "the whole disk");
      refused(option, Path.of("/.."), "the whole disk");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // callers without the checker do it
  void aNullAmongThePathsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxPolicy.builder().denyRead(Collections.singletonList(null)))
        .withMessage("denyRead: a path is null");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SandboxPolicy.builder().writable(Path.of("/a"), null));
  }

  @Test
  void aPathOfAnotherFileSystemIsRefused(@TempDir Path directory) throws IOException {
    URI archive = URI.create("jar:" + directory.resolve("a.zip").toUri());
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      for (String option : OPTIONS.keySet()) {
        refused(option, zip.getPath("/a"), "file system");
      }
    }
  }

  @Test
  void relativePathsAreTheCurrentDirectorysAndOddFormsTheSame() {
    Path here = Path.of("").toAbsolutePath();
    SandboxPolicy policy =
        SandboxPolicy.builder()
            .denyRead(Path.of("a/b"), Path.of("a//b/"), Path.of("./a/./b"), here.resolve("a/b"))
            .denyWrite(List.of(Path.of(".")))
            .build();
    assertThat(policy.denyRead()).containsExactly(here.resolve("a/b"));
    assertThat(policy.denyWrite()).containsExactly(here);
  }

  @Test
  void aParentComponentStaysForTheDiskToResolve() {
    SandboxPolicy policy = SandboxPolicy.builder().denyRead(Path.of("/a/link/../b")).build();
    assertThat(policy.denyRead()).containsExactly(Path.of("/a/link/../b"));
  }

  @Test
  void listsAccumulateOnceEachInAnOrderOfTheirOwn() {
    SandboxPolicy.Builder builder = SandboxPolicy.builder();
    builder.writable(Path.of("/b")).writable(List.of(Path.of("/a"), Path.of("/b")));
    builder.denyWrite().allowRead(List.of());
    SandboxPolicy policy = builder.build();
    assertThat(policy.writable()).containsExactly(Path.of("/a"), Path.of("/b"));
    assertThat(policy.denyWrite()).isEmpty();
  }

  @Test
  void aListThatIsChangedLaterChangesNothing() {
    Path[] paths = {Path.of("/a")};
    List<Path> list = Arrays.asList(paths);
    SandboxPolicy policy = SandboxPolicy.builder().denyRead(list).build();
    list.set(0, Path.of("/other"));
    assertThat(policy.denyRead()).containsExactly(Path.of("/a"));
  }
}
