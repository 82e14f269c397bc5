package io.zett.sandbox.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxException;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.SandboxUnavailableException;
import io.zett.sandbox.faults.FaultSource.Fault;
import io.zett.sandbox.posix.Errno;
import java.util.concurrent.Callable;

/**
 * What an operation gives while a call fails, or what it tells: by its own exceptions, with the
 * kernel's words.
 *
 * @param text the result, or the message
 * @param told whether it is a message
 */
record FaultAnswer(String text, boolean told) {

  /** Anything else that is thrown is passed on. */
  static FaultAnswer of(Fault fault, Callable<String> operation) throws Exception {
    try {
      return new FaultAnswer(FaultyEngine.within(fault, operation), false);
    } catch (SandboxSetupException e) {
      assertThat(e.step()).as("%s", fault).isNotBlank();
      return told(fault, e);
    } catch (SandboxUnavailableException e) {
      assertThat(e.fix()).as("%s", fault).isNotBlank();
      return told(fault, e);
    }
  }

  private static FaultAnswer told(Fault fault, SandboxException e) {
    assertThat(e).as("%s", fault).hasMessageContaining(Errno.describe(fault.errno()));
    return new FaultAnswer(String.valueOf(e.getMessage()), true);
  }
}
