package io.zett.sandbox.table;

import io.zett.sandbox.HomeMode;
import io.zett.sandbox.SandboxPolicy;

/** A policy of the table. */
enum Setting {
  /** A workspace and nothing else. */
  PLAIN,
  /** Unwritable: a file, a directory, and one far down. */
  DENY_WRITE,
  /** Hidden: files and a directory inside the workspace, a file outside. */
  DENY_READ,
  /** Denied paths that do not exist. */
  MISSING,
  /** Rules inside of rules, and two on one path. */
  NESTED,
  /** Links to what is denied. */
  LINKED,
  /** One more directory to write. */
  WRITABLE,
  /** An empty home. */
  PRIVATE_HOME,
  /** The host's network. */
  NETWORK,
  /** No Unix sockets. */
  BLOCKED,
  /** Files that the host obeys are protected. */
  PROTECTED;

  SandboxPolicy policy(TableScene scene) {
    // The scene lies in /tmp, which is private on Linux.
    SandboxPolicy.Builder policy =
        SandboxPolicy.builder().allowRead(scene.base).scratchSize("16MiB");
    switch (this) {
      case PLAIN -> {}
      case DENY_WRITE ->
          policy.denyWrite(scene.at("W/file"), scene.at("W/dir"), scene.at("W/a/b/c"));
      case DENY_READ ->
          policy.denyRead(
              scene.at("W/file"), scene.at("W/dir"), scene.at("H/file"), scene.at("W/conf/key"));
      case MISSING -> policy.denyWrite(scene.at("W/none/deep")).denyRead(scene.at("W/.env"));
      case NESTED ->
          policy
              .denyRead(scene.at("H"))
              .allowRead(scene.at("H/public"))
              .writable(scene.at("H/out"))
              .denyWrite(scene.at("W/p"))
              .writable(scene.at("W/p/q"))
              .denyWrite(scene.at("W/e"))
              .writable(scene.at("W/e"));
      case LINKED -> policy.denyRead(scene.at("W/link"), scene.at("H/link"));
      case WRITABLE -> policy.writable(scene.at("E"));
      case PRIVATE_HOME -> policy.home(HomeMode.PRIVATE);
      case NETWORK -> policy.network(true);
      case BLOCKED -> policy.blockUnixSockets(true);
      case PROTECTED -> policy.protectDeveloperFiles();
    }
    return policy.build();
  }
}
