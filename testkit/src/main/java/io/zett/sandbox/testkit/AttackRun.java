package io.zett.sandbox.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.zett.sandbox.Enforcement;
import io.zett.sandbox.Limit;
import io.zett.sandbox.SandboxSession;
import io.zett.sandbox.testkit.Finding.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The caller that is attacked: proves all attacks on a copy of the scene, and then runs them. */
final class AttackRun {

  private final SandboxFactory factory;
  private final Path base;
  private final String mark;
  private final String token;
  private final @Nullable Path probe;
  private final List<Attack> attacks = Catalogue.all();
  private final List<Integer> chosen;
  private final Map<Integer, String> unprovable = new HashMap<>();
  private final Map<Integer, Finding> findings = new TreeMap<>();

  private AttackRun(
      SandboxFactory factory, Path base, String mark, String token, List<Integer> chosen) {
    this.factory = factory;
    this.base = base;
    this.mark = mark;
    this.token = token;
    this.chosen = chosen;
    Path compiled = base.resolve("scene/probe/probe");
    this.probe = Files.exists(compiled) ? compiled : null;
  }

  /**
   * Words: the factory's class, the directory, a mark, a token, the report's file, and the numbers
   * of the attacks.
   */
  public static void main(String[] words) throws Exception {
    SandboxFactory factory =
        Class.forName(words[0])
            .asSubclass(SandboxFactory.class)
            .getDeclaredConstructor()
            .newInstance();
    List<Integer> chosen = Arrays.stream(words).skip(5).map(Integer::valueOf).toList();
    AttackRun run = new AttackRun(factory, Path.of(words[1]), words[2], words[3], chosen);
    run.prove();
    run.attack();
    StringBuilder report = new StringBuilder();
    run.findings.forEach(
        (index, finding) ->
            report.append(index + "\t" + finding.result() + "\t" + finding.detail() + "\n"));
    Files.writeString(Path.of(words[4]), report, UTF_8);
  }

  private void prove() throws IOException, InterruptedException {
    String own = mark + "-copy";
    Scene copy = new Scene(base.resolve("copy"));
    PlantedSecrets.plant(copy.home, copy.outside);
    copy.plant(token, own + "-victim");
    tarOfSetId(copy);
    try (HostServices services = new HostServices(copy, probe, own);
        HostRun host = new HostRun(copy, services.variables())) {
      for (int i : chosen) {
        Attack attack = attacks.get(i);
        if (attack.needsProbe() && probe == null) {
          unprovable.put(i, "there is no C compiler");
          continue;
        }
        String script =
            switch (attack.proof()) {
              case Proof.Same() -> attack.attempt();
              case Proof.By(String other) -> other;
              case Proof.None _ -> null;
            };
        if (script != null && !isProven(copy, services, host, i, script)) {
          unprovable.put(i, "does not work without a sandbox either");
        }
      }
    }
  }

  private boolean isProven(
      Scene copy, HostServices services, HostRun host, int index, String script)
      throws IOException {
    copy.plant(token, services.victimMark());
    String own = mark + "-copy-" + index;
    Attack attack = attacks.get(index);
    boolean worked = host.succeeds(index, own, script, attack.setting());
    if (attack.trace() != Trace.PROCESS) {
      return worked;
    }
    List<Long> left = HostRun.marked(own).getOrDefault(own, List.of());
    HostRun.end(left);
    return !left.isEmpty();
  }

  private static void tarOfSetId(Scene scene) throws IOException, InterruptedException {
    new ProcessBuilder("tar", "-cf", "set-id.tar", "set-id")
        .directory(scene.outside.toFile())
        .start()
        .waitFor();
  }

  private void attack() throws IOException, InterruptedException {
    Scene scene = new Scene(base.resolve("scene"));
    PlantedSecrets.plant(scene.home, scene.outside);
    tarOfSetId(scene);
    try (HostServices services = new HostServices(scene, probe, mark)) {
      for (Setting setting : Setting.values()) {
        List<Integer> all = new ArrayList<>();
        for (Integer i : chosen) {
          if (attacks.get(i).setting() == setting) {
            all.add(i);
          }
        }
        if (setting.alone()) {
          for (int index : all) {
            attack(scene, services, setting, List.of(index));
          }
        } else if (!all.isEmpty()) {
          attack(scene, services, setting, all);
        }
      }
    }
  }

  private void attack(Scene scene, HostServices services, Setting setting, List<Integer> indexes)
      throws IOException, InterruptedException {
    scene.plant(token, services.victimMark());
    Aftermath before = Aftermath.of(scene);
    Batch batch = new Batch(scene, services.variables(), mark, indexes);
    Map<Integer, Boolean> worked;
    String missing = null;
    boolean partial = false;
    try (SandboxSession session = factory.open(setting.policy(scene), scene.workspace)) {
      missing = notEnforced(session, setting.limit());
      partial = isPartial(session, setting.limit());
      worked = missing == null ? batch.run(session, setting) : Map.of();
    }
    Map<Trace, String> traces = before.compare(Aftermath.of(scene), services);
    Map<String, List<Long>> marked = HostRun.marked(mark);
    for (int index : indexes) {
      Attack attack = attacks.get(index);
      String trace = traces.get(attack.trace());
      List<Long> left = marked.get(mark + "-" + index);
      if (left != null) {
        HostRun.end(left);
        trace = "a process outlived the command";
      }
      findings.put(index, finding(index, missing, partial, worked.get(index), trace));
    }
  }

  private Finding finding(
      int index,
      @Nullable String missing,
      boolean partial,
      @Nullable Boolean worked,
      @Nullable String trace) {
    Attack attack = attacks.get(index);
    String reason = missing != null ? missing : unprovable.get(index);
    if (trace != null) {
      return new Finding(attack, Result.WORKED, trace);
    }
    if (worked != null && worked) {
      return partial
          ? new Finding(attack, Result.PARTIAL, "")
          : new Finding(attack, Result.WORKED, "it exited with 0");
    }
    if (reason != null) {
      return new Finding(attack, Result.SKIPPED, reason);
    }
    if (worked == null) {
      // What ended the run took the later attempts with it: then nothing is known of them.
      return new Finding(attack, Result.WORKED, "its run did not come so far");
    }
    return new Finding(attack, Result.REFUSED, "");
  }

  private static boolean isPartial(SandboxSession session, @Nullable Limit limit) {
    return limit != null
        && session.capabilities().enforcement(limit).level() == Enforcement.Level.PARTIAL;
  }

  private static @Nullable String notEnforced(SandboxSession session, @Nullable Limit limit) {
    if (limit == null) {
      return null;
    }
    Enforcement enforcement = session.capabilities().enforcement(limit);
    return enforcement.level() == Enforcement.Level.NONE ? "the limit is not enforced here" : null;
  }
}
