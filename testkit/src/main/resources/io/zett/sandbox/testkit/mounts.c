/* The mount calls, each in namespaces of its own where those can be had, so that the host's mounts stay
   what they are. Every attack is given a directory. */
#include "probe.h"

/* Where no namespace is to be had, the call is tried all the same, but not on the host. */
static int own_namespaces(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 || unshare(CLONE_NEWNS) == 0) {
    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    return 0;
  }
  if (getenv("ZETT_ON_THE_HOST") != NULL)
    _exit(1);
  return 1;
}

static int mount_tmpfs(char **w) {
  own_namespaces();
  return worked(mount("none", w[0], "tmpfs", 0, NULL));
}

static int bind_mount(char **w) {
  own_namespaces();
  return worked(mount("/", w[0], NULL, MS_BIND | MS_REC, NULL));
}

static int overlay(char **w) {
  char options[4096];
  own_namespaces();
  snprintf(options, sizeof options, "lowerdir=%s:/usr", w[0]);
  return worked(mount("none", w[0], "overlay", 0, options));
}

static int mount_proc(char **w) {
  pid_t pid;
  int status = 1;
  own_namespaces();
  (void)!unshare(CLONE_NEWPID);
  pid = fork();
  if (pid == 0)
    _exit(worked(mount("none", w[0], "proc", 0, NULL)));
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* In its own namespace a mount of its own is changed, in a sandbox the root that is there. */
static int remount(char **w) {
  const char *what = "/";
  if (own_namespaces() == 0) {
    what = w[0];
    mount(what, what, NULL, MS_BIND, NULL);
  }
  return worked(mount("none", what, NULL, MS_REMOUNT | MS_BIND, NULL));
}

static int unmount(char **w) {
  if (own_namespaces() == 0)
    mount("none", w[0], "tmpfs", 0, NULL);
  return worked(umount2(w[0], MNT_DETACH));
}

static int propagate(char **w) {
  own_namespaces();
  (void)w;
  return worked(mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL));
}

static int pivot(char **w) {
  if (own_namespaces() == 0)
    mount("none", w[0], "tmpfs", 0, NULL);
  return chdir(w[0]) < 0 ? 1 : worked(syscall(SYS_pivot_root, ".", "."));
}

static int change_root(char **w) {
  own_namespaces();
  return worked(chroot(w[0]));
}

static int fs_open(char **w) {
  own_namespaces();
  (void)w;
  return worked(syscall(SYS_fsopen, "tmpfs", 0));
}

static int fs_config(char **w) {
  (void)w;
  return reached(syscall(SYS_fsconfig, 0, 6, NULL, NULL, 0), EINVAL);
}

static int fs_mount(char **w) {
  int fd;
  own_namespaces();
  (void)w;
  fd = (int)syscall(SYS_fsopen, "tmpfs", 0);
  syscall(SYS_fsconfig, fd, 6, NULL, NULL, 0);
  return worked(syscall(SYS_fsmount, fd, 0, 0));
}

static int fs_pick(char **w) {
  if (own_namespaces() == 0)
    mount("none", w[0], "tmpfs", 0, NULL);
  return worked(syscall(SYS_fspick, AT_FDCWD, w[0], 0));
}

static int open_tree_of(char **w) {
  own_namespaces();
  return worked(syscall(SYS_open_tree, AT_FDCWD, w[0], 1 | O_CLOEXEC));
}

static int move_a_mount(char **w) {
  int tree;
  own_namespaces();
  tree = (int)syscall(SYS_open_tree, AT_FDCWD, w[0], 1 | O_CLOEXEC);
  return worked(syscall(SYS_move_mount, tree, "", AT_FDCWD, w[0], 4));
}

static int set_attributes(char **w) {
  uint64_t attributes[4] = {8, 0, 0, 0};
  if (own_namespaces() == 0)
    mount("none", w[0], "tmpfs", 0, NULL);
  return worked(syscall(SYS_mount_setattr, AT_FDCWD, w[0], 0, attributes, sizeof attributes));
}

const struct attack mount_attacks[] = {{"mount-tmpfs", mount_tmpfs},
                                       {"bind", bind_mount},
                                       {"overlay", overlay},
                                       {"mount-proc", mount_proc},
                                       {"remount", remount},
                                       {"unmount", unmount},
                                       {"propagate", propagate},
                                       {"pivot", pivot},
                                       {"chroot", change_root},
                                       {"fsopen", fs_open},
                                       {"fsconfig", fs_config},
                                       {"fsmount", fs_mount},
                                       {"fspick", fs_pick},
                                       {"open-tree", open_tree_of},
                                       {"move-mount", move_a_mount},
                                       {"mount-setattr", set_attributes},
                                       {NULL, NULL}};
