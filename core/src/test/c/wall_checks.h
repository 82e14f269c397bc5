/* The second wall: what the command may write, where the kernel has Landlock. */
#ifndef WALL_CHECKS_H
#define WALL_CHECKS_H

#include "command_checks.h"

/* A user-mode emulator knows nothing of it. */
static int has_landlock(void) {
  return !is_emulated && syscall(444, NULL, 0, 1) >= 2;
}

static struct run launch_walled(struct command command) {
  struct run run = launch_ready((struct options){.no_new_privileges = 1});
  struct bytes block = block_of(command);
  send_bytes(&run, block.at, block.size);
  return run;
}

static char *below_scratch(const char *name) {
  char *path = malloc(4200);
  snprintf(path, 4200, "%s/%s", scratch, name);
  return path;
}

static void a_walled_command_writes_below_its_directories_only(void) {
  char *inside = below_scratch("inside");
  char *further = below_scratch("further");
  mkdir(inside, 0700);
  mkdir(further, 0700);
  mkdir(below_scratch("outside"), 0700);
  char script[] =
      "cd \"$0\"; mkdir -p inside/d further/d; echo x > inside/d/f; mv inside/d/f inside/g;"
      " ln -f inside/g inside/h; ln -sf g inside/l; : > inside/g; echo x > /dev/null;"
      " (echo x > outside/f) 2>/dev/null && echo wrote; mkdir outside/d 2>/dev/null && echo made;"
      " mv inside/h outside/h 2>/dev/null && echo moved; cat inside/l outside/* 2>/dev/null;"
      " echo done";
  struct command command = {.argv = STRINGS("sh", "-c", script, (char *)scratch),
                            .roots = STRINGS(inside, further, "/dev")};
  struct outcome outcome = outcome_of(launch_walled(command));
  CHECK(outcome.status == 0, "status %#x", outcome.status);
  if (has_landlock()) {
    expect_bytes(outcome.out, text("done\n"));
    expect_bytes(outcome.err, text(""));
  } else {
    CHECK(strstr((char *)outcome.out.at, "wrote") != NULL, "'%s'", outcome.out.at);
  }
}

static void what_a_walled_command_starts_is_walled_too(void) {
  char *inside = below_scratch("inside");
  mkdir(inside, 0700);
  char script[] = "(sh -c '(echo x > \"$0/late\") 2>/dev/null || echo refused' \"$0\")";
  struct command command = {.argv = STRINGS("sh", "-c", script, (char *)scratch),
                            .roots = STRINGS(inside, "/dev")};
  struct outcome outcome = outcome_of(launch_walled(command));
  expect_bytes(outcome.out, text(has_landlock() ? "refused\n" : ""));
}

static void a_walled_command_reads_everywhere(void) {
  struct command command = {.argv = ACT("arguments", "a"), .roots = NO_STRINGS};
  struct outcome outcome = outcome_of(launch_walled(command));
  CHECK(outcome.status == 0 && outcome.out.size > 0, "status %#x", outcome.status);
}

static void a_writable_directory_that_is_missing_is_told(void) {
  struct command command = marking();
  command.roots = STRINGS("/dev", "/no/such/directory");
  struct run run = launch_walled(command);
  if (!has_landlock()) {
    expect(&run, STARTED);
    return;
  }
  struct record failed = expect_failure(&run, 8, ENOENT);
  CHECK(failed.c == 1, "directory %d", (int)failed.c);
  expect_unmarked("a command without its wall");
}

static void writable_directories_without_a_wall_start_nothing(void) {
  struct command command = marking();
  command.roots = STRINGS("/");
  struct bytes payload = payload_of(command);
  struct bytes block = block_with_header(0x5454455A, 3, 0, (uint32_t)payload.size, payload);
  struct run run = launch_ready((struct options){0});
  send_bytes(&run, block.at, block.size);
  expect_failure(&run, 2, EPROTO);
  expect_unmarked("a block of two minds");
}

#endif
