/* How a command ends, and that nothing outlives it. */
#ifndef END_CHECKS_H
#define END_CHECKS_H

#include "command_checks.h"

static int status_of_script(const char *script) {
  struct limit no_core = {RLIMIT_CORE, 0, 0, 0};
  struct command command = {
      .argv = STRINGS("sh", "-c", (char *)script), .limits = &no_core, .limit_count = 1};
  return run_command(command).status;
}

static void the_exit_status_is_the_commands(void) {
  CHECK(status_of_script("exit 0") == 0, "0");
  CHECK(status_of_script("exit 3") == 3 << 8, "3");
  CHECK(status_of_script("exit 125") == 125 << 8, "125");
  CHECK(status_of_script("exit 255") == 255 << 8, "255");
}

static void the_signal_that_ended_it_is_told(void) {
  CHECK(status_of_script("kill -KILL $$") == SIGKILL, "KILL");
  CHECK(status_of_script("kill -TERM $$") == SIGTERM, "TERM");
  CHECK((status_of_script("kill -SEGV $$") & 0x7f) == SIGSEGV, "SEGV");
  CHECK(status_of_script("exit 137") == 137 << 8, "137 is no signal");
}

static void a_stopped_command_has_not_ended(void) {
  struct run run = start_command(
      (struct command){.argv = STRINGS("sh", "-c", "echo stopping; kill -STOP $$; exit 5")});
  expect_text(run.out, "stopping\n");
  CHECK(wait_readable(run.control, 200) == 0, "a record about a stop");
  /* Again and again: on a busy machine the first may come before the stop. */
  do send_order(&run, SIGNAL_MAIN, SIGCONT);
  while (wait_readable(run.control, 50) == 0);
  CHECK(finish(&run, NULL) == 5 << 8, "status");
}

static void a_stopped_command_ends_when_told(void) {
  struct run run =
      start_command((struct command){.argv = STRINGS("sh", "-c", "echo s; kill -STOP $$")});
  expect_text(run.out, "s\n");
  send_order(&run, END, 0);
  CHECK(finish(&run, NULL) == SIGKILL, "status");
}

static void its_groups_are_joined_before_it_is_ready(void) {
  struct options options = {.group_count = 3};
  char content[3][8] = {{0}};
  for (int i = 0; i < 3; i++) {
    char name[16];
    snprintf(name, sizeof name, "tasks%d", i);
    put_file(name, 0600, "", 0);
    options.groups[i] = open(in_scratch(name), O_RDWR | O_CLOEXEC);
  }
  struct run run = launch_ready(options);
  for (int i = 0; i < 3; i++) {
    ssize_t n = pread(options.groups[i], content[i], 7, 0);
    CHECK(n == 1 && content[i][0] == '0', "'%s'", content[i]);
  }
  shutdown(run.control, SHUT_WR);
  expect_refusal(&run);
}

static void a_group_that_cannot_be_joined_is_told_before_it_is_ready(void) {
  struct options options = {.group_count = 2};
  put_file("tasks", 0600, "", 0);
  options.groups[0] = open(in_scratch("tasks"), O_RDWR | O_CLOEXEC);
  options.groups[1] = open(in_scratch("tasks"), O_RDONLY | O_CLOEXEC);
  struct run run = launch_with(options);
  struct record failed = expect_failure(&run, 1, EBADF);
  CHECK(failed.c == 11, "descriptor %d", (int)failed.c);
}

/* The descriptors of process PID as they look from here; "?" when they may not be seen. */
static char *descriptors_of(pid_t pid) {
  static char list[1024];
  char path[64];
  size_t at = 0;
  list[0] = 0;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *directory = opendir(path);
  if (directory == NULL) return "?";
  for (int fd = 0; fd < 600; fd++) {
    char name[16];
    snprintf(name, sizeof name, "%d", fd);
    struct stat status;
    if (fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
      at += (size_t)sprintf(list + at, "%d ", fd);
    }
  }
  closedir(directory);
  return list;
}

static void close_leaks(struct options options) {
  struct run run = launch_ready(options);
  char *open_ones = descriptors_of(run.init);
  CHECK(strcmp(open_ones, "0 1 2 6 7 8 9 ") == 0, "%s", open_ones);
  struct bytes block = block_of((struct command){.argv = ACT("descriptors")});
  send_bytes(&run, block.at, block.size);
  expect_bytes(outcome_of(run).out, text("0 1 2 "));
}

static void inherited_descriptors_are_closed(void) {
  close_leaks((struct options){.leak_descriptors = 1});
}

static void inherited_descriptors_are_closed_by_an_old_kernel(void) {
  close_leaks((struct options){.leak_descriptors = 1, .hide_close_range = 1});
}

static void no_stream_of_the_command_stays_open_here(void) {
  struct run run = start_command((struct command){
      .argv = STRINGS("sh", "-c", "exec <&- >&- 2>&-; while :; do sleep 0.01; done")});
  read_all(run.out);
  read_all(run.err);
  CHECK(wait_readable(run.control, 0) == 0, "it has ended");
  CHECK(write(run.in, "x", 1) == -1 && errno == EPIPE, "somebody reads");
  send_order(&run, END, 0);
  CHECK(finish(&run, NULL) == SIGKILL, "status");
}

static void the_command_cannot_look_into_this_process(void) {
  if (is_emulated) skip("the emulator does not pass PR_SET_DUMPABLE on");
  if (!is_pid1 && geteuid() == 0) skip("real root may look into any process");
  char path[64];
  char target[64];
  struct run run = launch_ready((struct options){0});
  snprintf(path, sizeof path, "/proc/%d/root", run.init);
  CHECK(readlink(path, target, sizeof target) > 0, "the caller cannot look before the token");
  snprintf(path, sizeof path, "%d", is_pid1 ? 1 : run.init);
  struct bytes block = block_of((struct command){.argv = ACT("look", path)});
  send_bytes(&run, block.at, block.size);
  expect_bytes(outcome_of(run).out, text(""));
}

/* ---- orders ---- */

static void a_signal_reaches_the_command_alone(void) {
  struct run run = start_command((struct command){
      .argv = STRINGS("sh", "-c",
                      "trap 'echo got; kill -KILL $!; exit 7' USR1;"
                      "sh -c 'trap \"echo child\" USR1; echo up; while :; do sleep 0.01; done' &"
                      "while :; do sleep 0.01; done")});
  expect_text(run.out, "up\n");
  send_order(&run, SIGNAL_MAIN, SIGUSR1);
  expect_bytes(read_all(run.out), text("got\n"));
  CHECK(finish(&run, NULL) == 7 << 8, "status");
}

static void a_signal_reaches_all(void) {
  struct run run = start_command((struct command){
      .argv = STRINGS("sh", "-c",
                      "trap 'wait $!; exit 7' USR1;"
                      "setsid sh -c 'trap \"echo child; exit\" USR1; echo up;"
                      " while :; do sleep 0.01; done' & wait")});
  expect_text(run.out, "up\n");
  send_order(&run, SIGNAL_ALL, SIGUSR1);
  expect_bytes(read_all(run.out), text("child\n"));
  CHECK(finish(&run, NULL) == 7 << 8, "status");
}

static void a_signal_right_behind_the_block_is_not_lost(void) {
  struct run run = launch_ready((struct options){0});
  struct bytes block = block_of((struct command){.argv = STRINGS("sleep", "1000")});
  uint64_t order[2] = {SIGNAL_MAIN, SIGTERM};
  add(&block, order, sizeof order);
  send_bytes(&run, block.at, block.size);
  expect(&run, STARTED);
  CHECK(finish(&run, NULL) == SIGTERM, "status");
}

static void an_order_may_come_in_pieces(void) {
  struct run run = start_command((struct command){.argv = STRINGS("sleep", "1000")});
  uint64_t order[2] = {SIGNAL_MAIN, SIGTERM};
  for (size_t i = 0; i < sizeof order; i++) {
    send_bytes(&run, (char *)order + i, 1);
    poll(NULL, 0, 1);
  }
  CHECK(finish(&run, NULL) == SIGTERM, "status");
}

static void no_signal_is_sent_for_a_number_that_is_none(void) {
  struct run run = start_command((struct command){.argv = STRINGS("cat")});
  send_order(&run, SIGNAL_MAIN, 0);
  send_order(&run, SIGNAL_MAIN, 65);
  send_order(&run, SIGNAL_ALL, UINT64_MAX);
  send_order(&run, SIGNAL_MAIN, SIGUSR1 | 1ull << 32);
  CHECK(wait_readable(run.control, 100) == 0, "a record");
  close(run.in);
  CHECK(finish(&run, NULL) == 0, "status");
}

static void an_unknown_order_ends_everything(void) {
  struct run run = start_command((struct command){.argv = ACT("sleepers", "3", "stay")});
  expect_text(run.out, "there\n");
  send_order(&run, 77, 0);
  read_all(run.out);
  CHECK(finish(&run, NULL) == SIGKILL, "status");
}

/* ---- the end of everything ---- */

static void the_order_to_end_ends_everything(void) {
  struct run run = start_command((struct command){.argv = ACT("sleepers", "20", "stay")});
  expect_text(run.out, "there\n");
  send_order(&run, END, 0);
  read_all(run.out);
  CHECK(finish(&run, NULL) == SIGKILL, "status");
}

static void the_end_of_the_caller_ends_everything(void) {
  struct run run = start_command((struct command){.argv = ACT("sleepers", "20", "stay")});
  expect_text(run.out, "there\n");
  close(run.control);
  read_all(run.out);
  int status = launcher_status(&run);
  CHECK(status == 0 || is_pid1, "status %#x", status);
}

static void a_half_closed_control_socket_ends_everything_and_is_answered(void) {
  struct run run = start_command((struct command){.argv = ACT("sleepers", "2", "stay")});
  expect_text(run.out, "there\n");
  shutdown(run.control, SHUT_WR);
  read_all(run.out);
  CHECK(finish(&run, NULL) == SIGKILL, "status");
}

static void what_the_command_left_behind_ends_with_it(void) {
  if (is_emulated) skip("the emulator refuses PR_SET_CHILD_SUBREAPER");
  struct run run = start_command((struct command){.argv = ACT("sleepers", "300")});
  expect_text(run.out, "there\n");
  CHECK(finish(&run, NULL) == 0, "status");
  read_all(run.out);
}

static void a_fleeing_chain_of_processes_is_ended(void) {
  if (!is_pid1) skip("without a pid namespace a chain of forks can outrun the search for it");
  struct run run = start_command((struct command){.argv = ACT("flee")});
  CHECK(finish(&run, NULL) == 0, "status");
  read_all(run.out);
}

static void orphans_are_reaped_while_the_command_runs(void) {
  if (is_emulated) skip("the emulator refuses PR_SET_CHILD_SUBREAPER");
  expect_bytes(output_of((struct command){.argv = ACT("orphans")}), text("0 zombies\n"));
}

static void the_end_of_this_process_is_the_end_of_the_command(void) {
  struct run run = start_command((struct command){.argv = STRINGS("sleep", "1000")});
  kill(run.init, SIGKILL);
  read_all(run.out);
  launcher_status(&run);
}

static void other_signals_do_not_end_this_process(void) {
  struct run run = start_command((struct command){.argv = STRINGS("cat")});
  int signals[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGPIPE, SIGIO, SIGCHLD};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) kill(run.init, signals[i]);
  close(run.in);
  CHECK(finish(&run, NULL) == 0, "status");
}

static void the_use_of_the_whole_tree_is_told(void) {
  struct record usage;
  struct run run = start_command((struct command){
      .argv = STRINGS("sh", "-c", "\"$0\" --act burn; \"$0\" --act burn", (char *)self_path)});
  CHECK(finish(&run, &usage) == 0, "status");
  CHECK(usage.a + usage.b >= 550000 && usage.a + usage.b < 10000000, "%d µs and %d µs",
        (int)usage.a, (int)usage.b);
  CHECK(usage.c >= 64 * 1024 && usage.c < 256 * 1024, "%d KiB", (int)usage.c);
}

#endif
