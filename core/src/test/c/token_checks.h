/* Before the command: what is not the whole token starts nothing. */
#ifndef TOKEN_CHECKS_H
#define TOKEN_CHECKS_H

#include "command.h"

static char marker[4200];

static struct command marking(void) {
  static char *argv[] = {NULL, "--act", "mark", marker, NULL};
  snprintf(marker, sizeof marker, "%s/started", scratch);
  unlink(marker);
  argv[0] = (char *)self_path;
  return (struct command){.argv = argv};
}

static void expect_unmarked(const char *what) {
  if (access(marker, F_OK) == 0) fail("the command was started by %s", what);
}

static void refuse_block(struct bytes block, size_t size, const char *what) {
  struct run run = launch_ready((struct options){0});
  send_bytes(&run, block.at, size);
  shutdown(run.control, SHUT_WR);
  expect_refusal(&run);
  expect_unmarked(what);
  close(run.control);
  close(run.in);
  close(run.out);
  close(run.err);
}

static void the_marking_command_is_started_by_its_whole_block(void) {
  struct run run = start_command(marking());
  int status = finish(&run, NULL);
  CHECK(status == 0, "status %#x", status);
  CHECK(access(marker, F_OK) == 0, "no mark");
}

static void a_caller_that_is_gone_at_once_starts_nothing(void) {
  struct bytes block = block_of(marking());
  struct run run = launch_with((struct options){0});
  close(run.control);
  int status = launcher_status(&run);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 125, "status %#x", status);
  expect_unmarked("nothing");
  free(block.at);
}

static void a_block_cut_anywhere_starts_nothing(void) {
  struct bytes block = block_of(marking());
  size_t step = is_pid1 || is_emulated ? 7 : 1;
  for (size_t size = 0; size < block.size; size += step) refuse_block(block, size, "a cut block");
  refuse_block(block, block.size - 1, "a block without its last byte");
}

static void a_killed_caller_in_the_middle_of_a_block_starts_nothing(void) {
  struct bytes block = block_of(marking());
  struct run run = launch_ready((struct options){0});
  send_bytes(&run, block.at, block.size / 2);
  close(run.control);
  int status = launcher_status(&run);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 125, "status %#x", status);
  expect_unmarked("half a block");
}

static void refuse_header(uint32_t magic, uint32_t version, uint32_t flags, uint32_t length,
                          uint64_t error) {
  struct bytes block =
      block_with_header(magic, version, flags, length, payload_of(marking()));
  struct run run = launch_ready((struct options){0});
  send_bytes(&run, block.at, block.size);
  expect_failure(&run, 2, error);
  expect_unmarked("a wrong header");
}

static void a_wrong_header_starts_nothing(void) {
  uint32_t size = (uint32_t)payload_of(marking()).size;
  refuse_header(0x5A455454, 3, 0, size, EPROTO);
  refuse_header(0, 3, 0, size, EPROTO);
  refuse_header(0x5454455A, 2, 0, size, EPROTO);
  refuse_header(0x5454455A, 4, 0, size, EPROTO);
  refuse_header(0x5454455A, 3, 8, size, EPROTO);
}

static void an_oversized_block_starts_nothing(void) {
  refuse_header(0x5454455A, 3, 0, (64u << 20) + 1, E2BIG);
  refuse_header(0x5454455A, 3, 0, 0xffffffff, E2BIG);
}

static void refuse_payload(struct bytes payload, const char *what) {
  struct bytes block = block_of_payload(payload);
  struct run run = launch_ready((struct options){0});
  send_bytes(&run, block.at, block.size);
  expect_failure(&run, 2, EPROTO);
  expect_unmarked(what);
}

static struct bytes changed(size_t at, uint32_t value) {
  struct bytes payload = payload_of(marking());
  memcpy(payload.at + at, &value, sizeof value);
  return payload;
}

static void a_malformed_block_starts_nothing(void) {
  /* With no limits and the directory "/": limits at 0, directory's length 4, bytes 8, argc 10, envc 14,
     writable directories 18. */
  struct bytes good = payload_of(marking());
  refuse_payload((struct bytes){0}, "an empty payload");
  refuse_payload(changed(0, 1), "a limit that is not there");
  refuse_payload(changed(0, 0xffffffff), "too many limits");
  refuse_payload(changed(4, 0), "a directory without a NUL");
  refuse_payload(changed(4, 1), "a directory's NUL in the wrong place");
  refuse_payload(changed(4, 3), "a directory that holds a NUL");
  refuse_payload(changed(4, 0xffffffff), "a directory without an end");
  refuse_payload(changed(10, 0), "no arguments");
  refuse_payload(changed(10, 3), "an argument too much");
  refuse_payload(changed(10, 0xffffffff), "too many arguments");
  refuse_payload(changed(14, 0), "a variable too much");
  refuse_payload(changed(14, 2), "a variable too few");
  refuse_payload(changed(14, 0xffffffff), "too many variables");
  refuse_payload(changed(18, 1), "a writable directory too much");
  refuse_payload(changed(18, 0xffffffff), "too many writable directories");
  struct command nothing = {.argv = NO_STRINGS};
  refuse_payload(payload_of(nothing), "no arguments at all");
  struct bytes long_one = payload_of(marking());
  add(&long_one, "", 1);
  refuse_payload(long_one, "a byte too much");
  struct bytes open_ended = payload_of(marking());
  open_ended.at[open_ended.size - 1] = 'x';
  refuse_payload(open_ended, "a string without an end");
  struct command limited = marking();
  struct limit limit = {RLIMIT_NOFILE, 7, 64, 64};
  limited.limits = &limit;
  limited.limit_count = 1;
  refuse_payload(payload_of(limited), "a limit with something in its gap");
  free(good.at);
}

static void noise_starts_nothing_and_crashes_nothing(void) {
  unsigned seed = 12345;
  int rounds = is_pid1 || is_emulated ? 20 : 300;
  marking();
  for (int round = 0; round < rounds; round++) {
    struct bytes noise = {0};
    for (int size = rand_r(&seed) % 300; size > 0; size--) {
      /* Small numbers, so that some of it looks like counts and lengths. */
      unsigned char byte = (unsigned char)(rand_r(&seed) % 4 == 0 ? rand_r(&seed) : 0);
      add(&noise, &byte, 1);
    }
    struct bytes block = block_of_payload(noise);
    refuse_block(block, block.size, "noise");
    free(noise.at);
    free(block.at);
  }
}

static void a_block_that_comes_byte_by_byte_is_whole(void) {
  struct bytes block = block_of(marking());
  struct run run = launch_ready((struct options){0});
  for (size_t i = 0; i < block.size; i++) send_bytes(&run, block.at + i, 1);
  expect(&run, STARTED);
  CHECK(finish(&run, NULL) == 0, "failed");
  CHECK(access(marker, F_OK) == 0, "no mark");
}

static void refuse_arguments(char *const *arguments, const char *why) {
  int err[2];
  if (pipe2(err, O_CLOEXEC) != 0) fail("pipe: %s", strerror(errno));
  pid_t pid = fork();
  if (pid == 0) {
    char *argv[64];
    int n = 0;
    dup2(err[1], STDERR_FILENO);
    for (char **word = launcher; *word != NULL; word++) argv[n++] = *word;
    argv[n++] = (char *)init_path;
    for (; *arguments != NULL; arguments++) argv[n++] = *arguments;
    argv[n] = NULL;
    execvp(argv[0], argv);
    _exit(99);
  }
  int status;
  close(err[1]);
  char *said = (char *)read_all(err[0]).at;
  waitpid(pid, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 125, "%s: status %#x", why, status);
  CHECK(strncmp(said, "zett-init: ", 11) == 0 && strstr(said, why) != NULL, "'%s'", said);
}

static void wrong_arguments_are_refused(void) {
  refuse_arguments(NO_STRINGS, "usage");
  refuse_arguments(STRINGS((char *)mode, "6", "7", "8"), "usage");
  refuse_arguments(STRINGS("pid2", "6", "7", "8", "9"), "the mode is");
  refuse_arguments(STRINGS("", "6", "7", "8", "9"), "the mode is");
  refuse_arguments(STRINGS((char *)mode, "6", "7", "8", "2"), "from 3 up");
  refuse_arguments(STRINGS((char *)mode, "6", "7", "8x", "9"), "from 3 up");
  refuse_arguments(STRINGS((char *)mode, "6", "", "8", "9"), "from 3 up");
  refuse_arguments(STRINGS((char *)mode, "6", "7", "8", "9", "-1"), "from 3 up");
  refuse_arguments(STRINGS((char *)mode, "99999999999999999999", "7", "8", "9"), "from 3 up");
  refuse_arguments(STRINGS((char *)mode, "6", "6", "8", "9"), "no stream");
  if (!is_pid1) refuse_arguments(STRINGS("pid1", "6", "7", "8", "9"), "not pid 1");
}

#endif
