package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class SandboxExceptionTest {

  @Test
  void anUnavailableSandboxSaysHowToMendIt() {
    Throwable cause = new IOException("below");
    SandboxUnavailableException e =
        new SandboxUnavailableException("bwrap is not installed", "apt install bubblewrap", cause);
    assertThat(e)
        .isInstanceOf(SandboxException.class)
        .hasMessage("bwrap is not installed. To mend it: apt install bubblewrap")
        .hasCause(cause);
    assertThat(e.problem()).isEqualTo("bwrap is not installed");
    assertThat(e.fix()).isEqualTo("apt install bubblewrap");
  }

  @Test
  void aFailedSetUpNamesTheStepAndThePath() {
    SandboxSetupException e =
        new SandboxSetupException("working directory", Path.of("/w/x"), "does not exist", null);
    assertThat(e)
        .isInstanceOf(SandboxException.class)
        .hasMessage("working directory: /w/x: does not exist");
    assertThat(e.step()).isEqualTo("working directory");
    assertThat(e.path()).contains(Path.of("/w/x"));
    assertThat(new SandboxSetupException("launch", "no room").path()).isEmpty();
  }

  @Test
  void aCanceledCommandIsACancellationWithReasonAndPartialResult() {
    SandboxResult partial =
        SandboxResult.builder(SandboxCommand.of("p"), new Outcome.Canceled("interrupted")).build();
    SandboxCanceledException e = new SandboxCanceledException("interrupted", partial);
    assertThat(e)
        .isInstanceOf(CancellationException.class)
        .hasMessage("the command was canceled: interrupted");
    assertThat(e.reason()).isEqualTo("interrupted");
    assertThat(e.result()).contains(partial);
    assertThat(new SandboxCanceledException("closed", null).result()).isEmpty();
  }

  @Test
  void errorsCanBeSerialized() throws IOException, ClassNotFoundException {
    SandboxResult failed =
        SandboxResult.builder(SandboxCommand.of("p"), new Outcome.Exited(1)).build();
    for (RuntimeException e :
        new RuntimeException[] {
          new SandboxClosedException("closed"),
          new SandboxUnavailableException("problem", "fix"),
          new SandboxSetupException("step", Path.of("/p"), "problem", null),
          new SandboxCommandException(failed),
          new SandboxCanceledException("reason", failed)
        }) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(e);
      }
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertThat((RuntimeException) in.readObject()).hasMessage(e.getMessage());
      }
    }
  }
}
