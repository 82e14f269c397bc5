package io.zett.sandbox.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that hold secrets in many homes. Written down here once more and not taken from the
 * library's own list: what is missing there must be found.
 */
final class PlantedSecrets {

  static final Map<String, List<String>> BY_KIND = byKind();

  private PlantedSecrets() {}

  private static Map<String, List<String>> byKind() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    kind(
        all,
        "keys",
        ".ssh/id_ed25519 .gnupg/secring.gpg .pki/nssdb/key4.db .minisign/minisign.key"
            + " .caff/gnupghome/x .age/key.txt .config/sops/age/keys.txt .keys/x .secrets/x"
            + " .cert/x");
    kind(
        all,
        "cloud credentials",
        ".aws/credentials .azure/accessTokens.json .boto .s3cfg"
            + " .config/gcloud/credentials.db .config/rclone/rclone.conf .config/doctl/config.yaml"
            + " .oci/config .config/hcloud/cli.toml .config/heroku/x .fly/config.yml .ibmcloud/x");
    kind(
        all,
        "credentials of clusters and infrastructure",
        ".kube/config .docker/config.json .config/containers/auth.json"
            + " .terraform.d/credentials.tfrc.json .terraformrc .vault-token"
            + " .pulumi/credentials.json .databrickscfg .snowflake/config.toml .snowsql/x");
    kind(
        all,
        "passwords of source hosts",
        ".git-credentials .config/git/credentials"
            + " .config/gh/hosts.yml .config/hub .config/glab-cli/config.yml");
    kind(
        all,
        "tokens of package registries",
        ".npmrc .yarnrc.yml .bunfig.toml .pypirc .cargo/credentials.toml .config/pip/pip.conf"
            + " .gem/credentials .bundle/config .composer/auth.json .nuget/NuGet/NuGet.Config"
            + " .hex/hex.config .kaggle/kaggle.json .config/huggingface/x .cache/huggingface/token"
            + " .config/wandb/x .config/configstore/x");
    kind(
        all,
        "passwords of build tools",
        ".m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .sbt/credentials"
            + " .ivy2/.credentials .lein/credentials.clj.gpg");
    kind(all, "passwords of databases", ".pgpass .my.cnf .mylogin.cnf .mongorc.js .config/redis/x");
    kind(
        all,
        "password stores",
        ".password-store/x.gpg .1password/x .op/config"
            + " .config/keepassxc/x .local/share/keyrings/login.keyring .local/share/kwalletd/x"
            + " .config/Bitwarden/data.json .gnome2/keyrings/x");
    kind(all, "encrypted folders", ".vaults/x .Private/x .ecryptfs/x .fscrypt/x .VeraCrypt/x");
    kind(
        all,
        "passwords of mail and shares",
        ".fetchmailrc .msmtprc .config/msmtp/config"
            + " .mutt/muttrc .muttrc .smbcredentials .davfs2/secrets");
    kind(
        all,
        "browser profiles",
        ".mozilla/firefox/x/logins.json .config/google-chrome/Default/x .config/chromium/Default/x"
            + " .config/BraveSoftware/x .config/vivaldi/x .config/opera/x");
    kind(
        all,
        "chats and wallets",
        ".config/Signal/config.json .config/Slack/x .thunderbird/x"
            + " .bitcoin/wallet.dat .ethereum/keystore/x .electrum/wallets/x");
    kind(
        all,
        "credentials of agents and model services",
        ".config/openai/x .openai/auth"
            + " .anthropic/x .claude.json .claude/.credentials.json .codex/auth.json .gemini/x"
            + " .config/github-copilot/hosts.json .continue/config.json");
    kind(
        all,
        "histories",
        ".bash_history .zsh_history .python_history .node_repl_history"
            + " .psql_history .mysql_history .sqlite_history .rediscli_history .viminfo .lesshst"
            + " .local/share/fish/fish_history");
    return all;
  }

  private static void kind(Map<String, List<String>> all, String name, String paths) {
    all.put(name, List.of(paths.split(" ")));
  }

  /** Puts a secret in every place, and one behind a link. */
  static void plant(Path home, Path outside) throws IOException {
    for (List<String> paths : BY_KIND.values()) {
      for (String path : paths) {
        Scene.write(home.resolve(path), "SECRET\n");
      }
    }
    Path elsewhere = Scene.write(outside.resolve("dotfiles/netrc"), "SECRET\n");
    Files.createSymbolicLink(home.resolve(".netrc"), elsewhere);
    Scene.write(home.resolve(".profile"), "# nothing\n");
  }
}
