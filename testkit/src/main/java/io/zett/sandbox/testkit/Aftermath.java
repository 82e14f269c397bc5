package io.zett.sandbox.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the host looks like, to be compared with what it looked like before.
 *
 * @param outside what no command may change
 * @param kept what commands may not change in their workspace
 * @param setId a set-id file in the workspace; empty when there is none
 */
record Aftermath(Map<String, String> outside, Map<String, String> kept, String setId) {

  static Aftermath of(Scene scene) throws IOException {
    Map<String, String> outside = Scene.picture(scene.outside);
    outside.putAll(Scene.picture(scene.home));
    try (Stream<Path> siblings = Files.list(scene.base)) {
      siblings.forEach(path -> outside.put(path.toString(), "there"));
    }
    Map<String, String> kept = Scene.picture(scene.workspace.resolve("kept"));
    for (String name : new String[] {"deep/er/kept", ".git", ".env", "conf", "priv", "gone"}) {
      kept.putAll(Scene.picture(scene.workspace.resolve(name)));
    }
    return new Aftermath(outside, kept, setId(scene.workspace));
  }

  private static String setId(Path workspace) throws IOException {
    StringBuilder found = new StringBuilder();
    Files.walkFileTree(
        workspace,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes status)
              throws IOException {
            if (status.isRegularFile()
                && ((int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 06000)
                    != 0) {
              found.append(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException closed) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found.toString();
  }

  /** What happened meanwhile, by where it shows. */
  Map<Trace, String> compare(Aftermath now, HostServices services) throws IOException {
    Map<Trace, String> traces = new EnumMap<>(Trace.class);
    difference(Trace.OUTSIDE, outside, now.outside, traces);
    difference(Trace.KEPT, kept, now.kept, traces);
    if (!now.setId.isEmpty()) {
      traces.put(Trace.SET_ID, now.setId);
    }
    if (!services.victimIsWell()) {
      traces.put(Trace.VICTIM, "a process of the host was ended or stopped");
    }
    return traces;
  }

  private static void difference(
      Trace trace, Map<String, String> before, Map<String, String> after, Map<Trace, String> all) {
    for (Map.Entry<String, String> entry : after.entrySet()) {
      if (!entry.getValue().equals(before.get(entry.getKey()))) {
        all.put(trace, entry.getKey() + " is not as it was");
      }
    }
    for (String path : before.keySet()) {
      if (!after.containsKey(path)) {
        all.put(trace, path + " is not there any more");
      }
    }
  }
}
