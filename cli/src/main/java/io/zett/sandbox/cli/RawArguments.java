package io.zett.sandbox.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The words of the command line as they were typed.
 *
 * <p>The JVM decodes them with the locale's character set: under {@code LC_ALL=C} every letter
 * beyond ASCII is lost before {@code main} begins. Linux keeps the bytes (/proc/self/cmdline,
 * proc(5)); they are read as UTF-8.
 */
final class RawArguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private RawArguments() {}

  static List<String> of(String[] decoded) {
    List<String> words = List.of(decoded);
    if (words.stream().allMatch(RawArguments::isAscii)) {
      return words;
    }
    try {
      return last(Files.readAllBytes(COMMAND_LINE), words);
    } catch (IOException e) {
      return words; // no proc file system: what the JDK decoded is all there is
    }
  }

  /** The last words of a command line; the ones before them are the JVM's own. */
  static List<String> last(byte[] commandLine, List<String> decoded) {
    List<ByteBuffer> all = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < commandLine.length; i++) {
      if (commandLine[i] == 0) {
        all.add(ByteBuffer.wrap(commandLine, start, i - start));
        start = i + 1;
      }
    }
    if (all.size() < decoded.size()) {
      return decoded;
    }
    List<String> words = new ArrayList<>();
    for (ByteBuffer word : all.subList(all.size() - decoded.size(), all.size())) {
      words.add(decode(word, words.size() + 1));
    }
    return List.copyOf(words);
  }

  private static String decode(ByteBuffer word, int position) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(word).toString();
    } catch (CharacterCodingException e) {
      throw new UsageException(
          "argument " + position + " is not UTF-8, and would not arrive as it was typed");
    }
  }

  private static boolean isAscii(String word) {
    return word.chars().allMatch(c -> c < 0x80);
  }
}
