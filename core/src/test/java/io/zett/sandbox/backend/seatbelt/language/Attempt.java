package io.zett.sandbox.backend.seatbelt.language;

import java.util.HashMap;
import java.util.Map;

/**
 * Something that a process in the sandbox does, as the kernel asks about it.
 *
 * @param operation its exact name, such as {@code file-read-data}
 * @param facts what is known of it, by kind
 */
public record Attempt(String operation, Map<Fact, String> facts) {

  /** What filters look at. */
  public enum Fact {
    /** The kernel's path of a file or of a Unix socket, one character for each byte. */
    PATH,
    /** The other end of an internet connection, {@code address port}. */
    REMOTE,
    /** This end. */
    LOCAL,
    /** The name of a sysctl or a Mach service, or the class of a device. */
    NAME,
    /** The process a signal goes to: {@code same-sandbox} or {@code others}. */
    TARGET,
    /** {@code CHARACTER-DEVICE}, {@code REGULAR-FILE} or {@code DIRECTORY}. */
    VNODE_TYPE,
    /** The family of a socket, such as {@code AF_UNIX}. */
    DOMAIN,
    /** A socket's protocol or a call's command, a number. */
    NUMBER,
    /** The class of an extension that was issued for the file. */
    EXTENSION
  }

  public Attempt {
    facts = Map.copyOf(facts);
  }

  /** An operation of which nothing more is known. */
  public static Attempt of(String operation) {
    return new Attempt(operation, Map.of());
  }

  /** The same on a file or socket of that path. */
  public Attempt path(String path) {
    return with(Fact.PATH, path);
  }

  /** The same with one more fact. */
  public Attempt with(Fact fact, String value) {
    Map<Fact, String> more = new HashMap<>(facts);
    more.put(fact, value);
    return new Attempt(operation, more);
  }

  String fact(Fact fact) {
    return facts.getOrDefault(fact, "");
  }

  boolean has(Fact fact) {
    return facts.containsKey(fact);
  }
}
