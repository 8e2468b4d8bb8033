// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak;

/** What was counted. */
final class Figures {

    final Counts verbs = new Counts();
    final Counts refusals = new Counts();
    final Counts statuses = new Counts();
    final Counts events = new Counts();
    final Counts requests = new Counts();
}
