package io.zett.sandbox.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.zett.sandbox.posix.UnixPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialListTest {
  private static final UnixPath HOME = UnixPath.ofText("/home/u");

  @Test
  void theBuiltInListHoldsEveryKind() {
    assertThat(CredentialList.builtIn().entries())
        .extracting(Credential::path)
        .contains(
            ".ssh",
            ".aws",
            ".git-credentials",
            "_netrc",
            ".m2/settings.xml",
            ".pgpass",
            ".password-store",
            ".fscrypt",
            ".msmtprc",
            ".mozilla",
            ".claude/.credentials.json",
            ".bash_history",
            "Library/Application Support/1Password",
            "/Library/Keychains",
            "/etc/shadow",
            "/etc/ssh/ssh_host_*_key",
            "/run/secrets")
        .hasSizeGreaterThan(175);
  }

  @Test
  void whatIdentifiesAMachineIsNoCredential() {
    assertThat(CredentialList.builtIn().entries())
        .extracting(Credential::path)
        .doesNotContain("/etc/machine-id");
  }

  @Test
  void everyEntryIsThereOnceAndSaysWhatItIs() {
    assertThat(CredentialList.builtIn().entries())
        .allMatch(entry -> !entry.about().isEmpty())
        .extracting(Credential::path)
        .doesNotHaveDuplicates();
  }

  @Test
  void relativeEntriesAreInAHomeAndAbsoluteOnesWhereTheyAre() {
    Credential token = new Credential(".cargo/credentials", "Cargo");
    assertThat(token.absolute()).isFalse();
    assertThat(token.in(HOME)).isEqualTo(UnixPath.ofText("/home/u/.cargo/credentials"));
    assertThat(token.directory(HOME)).isEqualTo(UnixPath.ofText("/home/u/.cargo"));
    Credential shadow = new Credential("/etc/shadow", "hashes");
    assertThat(shadow.absolute()).isTrue();
    assertThat(shadow.in(HOME)).isEqualTo(UnixPath.ofText("/etc/shadow"));
    assertThat(shadow.pattern()).isFalse();
    assertThat(shadow.matches("shadow".getBytes(UTF_8))).isTrue();
    assertThat(shadow.matches("shadow-".getBytes(UTF_8))).isFalse();
  }

  @Test
  void aPatternMeansAllNamesOfItsForm() {
    Credential keys = new Credential("/etc/ssh/ssh_host_*_key", "host keys");
    assertThat(keys.pattern()).isTrue();
    assertThat(keys.directory(HOME)).isEqualTo(UnixPath.ofText("/etc/ssh"));
    assertThat(keys.matches("ssh_host_rsa_key".getBytes(UTF_8))).isTrue();
    assertThat(keys.matches("ssh_host__key".getBytes(UTF_8))).isTrue();
    assertThat(keys.matches("ssh_host_key".getBytes(UTF_8))).isFalse();
    assertThat(keys.matches("ssh_host_rsa_key.pub".getBytes(UTF_8))).isFalse();
    assertThat(keys.matches(new byte[] {(byte) 0xff})).isFalse();
  }

  @Test
  void aListIsReadLineByLine() {
    assertThat(CredentialList.parse("# head\n\n.a b # two # parts\n  /c # x  \n").entries())
        .containsExactly(new Credential(".a b", "two # parts"), new Credential("/c", "x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {".ssh", ".ssh #", "a/*/b # x", "a** # x", "../a # x", "a/.. # x", "a/ # x"})
  void aLineOfAnotherFormIsRefused(String line) {
    assertThatIllegalArgumentException().isThrownBy(() -> CredentialList.parse(line));
  }
}
