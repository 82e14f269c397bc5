package io.zett.sandbox.springai;

import io.zett.sandbox.SandboxUnavailableException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to mend a machine that has no sandbox, in place of a stack trace. */
final class SandboxFailureAnalyzer extends AbstractFailureAnalyzer<SandboxUnavailableException> {

  @Override
  protected FailureAnalysis analyze(Throwable failure, SandboxUnavailableException cause) {
    return new FailureAnalysis(
        "The sandbox of zett.sandbox.* cannot be used: " + cause.problem(), cause.fix(), cause);
  }
}
