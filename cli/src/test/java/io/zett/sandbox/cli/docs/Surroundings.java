package io.zett.sandbox.cli.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;

/** The files that the examples take for granted: a page says so at its beginning. */
final class Surroundings {
  /** What the variable {@code code} holds. */
  static final String CODE = "print(6 * 7)\n";

  /** The policy that the guide shows. */
  static final String POLICY =
      """
      memory: 256MB
      timeout: 30
      writable: [cache]
      denyRead:
        - project/.env
        - ~/.npmrc
      env:
        MODE: test
        RELEASE: 1.10
      """;

  private static final Map<String, String> FILES =
      Map.of(
          "project/build.py",
          """
          import os
          os.makedirs("dist", exist_ok=True)
          with open("dist/app.txt", "w") as app:
              app.write("built\\n")
          print("building")
          """,
          "project/src/hello.txt",
          "hello\n",
          "project/.env",
          "API_KEY=for the server only\n",
          "cache/index",
          "cached\n",
          "sandbox.yaml",
          POLICY,
          "words.txt",
          "pear\napple\npear\n",
          "home/.npmrc",
          "//registry.example/:_authToken=secret\n");

  private Surroundings() {}

  /** Makes them anew in a folder that holds nothing else. */
  static void renew(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            if (!directory.equals(folder)) {
              Files.delete(directory);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  /** The variables of whoever follows the examples. */
  static Map<String, String> environment(Path folder) {
    return Map.of(
        "HOME",
        folder.resolve("home").toString(),
        "PATH",
        "/usr/local/bin:/usr/bin:/bin",
        "LANG",
        "C.UTF-8",
        "GREETING",
        "good morning");
  }
}
