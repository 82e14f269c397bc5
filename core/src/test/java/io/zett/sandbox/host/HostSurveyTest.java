package io.zett.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.faults.InterposedPosix;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.SeenFile;
import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule.Kind;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at a real disk. */
class HostSurveyTest {

  private final List<HostSurvey> opened = new ArrayList<>();

  @TempDir Path temp;
  private Path workspace;
  private Path home;

  @BeforeEach
  void directories() throws Exception {
    workspace = Files.createDirectory(temp.toRealPath().resolve("w"));
    home = Files.createDirectory(temp.toRealPath().resolve("home"));
  }

  private HostSurvey survey(Posix posix, SandboxPolicy policy) {
    Host host = Host.inspect(posix, UnixPath.of(home));
    HostSurvey made = new HostSurvey(posix, host, PolicyPaths.open(posix, policy, workspace));
    opened.add(made);
    return made;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(HostSurvey::close);
  }

  private List<Path> credentials(HostSurvey survey) {
    return survey.look().rules().stream()
        .filter(rule -> rule.kind() == Kind.CREDENTIAL)
        .map(rule -> rule.at().real().toPath())
        .filter(path -> path.startsWith(temp))
        .toList();
  }

  @Test
  void aCredentialThatAppearsLaterIsFound() throws Exception {
    // Old enough for the survey to remember what is missing.
    Files.setLastModifiedTime(home, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    HostSurvey survey = survey(Posix.system(), SandboxPolicy.builder().build());
    assertThat(credentials(survey)).isEmpty();
    assertThat(credentials(survey)).isEmpty();

    Files.writeString(home.resolve(".netrc"), "x");
    Files.createDirectories(home.resolve(".config/gh"));

    assertThat(credentials(survey))
        .containsExactlyInAnyOrder(home.resolve(".netrc"), home.resolve(".config/gh"));
    Files.delete(home.resolve(".netrc"));
    assertThat(credentials(survey)).containsExactly(home.resolve(".config/gh"));
  }

  @Test
  void aLookThatFindsNothingNewGivesTheSameView() throws Exception {
    Files.setLastModifiedTime(home, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    Path denied = workspace.resolve("denied");
    HostSurvey survey = survey(Posix.system(), SandboxPolicy.builder().denyRead(denied).build());
    HostView before = survey.look();
    assertThat(survey.mayStillHold(before)).isTrue();
    assertThat(survey.look()).isSameAs(before);
    Files.writeString(workspace.resolve("other"), "no rule is about it");
    assertThat(survey.look()).isSameAs(before);

    Files.writeString(denied, "x");

    HostView after = survey.look();
    assertThat(survey.mayStillHold(before)).isFalse();
    assertThat(survey.mayStillHold(after)).isTrue();
    assertThat(after).isNotSameAs(before);
    assertThat(after.seen()).containsKey(UnixPath.of(denied));
    Path socket = temp.toRealPath().resolve("s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(survey.look()).isNotSameAs(after);
    }
  }

  @Test
  void missingCredentialsCountWhereCommandsCouldMakeThem() {
    HostSurvey survey = survey(Posix.system(), SandboxPolicy.builder().writable(home).build());
    assertThat(credentials(survey)).contains(home.resolve(".ssh"), home.resolve(".config/gh"));
  }

  @Test
  void aSecondLookCostsFewCalls() throws Exception {
    Files.setLastModifiedTime(home, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    AtomicInteger calls = new AtomicInteger();
    Posix real = Posix.system();
    Posix counting =
        (Posix)
            Proxy.newProxyInstance(
                HostSurveyTest.class.getClassLoader(),
                new Class<?>[] {Posix.class},
                (proxy, method, arguments) -> {
                  if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                  }
                  calls.incrementAndGet();
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    HostSurvey survey = survey(counting, SandboxPolicy.builder().build());
    survey.look();
    calls.set(0);
    survey.look();
    // About 60; a home of this machine that has just changed is asked for each of 110 names.
    assertThat(calls.get()).isLessThan(400);
  }

  /** Its time tells; asking for each name costs more than all the rest of a look. */
  @Test
  void whatASettledDirectoryLacksIsNotAskedForByName() throws Exception {
    List<SeenFile> remembered = new ArrayList<>();
    Posix posix =
        InterposedPosix.over(
            Posix.system(),
            call -> {
              if (call.name().equals("remember")) {
                remembered.clear();
                ((List<?>) call.argument(0)).forEach(file -> remembered.add((SeenFile) file));
              }
              return call.proceed();
            });
    HostSurvey survey = survey(posix, SandboxPolicy.builder().build());
    UnixPath missing = UnixPath.of(home.toRealPath().resolve(".netrc"));
    survey.look();
    assertThat(remembered).anyMatch(file -> file.path().equals(missing));

    Files.setLastModifiedTime(home, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    HostView before = survey(posix, SandboxPolicy.builder().build()).look();
    assertThat(remembered).noneMatch(file -> file.path().equals(missing));
    HostSurvey settled = survey(posix, SandboxPolicy.builder().build());
    assertThat(settled.look().rules()).isEqualTo(before.rules());
    assertThat(settled.look()).isSameAs(settled.look());
    Files.createFile(home.resolve(".netrc"));
    assertThat(credentials(settled)).contains(home.resolve(".netrc"));
  }

  @Test
  void whatMayBeWrittenIsResolvedOnceAndMustBeADirectory() throws Exception {
    Path real = Files.createDirectory(temp.toRealPath().resolve("real"));
    Path link = Files.createSymbolicLink(temp.toRealPath().resolve("link"), real);
    Path file = Files.writeString(temp.resolve("file"), "x");
    Posix posix = Posix.system();

    assertThat(
            PolicyPaths.open(posix, SandboxPolicy.builder().writable(link).build(), workspace)
                .writable())
        .containsExactly(UnixPath.of(real));
    for (Path wrong : List.of(file, temp.resolve("missing"))) {
      SandboxPolicy policy = SandboxPolicy.builder().writable(wrong).build();
      assertThatThrownBy(() -> PolicyPaths.open(posix, policy, workspace))
          .isInstanceOf(SandboxSetupException.class)
          .hasMessageContaining(wrong.toString());
    }
  }

  @Test
  void aLinkInTheWorkspaceCannotNameWhatMayBeWritten() throws Exception {
    Path link = Files.createSymbolicLink(workspace.resolve("cache"), home);
    SandboxPolicy policy = SandboxPolicy.builder().writable(link).build();
    assertThatThrownBy(() -> PolicyPaths.open(Posix.system(), policy, workspace))
        .isInstanceOf(SandboxSetupException.class)
        .hasMessageContaining("is a link inside a writable directory");
  }

  @Test
  void accountsAreReadAndOddLinesSkipped() {
    assertThat(
            Account.parse(
                """
                root:x:0:0:root:/root:/bin/sh
                bad
                x:y:z
                +::::::
                u:x:1000:1000::/home/u:/bin/sh
                v:x:-1:0::/v:/bin/sh
                w:x:1001:1001::/home/../etc:/bin/sh
                """))
        .extracting(Account::name)
        .containsExactly("root", "u");
  }
}
