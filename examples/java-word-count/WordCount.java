import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the words of a text. */
public class WordCount {
  private static final Pattern WORD = Pattern.compile("\\p{L}+(?:['’]\\p{L}+)*");
  private static final List<String> COMMON = List.of("the", "a", "of", "and", "to", "in", "is");

  record Count(String word, long times) {}

  static Stream<String> words(Path text) throws IOException {
    return Files.readString(text).lines()
        .flatMap(line -> WORD.matcher(line).results())
        .map(MatchResult::group)
        .map(word -> word.toLowerCase(Locale.ROOT));
  }

  static List<Count> most(Stream<String> words, int howMany) {
    Map<String, Long> counts =
        words
            .filter(word -> !COMMON.contains(word))
            .collect(Collectors.groupingBy(word -> word, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(entry -> new Count(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Count::times).reversed().thenComparing(Count::word))
        .limit(howMany)
        .toList();
  }

  public static void main(String[] args) throws IOException {
    Path text = Path.of(args[0]);
    try (Stream<String> words = words(text)) {
      System.out.println(words.count() + " words");
    }
    try (Stream<String> words = words(text)) {
      for (Count count : most(words, 5)) {
        System.out.printf("%4d %s%n", count.times(), count.word());
      }
    }
  }
}
