package io.zett.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zett.sandbox.posix.Posix;
import io.zett.sandbox.posix.PosixException;
import io.zett.sandbox.posix.UnixPath;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlFileTest {
  private static final String EVENTS =
      "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n";

  @TempDir Path folder;

  @Test
  void aValueIsFoundByItsWholeKey() {
    assertThat(ControlFile.value(EVENTS, "oom_kill")).isEqualTo(3);
    assertThat(ControlFile.value(EVENTS, "oom")).isEqualTo(1);
    assertThat(ControlFile.value(EVENTS, "max")).isEqualTo(12);
    assertThat(ControlFile.value(EVENTS, "oom_")).isEqualTo(-1);
    assertThat(ControlFile.value("", "max")).isEqualTo(-1);
  }

  @Test
  void whatIsNoNumberIsUnknown() {
    assertThat(ControlFile.number("4096\n")).isEqualTo(4096);
    assertThat(ControlFile.number("max\n")).isEqualTo(-1);
    assertThat(ControlFile.number("")).isEqualTo(-1);
  }

  @Test
  void aFileThatIsNotThereIsEmptyAndCannotBeWritten() {
    Posix posix = Posix.system();
    UnixPath missing = UnixPath.of(folder).resolve("memory.max");
    assertThat(ControlFile.readIfAny(posix, missing)).isEmpty();
    assertThat(ControlFile.exists(posix, missing)).isFalse();
    assertThatThrownBy(() -> ControlFile.write(posix, missing, "1"))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("memory.max");
  }

  @Test
  void aRefusalNamesTheValue() {
    UnixPath refusing = UnixPath.ofText("/proc/self/oom_score_adj");
    assertThatThrownBy(() -> ControlFile.write(Posix.system(), refusing, "nonsense"))
        .isInstanceOf(PosixException.class)
        .hasMessageContaining("nonsense");
  }
}
