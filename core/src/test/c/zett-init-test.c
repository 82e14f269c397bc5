/*
 * zett-init-test INIT MODE SCRATCH [LAUNCHER WORD...]
 *
 * Checks zett-init from its caller's side. Each check is a process of its own and prints one line:
 * "ok NAME", "not ok NAME: WHY" or "skip NAME: WHY". With --act it is the command inside.
 */
#include "end_checks.h"
#include "wall_checks.h"

struct check {
  const char *name;
  void (*body)(void);
};

#define NAMED(function) {#function, function}

static const struct check checks[] = {
    NAMED(the_marking_command_is_started_by_its_whole_block),
    NAMED(a_block_that_comes_byte_by_byte_is_whole),
    NAMED(a_caller_that_is_gone_at_once_starts_nothing),
    NAMED(a_block_cut_anywhere_starts_nothing),
    NAMED(a_killed_caller_in_the_middle_of_a_block_starts_nothing),
    NAMED(a_wrong_header_starts_nothing),
    NAMED(an_oversized_block_starts_nothing),
    NAMED(a_malformed_block_starts_nothing),
    NAMED(noise_starts_nothing_and_crashes_nothing),
    NAMED(wrong_arguments_are_refused),
    NAMED(arguments_are_exact_to_the_byte),
    NAMED(the_environment_is_exact_to_the_byte),
    NAMED(a_large_environment_arrives_whole),
    NAMED(the_directory_is_exact_to_the_byte),
    NAMED(a_directory_that_cannot_be_entered_is_told),
    NAMED(limits_are_set),
    NAMED(a_limit_that_cannot_be_set_is_told),
    NAMED(a_program_is_searched_in_the_path_of_the_command),
    NAMED(an_empty_component_is_the_current_directory),
    NAMED(a_name_with_a_slash_is_not_searched),
    NAMED(a_missing_program_is_127),
    NAMED(a_program_that_cannot_be_executed_is_126),
    NAMED(too_many_arguments_are_126),
    NAMED(a_script_without_an_interpreter_line_is_given_to_sh),
    NAMED(a_very_long_name_is_told_in_a_short_line),
    NAMED(a_failed_exec_is_told_though_nobody_reads_standard_error),
    NAMED(the_command_has_its_standard_streams_and_nothing_else),
    NAMED(input_reaches_the_command_and_ends),
    NAMED(both_outputs_may_be_one_pipe),
    NAMED(a_merged_command_writes_both_into_its_output),
    NAMED(a_command_without_input_reads_the_null_device),
    NAMED(signals_are_default_and_the_session_is_its_own),
    NAMED(the_started_record_holds_the_pid),
    NAMED(a_walled_command_writes_below_its_directories_only),
    NAMED(what_a_walled_command_starts_is_walled_too),
    NAMED(a_walled_command_reads_everywhere),
    NAMED(a_writable_directory_that_is_missing_is_told),
    NAMED(writable_directories_without_a_wall_start_nothing),
    NAMED(the_exit_status_is_the_commands),
    NAMED(the_signal_that_ended_it_is_told),
    NAMED(a_stopped_command_has_not_ended),
    NAMED(a_stopped_command_ends_when_told),
    NAMED(its_groups_are_joined_before_it_is_ready),
    NAMED(a_group_that_cannot_be_joined_is_told_before_it_is_ready),
    NAMED(inherited_descriptors_are_closed),
    NAMED(inherited_descriptors_are_closed_by_an_old_kernel),
    NAMED(no_stream_of_the_command_stays_open_here),
    NAMED(the_command_cannot_look_into_this_process),
    NAMED(a_signal_reaches_the_command_alone),
    NAMED(a_signal_reaches_all),
    NAMED(a_signal_right_behind_the_block_is_not_lost),
    NAMED(an_order_may_come_in_pieces),
    NAMED(no_signal_is_sent_for_a_number_that_is_none),
    NAMED(an_unknown_order_ends_everything),
    NAMED(the_order_to_end_ends_everything),
    NAMED(the_end_of_the_caller_ends_everything),
    NAMED(a_half_closed_control_socket_ends_everything_and_is_answered),
    NAMED(what_the_command_left_behind_ends_with_it),
    NAMED(a_fleeing_chain_of_processes_is_ended),
    NAMED(orphans_are_reaped_while_the_command_runs),
    NAMED(the_end_of_this_process_is_the_end_of_the_command),
    NAMED(other_signals_do_not_end_this_process),
    NAMED(the_use_of_the_whole_tree_is_told),
};

/* Whatever a failed check left running has become a child of this subreaper. */
static void end_leftovers(void) {
  for (int pid; waitpid(-1, NULL, WNOHANG) >= 0;) {
    FILE *children = fopen("/proc/thread-self/children", "r");
    if (children == NULL) return;
    while (fscanf(children, "%d", &pid) == 1) kill(pid, SIGKILL);
    fclose(children);
    poll(NULL, 0, 1);
  }
}

/* The check's own line is "not ok WHY" or "skip WHY"; silence and status 0 is success. */
static int run_check(const struct check *check) {
  int result[2];
  char line[5000] = "";
  size_t have = 0;
  int status = 0;
  if (pipe2(result, O_CLOEXEC) != 0) return 1;
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    dup2(result[1], STDOUT_FILENO);
    alarm(120);
    check->body();
    fflush(stdout);
    _exit(0);
  }
  close(result[1]);
  for (ssize_t n; (n = read(result[0], line + have, sizeof line - 1 - have)) > 0;) have += (size_t)n;
  close(result[0]);
  waitpid(pid, &status, 0);
  end_leftovers();
  line[strcspn(line, "\n")] = 0;
  if (status == 0 && strncmp(line, "skip ", 5) == 0) {
    printf("skip %s: %s\n", check->name, line + 5);
  } else if (status == 0 && line[0] == 0) {
    printf("ok %s\n", check->name);
  } else {
    printf("not ok %s: %s (status %#x)\n", check->name, line, status);
    return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  char path[4096];
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  path[size < 0 ? 0 : size] = 0;
  self_path = path;
  if (argc >= 3 && strcmp(argv[1], "--act") == 0) return act(argv);
  if (argc < 4) {
    fprintf(stderr, "usage: zett-init-test INIT MODE SCRATCH [LAUNCHER WORD...]\n");
    return 2;
  }
  init_path = argv[1];
  mode = argv[2];
  scratch = argv[3];
  launcher = argv + 4;
  is_pid1 = strcmp(mode, "pid1") == 0;
  is_emulated = argc > 4 && strstr(argv[4], "qemu-") != NULL;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int failures = 0;
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
    failures += run_check(&checks[i]);
  }
  return failures == 0 ? 0 : 1;
}
