package io.zett.sandbox.backend.seatbelt;

import io.zett.sandbox.backend.LaunchRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy in the language of {@code sandbox-exec}.
 *
 * @param text the rules; pure ASCII, and nothing in it comes from a policy or a disk
 * @param parameters the paths that the rules name, one character for each byte
 */
record Profile(String text, Map<String, String> parameters) {

  Profile {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }

  /**
   * The profile of a launch.
   *
   * @param terminal whether the command has a terminal
   */
  static Profile of(LaunchRequest request, boolean terminal) {
    SeatbeltRules rules = SeatbeltRules.of(request);
    Parameters parameters = new Parameters();
    Filters filters = new Filters(parameters, new PathForms(request.view()));
    ProfileText text = new ProfileText();
    text.piece(Piece.BASE.text());
    if (terminal) {
      text.piece(Piece.TERMINAL.text());
    }
    new FileRules(rules).writeTo(text, filters);
    SocketRules.write(text, request.policy(), rules.own(), filters);
    return new Profile(text.toString(), parameters.values());
  }

  /** The parameters as {@code NAME=value}. */
  List<byte[]> definitions() {
    List<byte[]> definitions = new ArrayList<>();
    parameters.forEach(
        (name, value) ->
            definitions.add((name + "=" + value).getBytes(StandardCharsets.ISO_8859_1)));
    return definitions;
  }
}
