package io.zett.sandbox.limits.attacks;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs every test of limits where there is no Maven, and writes one line for each into the file
 * that is named: verdict, name and reason, with tabs between.
 */
final class LimitSuite implements TestExecutionListener {
  private static final int LONGEST_REASON = 400;

  private final PrintWriter lines;
  private long began;

  private LimitSuite(PrintWriter lines) {
    this.lines = lines;
  }

  /** The file, and the names of the classes if these are not all. */
  public static void main(String[] arguments) throws IOException {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                arguments.length == 1
                    ? List.of(selectPackage("io.zett.sandbox.limits"))
                    : Arrays.stream(arguments).skip(1).map(LimitSuite::named).toList())
            .configurationParameter("junit.jupiter.execution.timeout.default", "180 s")
            .build();
    try (PrintWriter lines =
        new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])), true)) {
      LauncherFactory.create().execute(request, new LimitSuite(lines));
      lines.println("complete");
    }
  }

  private static DiscoverySelector named(String name) {
    return selectClass("io.zett.sandbox.limits." + name);
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    began = System.nanoTime();
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    say("skipped", test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String reason = result.getThrowable().map(LimitSuite::text).orElse("");
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          say("passed", test, "");
        }
      }
      case ABORTED -> say("skipped", test, reason);
      case FAILED -> {
        result.getThrowable().ifPresent(Throwable::printStackTrace);
        say("failed", test, reason);
      }
    }
  }

  private static String text(Throwable failure) {
    String text = String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
    return text.substring(0, Math.min(text.length(), LONGEST_REASON));
  }

  private void say(String verdict, TestIdentifier test, String reason) {
    String name =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(MethodSource.class::cast)
            .map(source -> source.getClassName() + "." + source.getMethodName())
            .orElse("");
    String shown = test.isTest() ? " " + test.getDisplayName() : test.getDisplayName();
    lines.println(verdict + "\t" + (name + shown).replace('\t', ' ') + "\t" + reason);
    long millis = (System.nanoTime() - began) / 1_000_000;
    System.out.println(millis + " ms\t" + verdict + "\t" + name + shown);
  }
}
