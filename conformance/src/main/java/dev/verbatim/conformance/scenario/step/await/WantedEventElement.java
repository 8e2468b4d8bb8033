// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.await;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.node.NodeState;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an asynchronous event must be about; what is null does not matter.
 *
 * @param qp a queue pair
 * @param cq a completion queue
 * @param srq a shared receive queue
 * @param port number of a port
 */
public record WantedEventElement(
        @Nullable String qp,
        @Nullable String cq,
        @Nullable String srq,
        @Nullable Integer port) {

    /** Anything. */
    public static final WantedEventElement ANY = new WantedEventElement(null, null, null, null);

    private static final String NONE = "none";

    /** The keys in a mapping that has more of them. */
    record Keys<R>(Key<R, String> qp, Key<R, String> cq, Key<R, String> srq, Key<R, Integer> port) {

        WantedEventElement read(Values values) {
            return new WantedEventElement(
                    values.orNull(qp), values.orNull(cq), values.orNull(srq), values.orNull(port));
        }
    }

    static <R> Keys<R> keys(Mapping<R> mapping, Function<R, WantedEventElement> of) {
        return new Keys<>(
                mapping.perhaps(
                        "qp",
                        Forms.name("the name of a queue pair"),
                        record -> of.apply(record).qp,
                        "Queue pair that it is about."),
                mapping.perhaps(
                        "cq",
                        Forms.name("the name of a completion queue"),
                        record -> of.apply(record).cq,
                        "Completion queue that it is about."),
                mapping.perhaps(
                        "srq",
                        Forms.name("the name of a shared receive queue"),
                        record -> of.apply(record).srq,
                        "Shared receive queue that it is about."),
                mapping.perhaps(
                        "port_num", Forms.integer(1, 255), record -> of.apply(record).port, "Port that it is about."));
    }

    void check(NameScope scope) {
        if (qp != null) {
            scope.qp(qp);
        }
        if (cq != null) {
            scope.cq(cq);
        }
        if (srq != null) {
            scope.known("srq", "shared receive queue", srq, scope.own().srqs().keySet());
        }
    }

    /** How the event is about something else; null if it is not. */
    @Nullable
    String differenceTo(AsyncEvent event, NodeState node) {
        QueuePair queuePair = event.queuePair();
        String named = queuePair == null ? NONE : node.qpNamed(queuePair.number());
        if (qp != null && !qp.equals(named)) {
            return "qp=" + named + ", not " + qp;
        }
        CompletionQueue queue = event.completionQueue();
        if (cq != null && !node.cq(cq).equals(queue)) {
            return "cq=" + (queue == null ? NONE : "another") + ", not " + cq;
        }
        SharedReceiveQueue shared = event.sharedReceiveQueue();
        if (srq != null && !node.srqs().get(srq).equals(shared)) {
            return "srq=" + (shared == null ? NONE : "another") + ", not " + srq;
        }
        return port != null && port != event.portNumber() ? "port_num=" + event.portNumber() + ", not " + port : null;
    }
}
