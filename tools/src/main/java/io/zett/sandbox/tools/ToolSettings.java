package io.zett.sandbox.tools;

import java.time.Duration;

/**
 * The bounds of a set of tools.
 *
 * @param tailCharacters of each stream in a report, and of a page of output
 * @param keptBytes of each stream of a command
 * @param keptCommands ended ones whose output can still be read
 * @param maxBackground commands in the background at once
 * @param defaultTimeout of a command that runs to its end
 * @param maxTimeout the most that may be asked for
 * @param maxFileBytes the largest file that is read
 */
record ToolSettings(
    int tailCharacters,
    int keptBytes,
    int keptCommands,
    int maxBackground,
    Duration defaultTimeout,
    Duration maxTimeout,
    int maxFileBytes) {}
