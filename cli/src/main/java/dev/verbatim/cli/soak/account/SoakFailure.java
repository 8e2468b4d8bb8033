// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

import java.util.List;

/**
 * Something that must not be.
 *
 * @param what one sentence
 * @param history what was done last to the queue it is about, oldest first; empty if it is about none
 */
public record SoakFailure(String what, List<String> history) {}
