package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Proofs run on the host itself, beside processes that are no part of any attack. */
@Timeout(300)
class BystanderTest {
  private static final String INPUT = "the input of somebody else";

  /** Holds a pipe with something in it where attacks look, and reads it when it is told to. */
  private static final String BYSTANDER =
      "exec 7<>\"$0\"; printf %s \"$1\" >&7; echo ready; read _;"
          + " echo >&7; read -r line <&7; echo \"$line\"";

  @TempDir Path base;

  @Test
  void whatWaitsInAPipeOfAnotherProcessStaysThere() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "the attacks are those of Linux");
    String pipe = base.resolve("pipe").toString();
    assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
    Process bystander = new ProcessBuilder("sh", "-c", BYSTANDER, pipe, INPUT).start();
    try (BufferedReader said = bystander.inputReader(UTF_8);
        Writer told = bystander.outputWriter(UTF_8)) {
      assertThat(said.readLine()).isEqualTo("ready");
      Map<String, Boolean> proven = proven();
      told.write("\n");
      told.flush();
      assertThat(said.readLine()).isEqualTo(INPUT);
      assertThat(proven).isNotEmpty().doesNotContainValue(false);
    } finally {
      bystander.destroyForcibly().waitFor();
    }
  }

  /** The attacks on descriptors that programs of the host carry out, and whether they work. */
  private Map<String, Boolean> proven() throws IOException {
    Scene scene = new Scene(base);
    scene.plant("token", "victim");
    Map<String, String> variables =
        Map.of("W", scene.workspace.toString(), "H", scene.outside.toString());
    List<Attack> attacks =
        Catalogue.all().stream()
            .filter(attack -> attack.claim() == Claim.DESCRIPTORS && !attack.needsProbe())
            .toList();
    Map<String, Boolean> proven = new LinkedHashMap<>();
    try (HostRun host = new HostRun(scene, variables)) {
      for (Attack attack : attacks) {
        if (attack.proof() instanceof Proof.By(String script)) {
          proven.put(attack.name(), host.succeeds(0, "bystander", script, attack.setting()));
        }
      }
    }
    return proven;
  }
}
