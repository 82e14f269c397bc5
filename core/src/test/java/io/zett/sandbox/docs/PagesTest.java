package io.zett.sandbox.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PagesTest {
  /**
   * {@code mvn -pl core test -Dtest=PagesTest -Dzett.test.jvm=-Dzett.docs.write=true} makes it
   * anew.
   */
  private static final boolean WRITE = Boolean.getBoolean("zett.docs.write");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]+))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");

  @Test
  void theListOfRefusedSystemCallsIsTheFilters() throws IOException {
    Path page = Checkout.ROOT.resolve("docs/seccomp.md");
    if (WRITE) {
      Files.writeString(page, SeccompPage.text());
    }
    assertThat(page).content().isEqualTo(SeccompPage.text());
  }

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      LINK.matcher(prose(page))
          .results()
          .filter(link -> !link.group(1).contains("://"))
          .filter(link -> !leads(page, link.group(1), link.group(2)))
          .forEach(link -> broken.add(Checkout.ROOT.relativize(page) + ": " + link.group()));
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path page, String file, String heading) {
    Path target = file.isEmpty() ? page : page.resolveSibling(file);
    if (!Files.exists(target)) {
      return false;
    }
    try {
      return heading == null
          || HEADING
              .matcher(prose(target))
              .results()
              .anyMatch(one -> anchor(one.group(1)).equals(heading));
    } catch (IOException e) {
      return false;
    }
  }

  private static String prose(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }

  /** As GitHub names headings. */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of("", "docs", "docs/benchmarks", "examples")) {
      try (Stream<Path> files = Files.list(Checkout.ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }
}
