package io.zett.sandbox.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The block that zett-init reads: ten arguments, thirty variables, two limits. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BlockBenchmark {
  private final StartBlock block =
      new StartBlock(
          texts("argument-", 10),
          texts("VARIABLE=value-", 30),
          "/tmp/a/workspace".getBytes(UTF_8),
          List.of(new Rlimit(7, 256, 256), new Rlimit(1, 1 << 20, 1 << 20)));

  private static List<byte[]> texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> (prefix + i).getBytes(UTF_8)).toList();
  }

  /** Encodes it. */
  @Benchmark
  public byte[] encode() {
    return block.encode(false, false, null);
  }
}
