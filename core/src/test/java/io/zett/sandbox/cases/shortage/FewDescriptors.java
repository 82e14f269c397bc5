package io.zett.sandbox.cases.shortage;

import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.cases.outside.Possessions;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** A JVM whose descriptors are used up but for a few, more each time. */
final class FewDescriptors {
  private static final int MOST_FREE = 60;

  private final Deque<FileInputStream> eaten = new ArrayDeque<>();

  private FewDescriptors() {}

  public static void main(String[] arguments) throws Exception {
    Classes.load();
    FewDescriptors descriptors = new FewDescriptors();
    try (Attempts attempts = new Attempts(m -> m.contains("(EMFILE)") && m.contains("ulimit -n"));
        SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
      descriptors.withFew(0, () -> {}); // what the JVM itself needs for that
      open();
      attempts.run(session);
      Possessions before = Possessions.now();
      for (int free = 0; free <= MOST_FREE; free += free < 40 ? 1 : 5) {
        descriptors.withFew(free, () -> attempts.run(session));
        descriptors.withFew(free, () -> attempts.open(SandboxSession.builder().memory("1GB")));
      }
      Attempts.expectOk(session.run("echo ok"));
      open();
      before.assertRegained();
      System.out.println(
          attempts.told() > 20 && attempts.worked() > 10 ? "told and worked" : attempts.toString());
    }
  }

  private static void open() {
    try (SandboxSession session = SandboxSession.builder().memory("1GB").open()) {
      Attempts.expectOk(session.run("echo ok"));
    }
  }

  private void withFew(int free, Runnable action) throws IOException {
    try {
      eat();
      for (int i = 0; i < free; i++) {
        eaten.pop().close();
      }
      action.run();
    } finally {
      while (!eaten.isEmpty()) {
        eaten.pop().close();
      }
    }
  }

  private void eat() {
    try {
      while (true) {
        eaten.push(new FileInputStream("/dev/null"));
      }
    } catch (IOException full) {
      // Too many open files.
    }
  }
}
