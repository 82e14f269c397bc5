package io.zett.sandbox.portable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs of a Unix that stand in for calls which a JDK does not make.
 *
 * @param leader words in front of a program that make it the leader of a process group; none where
 *     nothing does that
 * @param table the list of processes; null where there is none
 */
public record PosixTools(List<String> leader, @Nullable ProcessTable table) {
  /** Every macOS has it; the words are Perl's own calls, so that it loads nothing. */
  private static final List<String> PERL =
      List.of("/usr/bin/perl", "-e", "setpgrp(0, 0); exec { $ARGV[0] } @ARGV; exit 127", "--");

  public PosixTools {
    leader = List.copyOf(leader);
  }

  /** Those of this machine. */
  public static PosixTools find() {
    return new PosixTools(leading(), ProcessTable.find().orElse(null));
  }

  private static List<String> leading() {
    for (String program : List.of("/usr/bin/setsid", "/bin/setsid", PERL.getFirst())) {
      if (Files.isExecutable(Path.of(program))) {
        return leading(program);
      }
    }
    return List.of();
  }

  /** The words for one of the programs. */
  public static List<String> leading(String program) {
    return program.equals(PERL.getFirst()) ? PERL : List.of(program);
  }
}
