package io.zett.sandbox.portable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file a program of Windows is. */
class ProgramSearchTest {
  @TempDir Path base;
  private Path first;
  private Path second;
  private Path here;
  private ProgramSearch search;

  @BeforeEach
  void directories() throws IOException {
    first = Files.createDirectory(base.resolve("first"));
    second = Files.createDirectory(base.resolve("second"));
    here = Files.createDirectory(base.resolve("here"));
    search =
        new ProgramSearch(
            String.join(File.pathSeparator, "relative", "", "\"" + first + "\"", second.toString()),
            ".COM;.EXE;.BAT;.VBS");
  }

  private static Path file(Path directory, String name) throws IOException {
    return Files.createFile(directory.resolve(name));
  }

  @Test
  void aNameIsSoughtInThePathAlone() throws IOException {
    file(here, "tool.exe");
    assertThat(search.find("tool", here)).isEmpty();
    Path found = file(second, "tool.exe");
    assertThat(search.find("tool", here)).contains(found);
    Path sooner = file(first, "tool.bat");
    assertThat(search.find("tool", here)).contains(sooner);
    assertThat(search.find("tool.exe", here)).contains(found);
  }

  @Test
  void aPathBeginsWhereTheCommandDoes() throws IOException {
    Path found = file(here, "tool.exe");
    assertThat(search.find("./tool", here)).contains(found);
    assertThat(search.find("../here/tool.exe", first)).contains(found);
    assertThat(search.find(found.toString(), first)).contains(found);
  }

  @Test
  void whatOnlyAnotherProgramCouldStartIsNoEnding() throws IOException {
    file(first, "tool.vbs");
    assertThat(search.find("tool", here)).isEmpty();
    Path itself = file(second, "tool");
    assertThat(search.find("tool", here)).contains(itself);
  }

  @Test
  void aStreamOfAFileIsNoProgram() throws IOException {
    if (File.separatorChar == '/') {
      file(here, "t.bat::$DATA");
    }
    assertThat(search.find("./t.bat::$DATA", here)).isEmpty();
    assertThat(search.find("", here)).isEmpty();
    assertThat(search.find("a\0b", here)).isEmpty();
  }
}
