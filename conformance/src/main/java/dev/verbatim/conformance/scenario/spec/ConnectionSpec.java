// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import java.util.List;

/** Two queue pairs that talk to each other. */
public record ConnectionSpec(List<QpRef> ends, LinkSpec link, List<Integer> psns, boolean connected) {

    /** In a file. */
    public static final Form<ConnectionSpec> FORM = form();

    private static final int LAST_PSN = (1 << 24) - 1;

    /** Copies the lists and checks their sizes. */
    public ConnectionSpec {
        ends = List.copyOf(ends);
        psns = List.copyOf(psns);
        if (ends.size() != 2) {
            throw new IllegalArgumentException("between has " + ends.size() + " ends, not 2; write between: [a, b]");
        }
        if (!psns.isEmpty() && psns.size() != 2) {
            throw new IllegalArgumentException("psn has " + psns.size() + " values, not 2; write one for each end");
        }
    }

    /** A connection as it is where nothing is said. */
    public static ConnectionSpec between(QpRef left, QpRef right) {
        return new ConnectionSpec(List.of(left, right), LinkSpec.USUAL, List.of(), true);
    }

    /** The end that {@code end} talks to. */
    public QpRef peerOf(QpRef end) {
        return ends.get(0).equals(end) ? ends.get(1) : ends.get(0);
    }

    private static Form<ConnectionSpec> form() {
        Mapping<ConnectionSpec> mapping = new Mapping<>("connection", "a connection");
        Key<ConnectionSpec, List<QpRef>> ends = mapping.required(
                "between", Forms.listOf(QpRef.FORM), ConnectionSpec::ends, "The two queue pairs, such as [a, b.left].");
        LinkSpec.Keys<ConnectionSpec> link = LinkSpec.keys(mapping, ConnectionSpec::link);
        Key<ConnectionSpec, List<Integer>> psns = mapping.optional(
                "psn",
                Forms.listOf(Forms.integer(0, LAST_PSN)),
                List.of(),
                ConnectionSpec::psns,
                "First PSN that each end sends, such as [100, 200].");
        Key<ConnectionSpec, Boolean> connected = mapping.optional(
                "connected",
                Forms.flag(),
                true,
                ConnectionSpec::connected,
                "Whether they are connected from the start; else a step says so.");
        return mapping.making(values ->
                new ConnectionSpec(values.get(ends), link.read(values), values.get(psns), values.get(connected)));
    }
}
