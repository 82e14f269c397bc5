package io.zett.sandbox.backend.seatbelt.language;

import io.zett.sandbox.backend.seatbelt.language.Attempt.Fact;
import java.util.List;
import java.util.regex.Pattern;

/** A condition of a rule. */
sealed interface Filter {

  boolean matches(Attempt attempt);

  /** All of several. */
  record All(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return parts.stream().allMatch(part -> part.matches(attempt));
    }
  }

  /** Any of several. */
  record Any(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return parts.stream().anyMatch(part -> part.matches(attempt));
    }
  }

  /** Not this. */
  record Not(Filter part) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return !part.matches(attempt);
    }
  }

  /** One path. */
  record Literal(String path) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return attempt.fact(Fact.PATH).equals(path);
    }
  }

  /** A path and all below it. */
  record Subpath(String path) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      String tried = attempt.fact(Fact.PATH);
      String below = path.endsWith("/") ? path : path + "/";
      return tried.equals(path) || tried.startsWith(below);
    }
  }

  /** All paths that begin so, in the middle of a name, too. */
  record Prefix(String path) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return attempt.has(Fact.PATH) && attempt.fact(Fact.PATH).startsWith(path);
    }
  }

  /** A path in which the expression is found. */
  record Regex(Pattern pattern) implements Filter {
    /** Of its own {@code $}: Java's matches before a line feed at the end, too. */
    static Regex of(String regex) {
      StringBuilder translated = new StringBuilder();
      for (int i = 0; i < regex.length(); i++) {
        char c = regex.charAt(i);
        if (c == '\\' && i + 1 < regex.length()) {
          translated.append(c).append(regex.charAt(++i));
        } else {
          translated.append(c == '$' ? "\\z" : c == '^' && !inClass(regex, i) ? "\\A" : "" + c);
        }
      }
      return new Regex(Pattern.compile(translated.toString(), Pattern.DOTALL));
    }

    private static boolean inClass(String regex, int at) {
      return at > 0 && regex.charAt(at - 1) == '[';
    }

    @Override
    public boolean matches(Attempt attempt) {
      return attempt.has(Fact.PATH) && pattern.matcher(attempt.fact(Fact.PATH)).find();
    }
  }

  /** A fact of exactly one of these values. */
  record Equal(Fact fact, List<String> values) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return attempt.has(fact) && values.contains(attempt.fact(fact));
    }
  }

  /** A name that begins so. */
  record NamePrefix(String prefix) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return attempt.has(Fact.NAME) && attempt.fact(Fact.NAME).startsWith(prefix);
    }
  }

  /** A Unix socket whose path matches. */
  record UnixSocket(List<Filter> parts) implements Filter {
    @Override
    public boolean matches(Attempt attempt) {
      return attempt.has(Fact.PATH)
          && !attempt.has(Fact.REMOTE)
          && !attempt.has(Fact.LOCAL)
          && (parts.isEmpty() || parts.stream().anyMatch(part -> part.matches(attempt)));
    }
  }

  /**
   * An internet address; {@code localhost} is not what a dual-stack JVM connects to. An address of
   * this end in a rule about connecting is no condition at all.
   */
  record Internet(Fact end, String host, String port) implements Filter {
    static Internet of(Fact end, String address) {
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? "" : address.substring(0, colon);
      if (!host.equals("*") && !host.equals("localhost")) {
        throw new MalformedProfileException("the host of an address is * or localhost: " + address);
      }
      return new Internet(end, host, address.substring(colon + 1));
    }

    @Override
    public boolean matches(Attempt attempt) {
      if (end == Fact.LOCAL && attempt.operation().equals("network-outbound")) {
        return true;
      }
      if (!attempt.has(end)) {
        return false;
      }
      String[] parts = attempt.fact(end).split(" ", 2);
      boolean local = parts[0].equals("127.0.0.1") || parts[0].equals("::1");
      return (host.equals("*") || local) && (port.equals("*") || port.equals(parts[1]));
    }
  }
}
