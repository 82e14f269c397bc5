package io.zett.sandbox.engine;

import io.zett.sandbox.SandboxCommand;
import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxResult;
import io.zett.sandbox.backend.Backend;
import io.zett.sandbox.backend.Launch;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.host.HostView;
import io.zett.sandbox.posix.UnixPath;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a command costs inside the JVM: all of it, and the parts that start no process. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the methods in this order
public class CommandBenchmark {
  private static final SandboxCommand TRUE = SandboxCommand.of("true");
  private static final UnixPath FILE = UnixPath.ofText("/tmp/zett/file");

  /** A plan names files and opens none. */
  private static final SessionFiles FILES = new SessionFiles(FILE, FILE, FILE, FILE, FILE);

  private Engine engine;
  private Opened opened;
  private Backend backend;
  private LaunchRequest request;
  private HostView sameView;

  /** Opens a sandbox with the default policy. */
  @Setup
  public void open() {
    SandboxPolicy policy = SandboxPolicy.builder().build();
    engine = Engine.open(policy, null);
    BackendChoice choice = BackendChoice.make(policy);
    opened = Opening.open(policy, null, choice);
    backend = choice.backend();
    request = new LaunchRequest(policy, opened.survey().look(), FILES, Set.of());
    sameView = opened.survey().look();
  }

  /** Leaves nothing behind. */
  @TearDown
  public void close() {
    opened.close();
    engine.close();
  }

  /** A whole command, its process included: what counts here is how much it allocates. */
  @Benchmark
  public SandboxResult command() {
    return engine.run(TRUE);
  }

  /** The look at the disk before each command. */
  @Benchmark
  public HostView look() {
    return opened.survey().look();
  }

  /** From the policy and what is on the disk to bubblewrap's arguments. */
  @Benchmark
  public Launch plan() {
    return backend.prepare(request);
  }

  /** The same when nothing has changed since the last command. */
  @Benchmark
  public Object planAgain() {
    return opened.plans().plan(sameView, Set.of());
  }
}
