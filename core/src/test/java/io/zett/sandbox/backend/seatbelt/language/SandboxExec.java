package io.zett.sandbox.backend.seatbelt.language;

import io.zett.sandbox.backend.Launch;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command line of {@code sandbox-exec} as its usage text has it: {@code [-f file] [-p text] [-D
 * key=value …] command [argument …]}.
 *
 * @param text the profile
 * @param parameters the values it names
 * @param command what is started inside
 */
public record SandboxExec(String text, Map<String, String> parameters, List<String> command) {

  public SandboxExec {
    parameters = Map.copyOf(parameters);
    command = List.copyOf(command);
  }

  /** Reads what a launch would start. */
  public static SandboxExec of(Launch launch) {
    List<String> words =
        launch.argv().stream().map(word -> new String(word, StandardCharsets.ISO_8859_1)).toList();
    String text = null;
    Map<String, String> parameters = new LinkedHashMap<>();
    int at = 1;
    while (words.get(at).startsWith("-") && !words.get(at).equals("--")) {
      String value = words.get(at + 1);
      switch (words.get(at)) {
        case "-p" -> text = value;
        case "-f" -> text = file(value, launch);
        case "-D" -> {
          int equals = value.indexOf('=');
          if (parameters.put(value.substring(0, equals), value.substring(equals + 1)) != null) {
            throw new MalformedProfileException("defined twice: " + value);
          }
        }
        default -> throw new MalformedProfileException("no option: " + words.get(at));
      }
      at += 2;
    }
    if (text == null) {
      throw new MalformedProfileException("no profile");
    }
    return new SandboxExec(text, parameters, words.subList(at + 1, words.size()));
  }

  private static String file(String path, Launch launch) {
    byte[] content = launch.arguments();
    if (!path.equals("/dev/fd/3") || content == null) {
      throw new MalformedProfileException("not the descriptor that is handed over: " + path);
    }
    return new String(content, StandardCharsets.US_ASCII);
  }

  /** What it would decide. */
  public SeatbeltProfile profile(Precedence precedence) {
    return SeatbeltProfile.read(text, parameters, precedence);
  }
}
