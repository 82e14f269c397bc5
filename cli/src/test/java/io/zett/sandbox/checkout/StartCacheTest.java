package io.zett.sandbox.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.checkout.Checkout.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "what a JVM has in memory is asked of /proc")
class StartCacheTest {
  private static final Said CACHED = new Said(0, "true\n", "");
  private static final Said NOT_CACHED = new Said(0, "false\n", "");

  @TempDir Path folder;
  private Checkout checkout;
  private Path target;
  private Path cache;

  @BeforeEach
  void buildOnce() throws Exception {
    checkout = new Checkout(folder);
    target = checkout.root.resolve("cli/target");
    cache = target.resolve("zett.aot");
    checkout.zett("built");
  }

  @Test
  void theFirstUseMakesTheCacheThatLaterOnesUse() throws Exception {
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
    FileTime made = Files.getLastModifiedTime(cache);
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
    assertThat(Files.getLastModifiedTime(cache)).isEqualTo(made);
  }

  @Test
  void theMcpServerHasABuildAndACacheOfItsOwn() throws Exception {
    Path own = checkout.root.resolve("mcp/target");
    assertThat(own).doesNotExist();
    FileTime made = Files.getLastModifiedTime(cache);
    assertThat(checkout.zett("mcp", "cached?").out()).isEqualTo("true\n");
    assertThat(checkout.builds()).isEqualTo(2);
    assertThat(own.resolve("zett.aot")).isNotEmptyFile();
    assertThat(own.resolve("zett.aside")).doesNotExist();
    assertThat(checkout.zett("mcp", "cached?")).isEqualTo(CACHED);
    // A change of the server is none of the command.
    Files.createDirectories(checkout.root.resolve("mcp/src/main"));
    Files.writeString(checkout.root.resolve("mcp/src/main/A.java"), "class A {}");
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
    assertThat(checkout.builds()).isEqualTo(2);
    assertThat(checkout.zett("mcp", "cached?").out()).isEqualTo("true\n");
    assertThat(checkout.builds()).isEqualTo(3);
    // The builds made the command's jars again, the same.
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
    assertThat(Files.getLastModifiedTime(cache)).isEqualTo(made);
  }

  @Test
  void aDamagedCacheIsIgnoredWithoutAWord() throws Exception {
    byte[] whole = Files.readAllBytes(cache);
    byte[] otherHeader = whole.clone();
    Arrays.fill(otherHeader, 0, 4096, (byte) 0x5a);
    for (byte[] damaged :
        new byte[][] {{}, "not a cache".getBytes(), Arrays.copyOf(whole, 100_000), otherHeader}) {
      Files.write(cache, damaged);
      assertThat(checkout.zett("cached?")).isEqualTo(NOT_CACHED);
    }
  }

  @Test
  void classesOfAnExchangedJarAreNotRunFromTheCache() throws Exception {
    Path jar = target.resolve("lib/zett-sandbox-cli.jar");
    FileTime before = Files.getLastModifiedTime(jar);
    Checkout.writeSilentProgram(jar);
    Files.setLastModifiedTime(jar, FileTime.from(before.toInstant().minusSeconds(1)));
    assertThat(checkout.zett("x")).isEqualTo(new Said(0, "", ""));
    // Nor where no new one can be made.
    Files.writeString(cache, "of other jars");
    Files.delete(target.resolve("zett.jars/zett-sandbox-cli.jar"));
    Files.createDirectories(target.resolve("zett.aot.new/in the way"));
    assertThat(checkout.zett("x")).isEqualTo(new Said(0, "", ""));
  }

  @Test
  void aChangedJarMakesTheCacheAnew() throws Exception {
    Files.writeString(cache, "of the jar before");
    Files.setLastModifiedTime(
        target.resolve("lib/zett-sandbox-cli.jar"), FileTime.from(Instant.now().minusSeconds(60)));
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
  }

  @Test
  void aCacheOfAnotherJavaOrMachineIsMadeAnew() throws Exception {
    Path circumstances = target.resolve("zett.start");
    String text = Files.readString(circumstances);
    Files.writeString(cache, "of another");
    Files.writeString(circumstances, text.replaceFirst("\n[^\n]*$", "\nanother machine"));
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
    assertThat(circumstances).hasContent(text);
  }

  @Test
  void aChangedSourceMakesTheCacheAnew() throws Exception {
    Files.writeString(cache, "of the build before");
    Files.writeString(checkout.root.resolve("core/src/main/A.java"), "class A {}");
    checkout.zett("changed");
    assertThat(checkout.builds()).isEqualTo(2);
    assertThat(checkout.zett("cached?")).isEqualTo(CACHED);
  }

  @Test
  void whereNoneCanBeMadeCommandsStartWithoutAndTryOnce() throws Exception {
    Files.delete(cache);
    Files.createDirectories(target.resolve("zett.aot.new/in the way"));
    assertThat(checkout.zett("x")).isEqualTo(new Said(0, "x\n", ""));
    assertThat(checkout.zett("cached?")).isEqualTo(NOT_CACHED);
  }

  @Test
  void aCheckoutOfSomebodyElseStartsWithoutACache() throws Exception {
    Files.delete(cache);
    var mode = Files.getPosixFilePermissions(target);
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      boolean mayWrite = Files.isWritable(target); // root may anywhere
      assertThat(checkout.zett("cached?")).isEqualTo(mayWrite ? CACHED : NOT_CACHED);
    } finally {
      Files.setPosixFilePermissions(target, mode);
    }
  }

  @Test
  void aMovedCheckoutMakesItsOwn() throws Exception {
    Path moved = Files.move(checkout.root, folder.resolve("moved"));
    Said said = Said.by(checkout.start(moved, moved.resolve("zett").toString(), "cached?"));
    assertThat(said).isEqualTo(CACHED);
    assertThat(moved.resolve("cli/target/zett.start")).content().contains("\n" + moved + "\n");
  }
}
