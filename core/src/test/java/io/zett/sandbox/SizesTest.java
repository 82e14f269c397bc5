package io.zett.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "007, 7",
    "512B, 512",
    "1K, 1024",
    "1k, 1024",
    "1KiB, 1024",
    "1Ki, 1024",
    "1kB, 1000",
    "1KB, 1000",
    "1kb, 1000",
    "1M, 1048576",
    "1m, 1048576",
    "1MiB, 1048576",
    "1mib, 1048576",
    "1MB, 1000000",
    "512MB, 512000000",
    "1G, 1073741824",
    "1GB, 1000000000",
    "1T, 1099511627776",
    "1TB, 1000000000000",
    "1P, 1125899906842624",
    "1PB, 1000000000000000",
    "1E, 1152921504606846976",
    "1EB, 1000000000000000000",
    "0.000000000000000000001YB, 1000",
    "1.5G, 1610612736",
    "1.5K, 1536",
    ".5M, 524288",
    "2.M, 2097152",
    "0.1K, 102",
    "0.1MB, 100000",
    "512 MB, 512000000",
    "'  8M  ', 8388608",
    "9223372036854775807, 9223372036854775807"
  })
  void sizesAreReadAsGnuCoreutilsDoes(String text, long bytes) {
    assertThat(Sizes.parse("memory", text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "M",
        ".",
        ".M",
        "-1",
        "-1M",
        "+1",
        "1e3",
        "1,5G",
        "0x10",
        "NaN",
        "Infinity",
        "1 000",
        "1MM",
        "1iB",
        "1i",
        "1bytes",
        "1Mo",
        "1..5M",
        "١M",
        "1M\0",
        "8E",
        "9223372036854775808",
        "1Y",
        "1Q",
        "99999999999999999999999999999999999999999"
      })
  void whatIsNoSizeOrDoesNotFitIsRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sizes.parse("scratchSize", text))
        .withMessageStartingWith("scratchSize: ");
  }

  @Test
  void aNegativeSizeIsToldSo() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sizes.parse("memory", "-1M"))
        .withMessageContaining("cannot be negative");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1, 1 byte",
    "512, 512 bytes",
    "1023, 1023 bytes",
    "1024, 1 KiB",
    "1000000, 1000000 bytes",
    "4194304, 4 MiB",
    "1610612736, 1.5 GiB",
    "1342177280, 1.25 GiB",
    "1152921504606846976, 1 EiB",
    "9223372036854775807, 9223372036854775807 bytes",
    "-1, -1 bytes"
  })
  void sizesAreWrittenExactly(long bytes, String text) {
    assertThat(Sizes.format(bytes)).isEqualTo(text);
  }
}
