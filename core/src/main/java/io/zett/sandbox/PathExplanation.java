package io.zett.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * What a command meets at a path, and what of the policy decides so. A value. It is about the
 * sandbox alone: that a file's own permissions hold as well is not looked at.
 *
 * @param path the path that was asked about, absolute
 * @param real where it leads inside the sandbox, links followed
 * @param access what can be done there
 * @param presence whether something is there
 * @param reason what decides
 * @param rule the path of the deciding rule as the policy has it; empty where none decides
 */
public record PathExplanation(
    Path path, Path real, Access access, Presence presence, Reason reason, Optional<Path> rule) {

  /** What can be done. */
  public enum Access {
    /** The host's file: can be read and written. */
    WRITE("read and write"),
    /** The host's file: can be read and not written. */
    READ("read only"),
    /** The host's file: can be neither read nor written. */
    HIDDEN("hidden"),
    /** Nothing of the host: a place of the command's own, empty at first, that goes with it. */
    PRIVATE("private"),
    /** Nothing of the host, and nothing can be made there. */
    EMPTY("emptied"),
    /** The sandbox's own: its processes and devices, and the accounts that root's commands see. */
    OWN("the sandbox's own");

    private final String text;

    Access(String text) {
      this.text = text;
    }

    /** The word for it in JSON. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /** Whether something is there. */
  public enum Presence {
    /** Something is there. */
    PRESENT(""),
    /** Nothing is there. */
    MISSING(", missing"),
    /**
     * Nothing is there, and while a command runs nothing can come to be there: something stands in
     * for it then, or the command that makes it is ended. It is {@link #PRESENT} while one runs.
     */
    HELD(", missing and kept so"),
    /** Nothing can be there: a file is in the way, or links lead in a circle. */
    BLOCKED(", missing: a file is in the way, or a circle of links"),
    /** It cannot be looked at from here, or depends on the command. */
    UNKNOWN("");

    private final String text;

    Presence(String text) {
      this.text = text;
    }

    /** The word for it in JSON. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /** What decides. */
  public enum Reason {
    /** It is in the workspace. */
    WORKSPACE("workspace"),
    /** {@link PolicyOptions#writable}. */
    WRITABLE("writable"),
    /** {@link PolicyOptions#denyWrite}. */
    DENY_WRITE("denyWrite"),
    /** {@link PolicyOptions#denyRead}. */
    DENY_READ("denyRead"),
    /** {@link PolicyOptions#allowRead}. */
    ALLOW_READ("allowRead"),
    /** The built-in list of credentials. */
    CREDENTIALS("list of credentials"),
    /** {@link PolicyOptions#protectDeveloperFiles}. */
    DEVELOPER_FILES("list of developer files"),
    /** A daemon of the host listens there, or very many do in a directory and below it. */
    SOCKET("daemons of the host listen there; allowRead shows what you need of a directory"),
    /** Temporary directories are each command's own. */
    SCRATCH("temporary directories are each command's own"),
    /** {@link HomeMode#PRIVATE}. */
    PRIVATE_HOME("home: private"),
    /** What running daemons keep in {@code /run} is not shown. */
    RUNTIME("what daemons keep there is not shown"),
    /** {@code /proc}, {@code /dev}, and what they would tell about the machine. */
    KERNEL("each sandbox has its own, without what tells about the machine"),
    /** Commands of root run as an ordinary account and see the accounts that there are then. */
    ACCOUNTS("commands of root see accounts of their own"),
    /** A part of the system that every command needs. */
    SYSTEM("a part of the system that commands need"),
    /** No rule: all of the disk can be read, and nothing of it written. */
    DEFAULT("nothing but the workspace and what is named can be written"),
    /** Nothing isolates the command. */
    UNISOLATED("nothing is isolated by this backend");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The word for it in JSON. */
    public String wireName() {
      return Choice.word(this);
    }
  }

  /** Refuses {@code null}. */
  public PathExplanation {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(real, "real");
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(presence, "presence");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(rule, "rule");
  }

  /** What can be done, for people, such as {@code read only, missing}. */
  public String outcome() {
    return access.text + presence.text;
  }

  /** What decides, for people, such as {@code denyRead /srv/keys}. */
  public String because() {
    return rule.map(decisive -> reason.text + " " + decisive).orElse(reason.text);
  }

  /** One line for people. */
  @Override
  public String toString() {
    String leads = path.equals(real) ? "" : " -> " + real;
    return path + leads + ": " + outcome() + " (" + because() + ")";
  }
}
