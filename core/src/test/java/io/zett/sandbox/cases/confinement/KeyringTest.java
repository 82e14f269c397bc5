package io.zett.sandbox.cases.confinement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kernel keyrings are in no namespace. */
class KeyringTest {

  /** Finds the key in the session keyring and shows it. */
  private static final String READ =
      """
      import ctypes, platform
      c = ctypes.CDLL(None, use_errno=True)
      keyctl, request = (219, 218) if platform.machine() == 'aarch64' else (250, 249)
      c.syscall.restype = ctypes.c_long
      for key in (c.syscall(keyctl, 10, -3, b'user', b'zett-case', 0),
                  c.syscall(request, b'user', b'zett-case', None, 0)):
        if key < 0:
          print('refused', ctypes.get_errno())
          continue
        content = ctypes.create_string_buffer(64)
        c.syscall(keyctl, 11, key, content, 64)
        print(content.value.decode())
      """;

  /** Joins a new session keyring, puts a key into it, and becomes another program. */
  private static final String CALLER =
      """
      import ctypes, os, platform, sys
      c = ctypes.CDLL(None, use_errno=True)
      keyctl, add = (219, 217) if platform.machine() == 'aarch64' else (250, 248)
      if c.syscall(keyctl, 1, None) < 0 or c.syscall(add, b'user', b'zett-case', b'SECRET', 6, -3) < 0:
        sys.exit(77)
      os.execv(sys.argv[1], sys.argv[1:])
      """;

  @Test
  void theCallersKeysCannotBeRead(@TempDir Path temporary) throws Exception {
    Scene scene = new Scene(temporary);
    Unsandboxed.End host = asCaller(scene, List.of(Scene.PYTHON, "-c", READ));
    assumeTrue(host.status() != 77, "this machine does not let its users have kernel keyrings");
    assertThat(host.out()).startsWith("SECRET\n");

    Path program = scene.work("read.py", READ);
    Unsandboxed.End inside =
        asCaller(scene, Caller.words(scene, "run=/usr/bin/python3 " + program));

    assertThat(inside.out()).as(inside.err()).isEqualTo("refused 1\nrefused 1\n");
  }

  private static Unsandboxed.End asCaller(Scene scene, List<String> words) throws Exception {
    List<String> all = new ArrayList<>(List.of(Scene.PYTHON, "-c", CALLER));
    all.addAll(words);
    return Unsandboxed.end(Caller.start(scene, Map.of(), all));
  }
}
