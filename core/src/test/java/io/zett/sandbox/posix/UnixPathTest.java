package io.zett.sandbox.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnixPathTest {

  @ParameterizedTest
  @CsvSource({"/,/", "//,/", "/a/,/a", "//a///b/./c/.,/a/b/c", "/.,/", "/...,/..."})
  void emptyComponentsAndDotsAreDropped(String given, String expected) {
    assertThat(UnixPath.ofText(given)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({"a", "./a", "/a/../b", "/..", "''"})
  void relativePathsAndDotDotAreRefused(String given) {
    assertThatThrownBy(() -> UnixPath.ofText(given)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNulIsRefused() {
    assertThatThrownBy(() -> UnixPath.ofText("/a\0b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bytesThatAreNoUtf8AreKept() {
    byte[] raw = {'/', (byte) 0xff, 'a', (byte) 0xe9};
    UnixPath path = UnixPath.of(raw);
    assertThat(path.bytes()).isEqualTo(raw);
    assertThat(path.name()).isEqualTo(new byte[] {(byte) 0xff, 'a', (byte) 0xe9});
    assertThat(path.toString()).contains("a");
  }

  @Test
  void textIsEncodedAsUtf8WhateverTheLocale() {
    assertThat(UnixPath.ofText("/é漢").bytes()).isEqualTo("/é漢".getBytes(StandardCharsets.UTF_8));
    assertThat(UnixPath.ofText("/é漢")).hasToString("/é漢");
  }

  @Test
  void aPathGoesToTheJdkAndBackWithEveryByte() {
    for (String text : List.of("/", "/a b/c%20d", "/x#y?z", "/tab\there", "/é/漢字", "/a\\b\"'")) {
      UnixPath path = UnixPath.ofText(text);
      assertThat(UnixPath.of(path.toPath())).isEqualTo(path);
    }
    UnixPath odd = UnixPath.of(new byte[] {'/', 't', 'm', 'p', '/', (byte) 0xff, (byte) 0x80});
    assertThat(UnixPath.of(odd.toPath())).isEqualTo(odd);
  }

  @Test
  void aRelativePathOfTheJdkIsMadeAbsolute() {
    assertThat(UnixPath.of(Path.of("some")))
        .isEqualTo(UnixPath.of(Path.of("").toAbsolutePath()).resolve("some"));
  }

  @Test
  void parentNameAndDepthFollowTheComponents() {
    UnixPath path = UnixPath.ofText("/a/b");
    assertThat(path.parent()).isEqualTo(UnixPath.ofText("/a"));
    assertThat(UnixPath.ofText("/a").parent()).isEqualTo(UnixPath.ROOT);
    assertThat(UnixPath.ROOT.parent()).isNull();
    assertThat(UnixPath.ROOT.name()).isEmpty();
    assertThat(UnixPath.ROOT.depth()).isZero();
    assertThat(path.depth()).isEqualTo(2);
  }

  @Test
  void onlyWholeComponentsCountAsAPrefix() {
    UnixPath path = UnixPath.ofText("/a/bc");
    assertThat(path.startsWith(UnixPath.ofText("/a"))).isTrue();
    assertThat(path.startsWith(path)).isTrue();
    assertThat(path.startsWith(UnixPath.ROOT)).isTrue();
    assertThat(path.startsWith(UnixPath.ofText("/a/b"))).isFalse();
    assertThat(UnixPath.ofText("/a").startsWith(path)).isFalse();
  }

  @Test
  void resolvingTakesRelativeAndAbsolutePaths() {
    UnixPath path = UnixPath.ofText("/a");
    assertThat(path.resolve("b//c")).hasToString("/a/b/c");
    assertThat(path.resolve("/b")).hasToString("/b");
    assertThat(path.resolve("")).isEqualTo(path);
    assertThat(UnixPath.ROOT.resolve("x")).hasToString("/x");
    assertThatThrownBy(() -> path.resolve("../b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDirectorySortsRightBeforeEverythingBelowIt() {
    List<UnixPath> sorted =
        List.of("/", "/a", "/a/b", "/a/b/c", "/a/z", "/a!", "/a-", "/b", "/é").stream()
            .map(UnixPath::ofText)
            .toList();
    assertThat(sorted.reversed().stream().sorted().toList()).isEqualTo(sorted);
  }
}
