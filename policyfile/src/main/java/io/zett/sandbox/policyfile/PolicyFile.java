package io.zett.sandbox.policyfile;

import io.zett.sandbox.SandboxPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A policy as a file: YAML 1.2, of which JSON is a part. A value, immutable and thread-safe.
 *
 * <pre>{@code
 * memory: 512MB
 * timeout: 30
 * writable: [build, ~/.cache/tool]
 * denyRead: [.env]
 * env: {CI: "true"}
 * }</pre>
 *
 * <p><b>Keys</b> are the options of {@link io.zett.sandbox.PolicyOptions}, spelled the same; what a
 * file does not say has its default. Sizes are texts such as {@code 512MB} or numbers of bytes,
 * times are seconds or {@code none}, enumerations are the words of their {@code wireName()}.
 * <b>Paths</b> are lists; relative ones are the file's folder's, and {@code ~} at the beginning is
 * the home directory. Values of variables are taken as they are written. A workspace is none of a
 * policy's options: {@link io.zett.sandbox.SandboxSession.Builder#workspace} or {@code zett run
 * --workspace} names it.
 *
 * <p>Refused, by a {@link PolicyFileException} that names line and column: keys that are unknown or
 * there twice, values of another type or out of range, anchors, aliases, tags, a second document,
 * what is no UTF-8 text, and more than 1 MiB.
 *
 * <p>The {@linkplain #schema() JSON schema} of such files lets editors complete and check them.
 */
public final class PolicyFile {
  private static final String SCHEMA = "policy.schema.json";

  private static final String WORKSPACE =
      "\"workspace\" is no option of a policy, which says what may be done and not where; give it"
          + " to SandboxSession.builder(policy).workspace(...), or to zett run --workspace";

  /** What the command line calls so and a policy does not have. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "workspace", WORKSPACE,
          "cwd", "\"cwd\" is no option of a policy; it belongs to each command",
          "noTimeout", "\"noTimeout\" is written timeout: none");

  private final List<Setting> settings;

  private PolicyFile(List<Setting> settings) {
    this.settings = List.copyOf(settings);
    over(SandboxPolicy.builder().build()); // What the builder refuses is told now.
  }

  /**
   * The policy that a file holds.
   *
   * @throws IOException if it cannot be read
   * @throws PolicyFileException if it holds no policy
   */
  public static SandboxPolicy load(Path file) throws IOException {
    return read(file).policy();
  }

  /**
   * The policy that a text holds. Messages call it {@code policy}.
   *
   * @param folder what relative paths are relative to
   * @throws PolicyFileException if it holds no policy
   */
  public static SandboxPolicy parse(String text, Path folder) {
    return of(SourceText.of("policy", text), folder, home()).policy();
  }

  /**
   * Reads a file. {@code ~} is {@code System.getProperty("user.home")}.
   *
   * @throws IOException if it cannot be read
   * @throws PolicyFileException if it holds no policy
   */
  public static PolicyFile read(Path file) throws IOException {
    return read(file, home());
  }

  /**
   * Reads a file.
   *
   * @param home what {@code ~} stands for
   * @throws IOException if it cannot be read
   * @throws PolicyFileException if it holds no policy
   */
  public static PolicyFile read(Path file, Path home) throws IOException {
    return of(SourceText.of(file), folder(file.toAbsolutePath()), home);
  }

  /** A descriptor, such as /dev/stdin, has none of its own. */
  private static Path folder(Path file) {
    Path folder = file.getParent();
    return folder == null
            || file.startsWith("/dev/fd")
            || file.startsWith("/proc")
            || folder.equals(Path.of("/dev"))
        ? Path.of("")
        : folder;
  }

  private static PolicyFile of(SourceText source, Path folder, Path home) {
    List<Setting> settings = new ArrayList<>();
    for (Document.Entry entry : Document.read(source)) {
      Key key = Key.of(entry.key().text()).orElseThrow(() -> unknown(entry.key()));
      settings.addAll(
          Setting.of(key, entry.value(), folder.toAbsolutePath(), home.toAbsolutePath()));
    }
    return new PolicyFile(settings);
  }

  /** What it says, and the defaults of everything else. */
  public SandboxPolicy policy() {
    return over(SandboxPolicy.builder().build());
  }

  /**
   * What it says on top of another policy: its lists and variables are added, and of the other
   * options those that it has take the place of the other policy's.
   */
  public SandboxPolicy over(SandboxPolicy base) {
    SandboxPolicy.Builder policy = base.toBuilder();
    settings.forEach(setting -> setting.applyTo(policy));
    return policy.build();
  }

  /**
   * The line, from 1, in which a path stands.
   *
   * @param key the option, such as {@code denyRead}
   * @param path absolute
   * @return empty if the file does not have it
   */
  public OptionalInt line(String key, Path path) {
    for (Setting setting : settings) {
      Path given = setting.path();
      if (given != null
          && setting.key().spelling().equals(key)
          && (given.normalize().equals(path.normalize()) || real(given).equals(real(path)))) {
        return OptionalInt.of(setting.at().line());
      }
    }
    return OptionalInt.empty();
  }

  /** The JSON schema (2020-12) of policy files, as a text. */
  public static String schema() {
    try (InputStream in = PolicyFile.class.getResourceAsStream(SCHEMA)) {
      if (in == null) {
        throw new IllegalStateException(SCHEMA + " is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path; // Not there: then it is known by its name.
    }
  }

  private static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  private static PolicyFileException unknown(Value.Scalar key) {
    String elsewhere = ELSEWHERE.get(key.text());
    if (elsewhere != null) {
      return key.at().refuse(elsewhere);
    }
    String shown = key.type() == Value.Scalar.Type.TEXT ? key.text() : key.described();
    String mend =
        Spelling.nearest(key.text(), Key.spellings())
            .map(near -> "did you mean \"" + near + "\"?")
            .orElseGet(() -> "the options are " + String.join(", ", Key.spellings()));
    return key.at().refuse("\"" + cut(shown) + "\" is no option of a policy; " + mend);
  }

  private static String cut(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  /** The policy that it holds. */
  @Override
  public String toString() {
    return "PolicyFile[" + policy() + "]";
  }
}
