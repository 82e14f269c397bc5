/* The command gets exactly what its block says, or a record and a line that say why not. */
#ifndef COMMAND_CHECKS_H
#define COMMAND_CHECKS_H

#include "token_checks.h"

#define ACT(...) STRINGS((char *)self_path, "--act", __VA_ARGS__)

struct outcome {
  int status;
  struct bytes out;
  struct bytes err;
  struct record failed; /* EXEC_FAILED, or all zero */
};

static struct outcome outcome_of(struct run run) {
  struct outcome outcome = {0};
  struct record first;
  if (!next_record(&run, &first)) fail("no record");
  CHECK(first.type == STARTED || first.type == EXEC_FAILED, "record %d(%d, %d)", (int)first.type,
        (int)first.a, (int)first.b);
  if (first.type == EXEC_FAILED) outcome.failed = first;
  outcome.out = read_all(run.out);
  outcome.err = read_all(run.err);
  outcome.status = finish(&run, NULL);
  return outcome;
}

static struct outcome run_command(struct command command) {
  return outcome_of(launch_command(command));
}

static struct bytes output_of(struct command command) {
  struct outcome outcome = run_command(command);
  CHECK(outcome.status == 0, "status %#x, '%s'", outcome.status, (char *)outcome.err.at);
  return outcome.out;
}

static void expect_bytes(struct bytes got, struct bytes wanted) {
  CHECK(got.size == wanted.size, "%zu bytes instead of %zu: '%s'", got.size, wanted.size, got.at);
  CHECK(memcmp(got.at, wanted.at, got.size) == 0, "'%s'", got.at);
}

static struct bytes text(const char *content) {
  struct bytes bytes = {0};
  add(&bytes, content, strlen(content));
  return bytes;
}

static void arguments_are_exact_to_the_byte(void) {
  char all[256];
  for (int i = 0; i < 255; i++) all[i] = (char)(i + 1);
  all[255] = 0;
  char **argv = ACT("arguments", "", all, "-", "--", "a\nb", "$HOME `x` 'y' \"z\" \\", "\xff\xfe", "");
  struct bytes wanted = {0};
  add_strings(&wanted, argv);
  expect_bytes(output_of((struct command){.argv = argv}), wanted);
}

static void the_environment_is_exact_to_the_byte(void) {
  char **envp = STRINGS("B=2", "A=1", "a.b=c", "E=", "N=x\ny", "L=\xff\x01", "A=again", "no equals",
                        "=odd", "");
  struct bytes wanted = {0};
  add_strings(&wanted, envp);
  struct command command = {.argv = ACT("environment"), .envp = envp};
  expect_bytes(output_of(command), wanted);
  command.envp = NO_STRINGS;
  expect_bytes(output_of(command), (struct bytes){0});
}

static char *filled(const char *start, size_t size) {
  char *value = malloc(size + 1);
  memset(value, 'v', size);
  memcpy(value, start, strlen(start));
  value[size] = 0;
  return value;
}

static void a_large_environment_arrives_whole(void) {
  char *envp[402] = {filled("LARGE=", 100000)};
  for (int i = 1; i <= 400; i++) {
    char start[16];
    snprintf(start, sizeof start, "V%d=", i);
    envp[i] = filled(start, 1000);
  }
  struct bytes wanted = {0};
  add_strings(&wanted, envp);
  expect_bytes(output_of((struct command){.argv = ACT("environment"), .envp = envp}), wanted);
}

static void the_directory_is_exact_to_the_byte(void) {
  char path[4200];
  snprintf(path, sizeof path, "%s/\xff d\n$x", scratch);
  mkdir(path, 0700);
  struct command command = {.argv = ACT("directory"), .directory = path};
  expect_bytes(output_of(command), text(path));
}

static void a_directory_that_cannot_be_entered_is_told(void) {
  struct command command = marking();
  struct run run;
  command.directory = "/no/such/directory";
  run = launch_command(command);
  expect_failure(&run, 5, ENOENT);
  command.directory = "/dev/null";
  run = launch_command(command);
  expect_failure(&run, 5, ENOTDIR);
  command.directory = "";
  run = launch_command(command);
  expect_failure(&run, 5, ENOENT);
  expect_unmarked("a command without its directory");
}

static void limits_are_set(void) {
  struct limit limits[] = {{RLIMIT_NOFILE, 0, 64, 128},
                           {RLIMIT_FSIZE, 0, 1000, 2000},
                           {RLIMIT_CORE, 0, 0, 0},
                           {RLIMIT_CPU, 0, 30, 40}};
  struct command command = {
      .argv = ACT("limits", "7", "1", "4", "0"), .limits = limits, .limit_count = 4};
  expect_bytes(output_of(command), text("7 64 128\n1 1000 2000\n4 0 0\n0 30 40\n"));
}

static void a_limit_that_cannot_be_set_is_told(void) {
  struct limit limits[] = {{RLIMIT_CORE, 0, 0, 0}, {99, 0, 1, 1}};
  struct command command = marking();
  command.limits = limits;
  command.limit_count = 2;
  struct run run = launch_command(command);
  struct record failed = expect_failure(&run, 4, EINVAL);
  CHECK(failed.c == 99, "resource %d", (int)failed.c);
  expect_unmarked("a command without its limit");
}

/* ---- which program ---- */

static char *in_scratch(const char *name) {
  char *path = malloc(4200);
  snprintf(path, 4200, "%s/%s", scratch, name);
  return path;
}

static void put_file(const char *name, mode_t permissions, const void *content, size_t size) {
  char *path = in_scratch(name);
  int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, content, size) != (ssize_t)size || fchmod(fd, permissions) != 0) {
    fail("%s: %s", path, strerror(errno));
  }
  close(fd);
}

static void put_script(const char *name, mode_t permissions, const char *content) {
  put_file(name, permissions, content, strlen(content));
}

static void put_programs(void) {
  char *directories[] = {"a", "b", "c", "a/directory"};
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
    mkdir(in_scratch(directories[i]), 0700);
  }
  mkdir(in_scratch("closed"), 0);
  put_script("a/tool", 0644, "#!/bin/sh\necho from a\n");
  put_script("b/tool", 0755, "#!/bin/sh\necho from b\n");
  put_script("c/tool", 0755, "#!/bin/sh\necho from c\n");
  put_script("a/denied", 0644, "#!/bin/sh\necho denied\n");
  put_script("a/lost", 0755, "#!/no/such/interpreter\n");
  put_script("b/plain", 0755, "echo plain \"$0\" \"$@\"\n");
  put_file("b/foreign", 0755, "\x7f" "ELF\0\0\0\0\n", 9);
  put_file("b/empty", 0755, "", 0);
}

static char *search_in(const char *format) {
  char *path = malloc(20000);
  char *to = path + sprintf(path, "PATH=");
  for (; *format != 0; format++) {
    to += *format == '@' ? sprintf(to, "%s", scratch) : sprintf(to, "%c", *format);
  }
  return path;
}

static void expect_found(const char *search, const char *directory, char **argv, const char *out) {
  struct command command = {.argv = argv,
                            .envp = search == NULL ? NO_STRINGS : STRINGS("X=1", search_in(search)),
                            .directory = directory};
  struct outcome outcome = run_command(command);
  CHECK(outcome.status == 0 && outcome.failed.type == 0, "%s in %s: status %#x, '%s'", argv[0],
        search == NULL ? "nothing" : search, outcome.status, (char *)outcome.err.at);
  expect_bytes(outcome.out, text(out));
}

static void expect_not_run(const char *search, char *name, int error, int status, const char *why) {
  char line[2048];
  snprintf(line, sizeof line, "zett: %s: %s\n", name, why);
  struct command command = {
      .argv = STRINGS(name, "argument"), .envp = STRINGS(search_in(search)), .directory = scratch};
  struct outcome outcome = run_command(command);
  CHECK(outcome.failed.type == EXEC_FAILED, "%s was run", name);
  CHECK((int)outcome.failed.a == error && (int)outcome.failed.b == status, "%s: EXEC_FAILED(%d, %d)",
        name, (int)outcome.failed.a, (int)outcome.failed.b);
  CHECK(outcome.status == status << 8, "%s: status %#x", name, outcome.status);
  CHECK(outcome.out.size == 0, "'%s'", (char *)outcome.out.at);
  expect_bytes(outcome.err, text(line));
}

static void a_program_is_searched_in_the_path_of_the_command(void) {
  put_programs();
  char *tool[] = {"tool", NULL};
  expect_found("@/b:@/c", "/", tool, "from b\n");
  expect_found("@/c:@/b", "/", tool, "from c\n");
  expect_found("/no/such:/dev/null:@/c", "/", tool, "from c\n");
  expect_found("@/a:@/b", "/", tool, "from b\n"); /* not executable in a */
  expect_found(NULL, "/", STRINGS("echo", "default"), "default\n");
  char *long_path = search_in("@/c");
  char *longer = filled("/x", 9000);
  strcat(longer, "");
  snprintf(long_path, 20000, "%s:%s/c", longer, scratch);
  expect_found(long_path, "/", tool, "from c\n");
}

static void an_empty_component_is_the_current_directory(void) {
  put_programs();
  char *tool[] = {"tool", NULL};
  expect_found("", in_scratch("b"), tool, "from b\n");
  expect_found(":/no/such", in_scratch("b"), tool, "from b\n");
  expect_found("/no/such:", in_scratch("b"), tool, "from b\n");
  expect_found("/no/such::@/c", in_scratch("b"), tool, "from b\n");
  expect_found("@/c:", in_scratch("b"), tool, "from c\n");
}

static void a_name_with_a_slash_is_not_searched(void) {
  put_programs();
  expect_found("@/b", scratch, STRINGS("./c/tool"), "from c\n");
  expect_found("@/b", scratch, STRINGS("c/tool"), "from c\n");
  expect_not_run("@/b:@", "x/tool", ENOENT, 127, "No such file or directory");
}

static void a_missing_program_is_127(void) {
  put_programs();
  expect_not_run("@/a:@/b", "no-such-tool", ENOENT, 127, "command not found");
  expect_not_run("@/a:@/b", "", ENOENT, 127, "command not found");
  expect_not_run("@/closed:@/b", "no-such-tool", ENOENT, 127, "command not found");
  expect_not_run("@/a", in_scratch("nowhere"), ENOENT, 127, "No such file or directory");
}

static void a_program_that_cannot_be_executed_is_126(void) {
  put_programs();
  expect_not_run("@/b:@/a:/no/such", "denied", EACCES, 126, "Permission denied");
  expect_not_run("@/a:@/closed", "denied", EACCES, 126, "Permission denied");
  expect_not_run("@/a", "directory", EACCES, 126, "Permission denied");
  expect_not_run("@/a", "b/foreign", ENOEXEC, 126, "Exec format error");
  expect_not_run("@/b", "foreign", ENOEXEC, 126, "Exec format error");
  expect_not_run("@/a", "lost", ENOENT, 126, "its interpreter was not found");
  expect_not_run("@/a", "a/lost", ENOENT, 126, "its interpreter was not found");
  expect_not_run("@/a", "b/tool/x", ENOTDIR, 126, "Not a directory");
}

static void too_many_arguments_are_126(void) {
  struct command command = {.argv = STRINGS("true", filled("x", 200000))};
  struct outcome outcome = run_command(command);
  CHECK(outcome.failed.a == E2BIG && outcome.status == 126 << 8, "status %#x", outcome.status);
  expect_bytes(outcome.err, text("zett: true: Argument list too long\n"));
}

static void a_script_without_an_interpreter_line_is_given_to_sh(void) {
  put_programs();
  char wanted[4300];
  snprintf(wanted, sizeof wanted, "plain %s/b/plain one two\n", scratch);
  expect_found("@/a:@/b", "/", STRINGS("plain", "one", "two"), wanted);
  expect_found("", scratch, STRINGS("b/plain", "one", ""), "plain b/plain one \n");
  expect_found("@/b", "/", STRINGS("empty"), "");
}

static void a_very_long_name_is_told_in_a_short_line(void) {
  char *name = filled("x", 100000);
  struct command command = {.argv = STRINGS(name)};
  struct outcome outcome = run_command(command);
  CHECK(outcome.failed.type == EXEC_FAILED, "run");
  CHECK(outcome.err.size < 1200, "%zu bytes", outcome.err.size);
}

static void a_failed_exec_is_told_though_nobody_reads_standard_error(void) {
  struct run run = launch_ready((struct options){0});
  struct bytes block = block_of((struct command){.argv = STRINGS("no-such-tool")});
  close(run.err);
  send_bytes(&run, block.at, block.size);
  expect(&run, EXEC_FAILED);
  int status = finish(&run, NULL);
  CHECK(status == 127 << 8, "status %#x", status);
}

/* ---- what else it gets ---- */

static void the_command_has_its_standard_streams_and_nothing_else(void) {
  struct run run = launch_ready((struct options){.leak_descriptors = 1});
  struct command command = {.argv = ACT("descriptors")};
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  struct outcome outcome = outcome_of(run);
  expect_bytes(outcome.out, text("0 1 2 "));
}

static void input_reaches_the_command_and_ends(void) {
  struct run run = start_command((struct command){.argv = STRINGS("cat")});
  if (write(run.in, "some input", 10) != 10) fail("write");
  close(run.in);
  expect_bytes(read_all(run.out), text("some input"));
  CHECK(finish(&run, NULL) == 0, "failed");
}

static void both_outputs_may_be_one_pipe(void) {
  struct run run = launch_ready((struct options){.merge = 1});
  struct command command = {.argv = STRINGS("sh", "-c", "echo a; echo b >&2; echo c")};
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  expect_bytes(outcome_of(run).out, text("a\nb\nc\n"));
}

static void a_merged_command_writes_both_into_its_output(void) {
  struct command command = {.argv = STRINGS("sh", "-c", "echo a; echo b >&2; echo c"), .merged = 1};
  struct run run = launch_ready((struct options){0});
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  struct outcome outcome = outcome_of(run);
  expect_bytes(outcome.out, text("a\nb\nc\n"));
  expect_bytes(outcome.err, text(""));
}

static void a_command_without_input_reads_the_null_device(void) {
  struct command command = {.argv = STRINGS("sh", "-c", "cat; readlink /proc/self/fd/0"),
                            .no_input = 1};
  struct run run = launch_ready((struct options){0});
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  expect_bytes(outcome_of(run).out, text("/dev/null\n"));
}

static void signals_are_default_and_the_session_is_its_own(void) {
  struct run run = launch_ready((struct options){.bad_signals = 1});
  struct bytes block = block_of((struct command){.argv = ACT("signals")});
  send_bytes(&run, block.at, block.size);
  expect_bytes(outcome_of(run).out,
               text("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"
                    "leader 1, default SIGCHLD 1\n"));
}

static void the_started_record_holds_the_pid(void) {
  char wanted[32];
  struct run run = launch_command((struct command){.argv = ACT("pid")});
  struct record started = expect(&run, STARTED);
  snprintf(wanted, sizeof wanted, "%d", (int)started.a);
  expect_bytes(read_all(run.out), text(wanted));
  finish(&run, NULL);
}

#endif
