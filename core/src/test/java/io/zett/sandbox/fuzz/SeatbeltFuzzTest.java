package io.zett.sandbox.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.zett.sandbox.SandboxPolicy;
import io.zett.sandbox.SandboxSetupException;
import io.zett.sandbox.backend.LaunchRequest;
import io.zett.sandbox.backend.SessionFiles;
import io.zett.sandbox.backend.seatbelt.SeatbeltBackend;
import io.zett.sandbox.backend.seatbelt.language.EveryPrecedence;
import io.zett.sandbox.backend.seatbelt.language.SandboxExec;
import io.zett.sandbox.fuzz.Model.Rule;
import io.zett.sandbox.host.Host;
import io.zett.sandbox.host.HostSurvey;
import io.zett.sandbox.host.PolicyPaths;
import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.UnixPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A profile for Seatbelt decides about random trees under random rules as the plain model does. */
@Timeout(86_400) // as long as it is asked for
class SeatbeltFuzzTest {

  @TempDir Path temporary;
  private int answers;

  @Test
  void theProfileAndThePlainModelAgree() throws Exception {
    Budget budget = Budget.share(0.1);
    long seed = Budget.seed("profiles");
    int cases = 0;
    do {
      agree(Files.createDirectory(temporary.toRealPath().resolve("t" + cases)), seed + cases);
      cases++;
    } while (budget.isLeft());
    System.out.println("profiles: " + cases + " cases, " + answers + " answers");
    assertThat(answers).isPositive();
  }

  private void agree(Path base, long seed) throws IOException {
    Random random = new Random(seed);
    Layout layout = new Layout(base, random);
    for (String name : new String[] {"W", "H"}) {
      Path directory = Files.createDirectory(base.resolve(name));
      layout.entries.add(new Layout.Entry(directory, true, false));
      layout.grow(directory, 3);
    }
    Path workspace = base.resolve("W");
    SandboxPolicy.Builder policy = SandboxPolicy.builder().allowRead(base);
    Model model = new Model();
    model.add(base, Rule.ALLOW_READ);
    model.add(workspace, Rule.WRITABLE);
    for (int i = random.nextInt(9); i > 0; i--) {
      Path path = layout.some();
      Rule rule = Rule.values()[random.nextInt(4)];
      if (rule == Rule.WRITABLE && !Files.isDirectory(path)) {
        rule = Rule.DENY_WRITE;
      }
      boolean hidesAll = rule == Rule.DENY_READ && workspace.startsWith(path);
      boolean givesNothing = rule == Rule.ALLOW_READ && !Files.exists(path);
      if (!Model.meetsLink(path) && Model.real(path) != null && !hidesAll && !givesNothing) {
        model.add(path, rule);
        add(policy, rule, path);
      }
    }
    EveryPrecedence profile;
    try {
      profile = profile(base, workspace, policy.build());
    } catch (SandboxSetupException e) {
      assertThat(e).hasMessageContaining("is hidden");
      return;
    }
    for (Layout.Entry entry : layout.entries) {
      for (Path path : List.of(entry.path(), entry.path().resolve("new"))) {
        if (!Model.meetsLink(path)) {
          compare(seed, model, profile, path);
        }
      }
    }
  }

  private static void add(SandboxPolicy.Builder policy, Rule rule, Path path) {
    switch (rule) {
      case WRITABLE -> policy.writable(path);
      case DENY_WRITE -> policy.denyWrite(path);
      case DENY_READ -> policy.denyRead(path);
      case ALLOW_READ -> policy.allowRead(path);
    }
  }

  private static EveryPrecedence profile(Path base, Path workspace, SandboxPolicy policy) {
    Posix posix = Posix.system();
    Host host = Host.inspect(posix, UnixPath.of(base.resolve("home")));
    UnixPath run = UnixPath.of(base.resolve("session/run"));
    SessionFiles files =
        new SessionFiles(
            run.resolve("file"), run.resolve("dir"), run.resolve("s"), run.resolve("p"), run);
    PolicyPaths paths = PolicyPaths.open(posix, policy, workspace, false, List.of());
    SeatbeltBackend backend =
        new SeatbeltBackend(SeatbeltBackend.LAUNCHER, List.of("/bin/sh".getBytes(UTF_8)));
    try (HostSurvey survey = new HostSurvey(posix, host, paths)) {
      LaunchRequest request = new LaunchRequest(policy, survey.look(), files, Set.of());
      return EveryPrecedence.of(SandboxExec.of(backend.prepare(request)));
    }
  }

  private void compare(long seed, Model model, EveryPrecedence profile, Path path) {
    String kernels = UnixPath.of(path).latin1();
    List<String> context = new ArrayList<>(List.of("seed " + seed, kernels, model.toString()));
    assertThat(profile.allows("file-read-data", kernels))
        .as("reading, %s", context)
        .isEqualTo(model.canRead(path));
    assertThat(profile.allows("file-write-data", kernels))
        .as("writing, %s", context)
        .isEqualTo(model.canWrite(path));
    answers += 2;
  }
}
