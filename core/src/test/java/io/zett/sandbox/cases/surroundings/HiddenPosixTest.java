package io.zett.sandbox.cases.surroundings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.cases.outside.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The library on a system whose own calls it does not make: this one under other names. Everything
 * works that passthrough claims, and nothing that goes native is even loaded.
 */
class HiddenPosixTest {
  /** The calls themselves, and what of the JDK makes them. */
  private static final List<String> NATIVE =
      List.of(
          "io.zett.sandbox.posix.",
          "jdk.internal.foreign.abi.AbstractLinker",
          "java.lang.foreign.Linker",
          "java.lang.foreign.SymbolLookup");

  @TempDir Path base;
  private Path workspace;
  private Path loaded;

  @BeforeEach
  void directories() throws IOException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "its own name is to be hidden");
    workspace = Files.createDirectory(base.resolve("workspace")).toRealPath();
    loaded = base.resolve("loaded");
  }

  private List<String> told(String osName, String text, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("-Dos.name=" + osName, "-Xlog:class+load:file=" + loaded));
    all.add("-Djava.io.tmpdir=" + base);
    try (ChildJvm child =
        ChildJvm.of(Guest.class)
            .options(all.toArray(String[]::new))
            .env("SystemRoot", base.resolve("windows").toString())
            .start(workspace.toString(), text)) {
      List<String> lines = child.lines();
      assertThat(child.await()).as(lines.toString()).isZero();
      return lines;
    }
  }

  private void assertNothingNativeWasLoaded() throws IOException {
    List<String> classes = Files.readAllLines(loaded);
    assertThat(classes).anyMatch(line -> line.contains("io.zett.sandbox.engine.PortableGround "));
    assertThat(classes).noneMatch(line -> NATIVE.stream().anyMatch(line::contains));
  }

  @Test
  void anotherUnixRunsCommandsWithoutOneNativeClass() throws IOException {
    List<String> lines = told("FreeBSD", "echo ran; cat; exit 3");

    assertThat(lines)
        .contains("isolated false", "backend passthrough", "exit 3", "out ran")
        .anyMatch(line -> line.startsWith("memory partial"));
    assertNothingNativeWasLoaded();
    assertThat(base).isDirectoryNotContaining("glob:**zett-session-*");
  }

  @Test
  void windowsRunsCommandsByItsShellWithoutOneNativeClass() throws IOException {
    Path shell = Files.createDirectories(base.resolve("windows/System32")).resolve("cmd.exe");
    Files.writeString(
        shell,
        """
        #!/bin/sh
        [ "$1 $2 $3" = '/d /s /c' ] && [ $# = 4 ] || exit 64
        text=${4#?}
        exec /bin/sh -c "${text%?}"
        """);
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));

    List<String> lines = told("Windows 11", "echo \"$TEMP\"; echo '\"'; exit 3");

    assertThat(lines)
        .contains("isolated false", "backend passthrough", "memory none none", "exit 3", "out \"")
        .anyMatch(line -> line.startsWith("out " + base) && line.endsWith("/scratch"));
    assertNothingNativeWasLoaded();
    assertThat(base).isDirectoryNotContaining("glob:**zett-session-*");
  }
}
