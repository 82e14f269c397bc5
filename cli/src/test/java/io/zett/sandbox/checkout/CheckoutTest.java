package io.zett.sandbox.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.checkout.Checkout.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the scripts are for Linux and macOS")
class CheckoutTest {
  @TempDir Path folder;
  private Checkout checkout;

  @BeforeEach
  void makeCheckout() throws IOException {
    checkout = new Checkout(folder);
  }

  @Test
  void theFirstUseBuildsAndLaterOnesStartStraightAway() throws Exception {
    Said first = checkout.zett("a b", "");
    assertThat(first.out()).isEqualTo("a b|\n");
    assertThat(first.err()).contains("zett: building").contains("from Maven");
    assertThat(checkout.zett("c")).isEqualTo(new Said(0, "c\n", ""));
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void aChangedAddedOrRemovedSourceIsBuiltAgain() throws Exception {
    checkout.zett("first");
    Path source = checkout.root.resolve("core/src/main/A.java");
    Files.writeString(source, "class A {}");
    checkout.zett("changed");
    assertThat(checkout.builds()).isEqualTo(2);
    Path added = Files.writeString(checkout.root.resolve("cli/src/main/C.java"), "");
    checkout.zett("added");
    assertThat(checkout.builds()).isEqualTo(3);
    Files.delete(added);
    checkout.zett("removed");
    assertThat(checkout.builds()).isEqualTo(4);
    checkout.zett("same");
    assertThat(checkout.builds()).isEqualTo(4);
  }

  @Test
  void aBatchOnSparkHasABuildOfItsOwn() throws Exception {
    checkout.zett("batch", "jobs");
    assertThat(checkout.builds()).isEqualTo(1);
    Said first = checkout.zett("batch", "jobs", "--master", "local");
    assertThat(first.out()).isEqualTo("batch|jobs|--master|local\n");
    assertThat(first.err()).contains("fetches Spark");
    assertThat(checkout.zett("batch", "--master=local").out()).isEqualTo("batch|--master=local\n");
    checkout.zett("batch", "jobs");
    checkout.zett("run", "--master");
    assertThat(checkout.builds()).isEqualTo(2);
    // Spark's jars are not the checkout's, and may go.
    Files.delete(checkout.engine);
    checkout.zett("batch", "--master", "local");
    assertThat(checkout.engine).exists();
    assertThat(checkout.builds()).isEqualTo(3);
  }

  @Test
  void aSourceThatClaimsToBeOfTomorrowIsBuiltOnce() throws Exception {
    Files.setLastModifiedTime(
        checkout.root.resolve("pom.xml"), FileTime.from(Instant.now().plus(Duration.ofDays(1))));
    checkout.zett("first");
    checkout.zett("second");
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void firstUsesAtTheSameTimeBuildOnce() throws Exception {
    List<Process> uses = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      uses.add(checkout.start(folder, checkout.root.resolve("zett").toString(), "use" + i));
    }
    for (int i = 0; i < 4; i++) {
      assertThat(Said.by(uses.get(i)).out()).isEqualTo("use" + i + "\n");
    }
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void itRunsThroughLinksAndFromAnywhere() throws Exception {
    Path link = Files.createDirectory(folder.resolve("links")).resolve("zett");
    Files.createSymbolicLink(link, Path.of("..", "check out", "zett"));
    Path linkToLink = Files.createSymbolicLink(folder.resolve("z"), Path.of("links", "zett"));
    assertThat(Said.by(checkout.start(Path.of("/"), linkToLink.toString(), "x")).out())
        .isEqualTo("x\n");
    assertThat(Said.by(checkout.start(checkout.root, "./zett", "y")).out()).isEqualTo("y\n");
    assertThat(Said.by(checkout.start(checkout.root, "bash", "zett", "z")).out()).isEqualTo("z\n");
  }

  @Test
  void aCheckoutThatCannotBeWrittenStillRunsAndSaysWhenItIsOutOfDate() throws Exception {
    checkout.zett("first");
    Path target = checkout.root.resolve("cli/target");
    // A file where the folder was: unlike a mode, that stops root, too.
    Files.move(target, folder.resolve("kept"));
    Files.createSymbolicLink(target, folder.resolve("kept"));
    assertThat(checkout.zett("again").out()).isEqualTo("again\n");
    Files.delete(target);
    Files.writeString(target, "");
    Said refused = checkout.zett("refused");
    assertThat(refused.status()).isEqualTo(125);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("cannot be written");
  }

  @Test
  void aFailedBuildIsNotTakenForOne() throws Exception {
    checkout.tool("mvn", "echo 'does not compile' >&2; exit 1");
    for (int i = 0; i < 2; i++) {
      Said refused = checkout.zett("x");
      assertThat(refused.status()).isEqualTo(125);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err()).contains("does not compile").contains("the build failed");
    }
  }

  @Test
  void signalsAndInputGoStraightToTheCommand() throws Exception {
    checkout.zett("built");
    Process use = checkout.start(checkout.root, checkout.root.resolve("zett").toString(), "wait");
    assertThat(use.inputReader().readLine()).isEqualTo("wait");
    assertThat(use.info().command()).hasValueSatisfying(name -> assertThat(name).endsWith("java"));
    // Process.destroy would close standard input, too.
    use.toHandle().destroy();
    assertThat(use.waitFor()).isEqualTo(143);
    assertThat(checkout.zett("wait").status()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "apt-get, apt-get install -y --no-install-recommends maven",
    "dnf, dnf install -y maven",
    "apk, apk add maven",
    "pacman, pacman -S --noconfirm --needed maven",
    "zypper, zypper --non-interactive install maven"
  })
  @DisabledOnOs(value = OS.MAC, disabledReason = "the package managers are those of Linux")
  void aMissingToolIsNamedWithTheSystemsOwnCommand(String manager, String command)
      throws Exception {
    checkout.tool(manager, "echo called >&2");
    checkout.removeTool("mvn");
    Said refused = checkout.zett("run", "--", "true");
    assertThat(refused.status()).isEqualTo(125);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains(command).doesNotContain("called");
  }

  @Test
  void allThatIsMissingIsSaidAtOnce() throws Exception {
    checkout.removeTool("mvn");
    checkout.removeTool("cc");
    assertThat(checkout.zett("x").err()).contains("Maven").contains("C compiler");
  }
}
