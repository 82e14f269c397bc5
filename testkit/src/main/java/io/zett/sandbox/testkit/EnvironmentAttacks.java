package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looking for what the caller's process holds: variables, arguments, descriptors. */
final class EnvironmentAttacks {

  /** What the caller's environment holds; each value is a secret of its own. */
  static final List<String> VARIABLES =
      List.of(
          "API_TOKEN",
          "AWS_SECRET_ACCESS_KEY",
          "GITHUB_TOKEN",
          "DB_PASSWORD",
          "NPM_TOKEN",
          "SSH_AUTH_SOCK",
          "DBUS_SESSION_BUS_ADDRESS",
          "XDG_RUNTIME_DIR",
          "DISPLAY",
          "KUBECONFIG",
          "DOCKER_HOST",
          "VAULT_ADDR",
          "GOOGLE_APPLICATION_CREDENTIALS",
          "GIT_DIR",
          "BASH_ENV",
          "PYTHONSTARTUP",
          "NODE_OPTIONS",
          "PERL5OPT",
          "LD_LIBRARY_PATH",
          "ZETT_UNHEARD_OF");

  private static final String OPEN = "exec 7<$H/hidden/key 8<$H 9>>$H/file; ";

  private EnvironmentAttacks() {}

  static Map<String, String> planted(String token) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String name : VARIABLES) {
      // Where a program would take it for a path or an option, it must do no harm.
      variables.put(name, "/nowhere/" + token);
    }
    variables.remove("NODE_OPTIONS");
    variables.put("NODE_OPTIONS", "--title=" + token);
    variables.put("PERL5OPT", "-W");
    return variables;
  }

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    for (String name : VARIABLES) {
      all.add(variable("cannot see the caller's " + name, "test -n \"$" + name + "\""));
    }
    all.add(
        variable(
            "cannot find the caller's variables in any process",
            "cat /proc/[0-9]*/environ | grep -aqsF -f $H/tokens"));
    all.add(
        variable("cannot find them in the first process", "grep -aqF -f $H/tokens /proc/1/environ")
            .provenBy("grep -aqF -f $H/tokens /proc/$$/environ"));
    all.add(
        variable(
                "cannot find the policy in a command line",
                "cat /proc/[0-9]*/cmdline | grep -aqe '--ro-bin[d]' -e '--tmpf[s]'")
            .unproven("no launcher runs on the host at that time"));
    all.add(descriptor("cannot read a file that the caller has open", "grep -q SECRET <&7"));
    all.add(descriptor("cannot list a directory that the caller has open", "$P list /dev/fd/8"));
    all.add(descriptor("cannot write out of such a directory", "echo x > /dev/fd/8/new$ID"));
    all.add(descriptor("cannot climb out of such a directory", "echo x > /dev/fd/8/../new$ID"));
    all.add(descriptor("cannot write to a file that the caller has open", "echo x >&9"));
    // On the host its own process alone: what is read out of a pipe, another's command has lost.
    all.add(
        descriptor(
                "cannot read it by /proc",
                "for f in /proc/[0-9]*/fd/7; do test -f $f && cat $f; done | grep -q SECRET")
            .provenBy(OPEN + "grep -q SECRET /proc/$$/fd/7"));
    all.add(descriptor("cannot find any further descriptor", "$P descriptors"));
    return all;
  }

  private static Attack variable(String name, String attempt) {
    return Attack.of(Kind.ENVIRONMENT, Claim.ENVIRONMENT, name, attempt);
  }

  private static Attack descriptor(String name, String attempt) {
    return Attack.of(Kind.ENVIRONMENT, Claim.DESCRIPTORS, name, attempt).provenBy(OPEN + attempt);
  }
}
