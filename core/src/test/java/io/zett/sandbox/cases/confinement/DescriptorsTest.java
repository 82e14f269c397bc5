package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxSession;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Open files of the caller are no way out of the sandbox. */
class DescriptorsTest {

  @TempDir Path temporary;
  private Scene scene;

  @BeforeEach
  void scene() throws Exception {
    scene = new Scene(temporary);
  }

  @Test
  void aCommandHasItsThreeStreamsAndNothingElse() {
    try (SandboxSession session = scene.session().open()) {
      assertThat(session.run(List.of(Scene.PYTHON, "-c", LISTING)).stdout()).isEqualTo("0\n1\n2\n");
    }
  }

  private static final String LISTING =
      """
      import os
      for fd in range(4096):
        try: os.fstat(fd); print(fd)
        except OSError: pass
      """;

  @Test
  void whatTheCallerInheritedIsNotHandedOn() throws Exception {
    Path secret = scene.host("secret", "SECRET");
    String leak = "exec 7<" + secret + " 8<" + scene.outside + " 9>>" + secret + " 63<&7; ";
    String use = "cat <&7; ls /proc/self/fd/8/";
    assertThat(Unsandboxed.run(scene.base, List.of("/bin/bash", "-c", leak + use)).out())
        .isEqualTo("SECRETsecret\n");

    StringBuilder line = new StringBuilder(leak).append("exec");
    String attack =
        "/usr/bin/python3 -c '"
            + LISTING
            + "'; cat <&7; ls /proc/self/fd/8/ /proc/self/fd/8/../;"
            + " echo x >&9; cat <&63; echo x > /proc/self/fd/8/new";
    for (String word : Caller.words(scene, "denyRead=" + scene.outside, "run=" + attack)) {
      line.append(" '").append(word.replace("'", "'\\''")).append('\'');
    }
    Unsandboxed.End end =
        Unsandboxed.end(Caller.start(scene, Map.of(), List.of("/bin/bash", "-c", line.toString())));

    assertThat(end.out()).as(end.err()).isEqualTo("0\n1\n2\n");
    assertThat(secret).hasContent("SECRET");
    assertThat(scene.outside.resolve("new")).doesNotExist();
  }

  @Test
  void filesThatTheProgramHasOpenAreNotHandedOn() throws Exception {
    Path secret = scene.host("secret", "SECRET");
    try (SandboxSession session = scene.session().open();
        var open = java.nio.channels.FileChannel.open(secret);
        var socket = new java.net.ServerSocket(0)) {
      assertThat(open.isOpen() && socket.isBound()).isTrue();
      assertThat(session.run(List.of(Scene.PYTHON, "-c", LISTING)).stdout()).isEqualTo("0\n1\n2\n");
    }
  }
}
