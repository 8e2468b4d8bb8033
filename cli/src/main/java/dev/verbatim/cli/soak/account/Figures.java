// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.account;

/** What was counted. */
public final class Figures {

    public final Counts verbs = new Counts();
    public final Counts refusals = new Counts();
    public final Counts statuses = new Counts();
    public final Counts events = new Counts();
    public final Counts requests = new Counts();
}
