import org.jspecify.annotations.NullMarked;

/** The {@code zett} command. */
@NullMarked
module io.zett.sandbox.cli {
  requires static org.jspecify;
  requires com.fasterxml.jackson.jr.ob;
  requires info.picocli;
  requires transitive io.zett.sandbox;
  requires io.zett.sandbox.batch;
  requires io.zett.sandbox.policyfile;
  // sun.misc.Signal: the JDK's only way to be told of SIGINT, SIGTERM and SIGHUP.
  requires jdk.unsupported;

  // Where the command begins, for the one that serves MCP.
  exports io.zett.sandbox.cli;
}
