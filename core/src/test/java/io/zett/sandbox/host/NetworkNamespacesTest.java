package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxProcess;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.posix.Posix;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Which network namespaces there are beside this process's. */
class NetworkNamespacesTest {

  private static final String TELL = "stat -L -c %i /proc/self/net/unix; exec sleep 3000";

  @Test
  void oneThatAProcessOfTheHostMadeIsFoundAndForgotten() throws Exception {
    String[] words = {"unshare", "--user", "--net", "/bin/sh", "-c", TELL};
    Process process = new ProcessBuilder(words).start();
    try (NetworkNamespaces namespaces = new NetworkNamespaces(Posix.system());
        BufferedReader out = process.inputReader()) {
      String told = out.readLine();
      assumeTrue(told != null, "this user may not make a network namespace without a sandbox");
      long number = Long.parseLong(told);
      assertThat(namespaces.others())
          .filteredOn(each -> each.number() == number)
          .singleElement()
          .satisfies(each -> assertThat(each.pids()).contains((int) process.pid()));
      process.destroyForcibly().waitFor();
      assertThat(namespaces.others()).noneMatch(each -> each.pids().contains((int) process.pid()));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void aSandboxIsNoneOfThem() throws Exception {
    try (NetworkNamespaces namespaces = new NetworkNamespaces(Posix.system());
        SandboxSession session = SandboxSession.builder().open();
        SandboxProcess process = session.start(SandboxCommand.shell(TELL));
        BufferedReader out =
            new BufferedReader(
                new java.io.InputStreamReader(process.stdout(), StandardCharsets.UTF_8))) {
      long number = Long.parseLong(out.readLine());
      assertThat(namespaces.others()).noneMatch(each -> each.number() == number);
    }
  }
}
