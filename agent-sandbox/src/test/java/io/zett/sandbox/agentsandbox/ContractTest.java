package io.zett.sandbox.agentsandbox;

import org.junit.jupiter.api.BeforeEach;
import org.springaicommunity.sandbox.AbstractSandboxTCK;

/** The tests of agent-sandbox that each implementation has to pass. */
class ContractTest extends AbstractSandboxTCK {

  @BeforeEach
  void open() {
    sandbox = ZettSandbox.builder().tempDirectory("contract-").build();
  }
}
