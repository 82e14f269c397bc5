package io.zett.sandbox.host;

import io.zett.sandbox.posix.UnixPath;
import io.zett.sandbox.rules.PathRule;

/**
 * A rule of the policy and where its path leads now.
 *
 * @param given the path as the policy has it
 * @param kind what the rule says
 * @param at where it leads
 */
public record ViewedRule(UnixPath given, PathRule.Kind kind, ResolvedPath at) {}
