package io.zett.sandbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reading the secrets of the caller's home, kind by kind, and those of the system. */
final class CredentialAttacks {

  private static final List<String> OF_THE_SYSTEM =
      List.of(
          "/etc/shadow",
          "/etc/shadow-",
          "/etc/gshadow",
          "/etc/gshadow-",
          "/etc/sudoers",
          "/etc/ssh/ssh_host_*_key",
          "/etc/krb5.keytab",
          "/etc/doas.conf");

  private CredentialAttacks() {}

  static List<Attack> all() {
    List<Attack> all = new ArrayList<>();
    for (Map.Entry<String, List<String>> kind : PlantedSecrets.BY_KIND.entrySet()) {
      String paths = String.join(" ~/", kind.getValue());
      all.add(secret("cannot read " + kind.getKey(), "grep -rqs SECRET ~/" + paths));
    }
    for (String file : OF_THE_SYSTEM) {
      all.add(secret("cannot read " + file, "grep -q . " + file));
    }
    all.add(secret("cannot find a secret anywhere in the home", "grep -rqs SECRET ~"));
    all.add(secret("cannot copy the home", "cp -r ~ h$ID; grep -rqs SECRET h$ID"));
    all.add(
        secret(
            "cannot read a key by another name of the home",
            "grep -rqs SECRET /proc/self/root$HOME/.ssh $W/../home/.ssh"));
    all.add(
        secret(
            "cannot read a key by a link to the home",
            "ln -sn $HOME l$ID; grep -rqs SECRET l$ID/.ssh/"));
    all.add(secret("cannot add a key that opens the account", "echo x >> ~/.ssh/authorized_keys"));
    all.add(
        secret(
            "cannot read a secret whose place is a link",
            "grep -qs SECRET ~/.netrc $H/dotfiles/netrc"));
    all.add(
        Attack.of(
                Kind.CREDENTIALS,
                Claim.KEYRINGS,
                "cannot read a key of the caller's keyring",
                "$P read-key zett-key")
            .provenBy("$P with-key zett-key SECRET $P read-key zett-key"));
    all.add(
        Attack.of(
            Kind.CREDENTIALS,
            Claim.KEYRINGS,
            "cannot list the caller's keys",
            "grep -q . /proc/keys"));
    return all;
  }

  private static Attack secret(String name, String attempt) {
    return Attack.of(Kind.CREDENTIALS, Claim.CREDENTIALS, name, attempt);
  }
}
