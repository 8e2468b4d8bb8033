// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.verbs.AddressHandle;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;

/** Creates objects as their specifications say. */
public final class ObjectCreation {

    private ObjectCreation() {}

    /** Creates an address handle that leads to another node. */
    public static AddressHandle create(StepContext context, AhSpec spec) {
        return context.node()
                .pd(spec.pd())
                .createAddressHandle(spec.to(context.node(spec.node()).device()));
    }

    /** Creates a completion queue without a channel. */
    public static CompletionQueue create(NodeState node, CqSpec spec) {
        return node.device().createCq(spec.entries());
    }

    /** Creates a queue pair on what the node has. */
    public static QueuePair create(NodeState node, QpSpec spec) {
        if (spec.xrcd() != null) {
            return node.xrcds().get(spec.xrcd()).createQp(QpInitAttributes.xrcReceive());
        }
        QpInitAttributes attributes = new QpInitAttributes(
                spec.type(),
                node.cq(spec.sendCq()),
                spec.receives() ? node.cq(spec.recvCq()) : null,
                spec.capabilities(),
                spec.signalAll(),
                null,
                spec.srq() == null ? null : node.srqs().get(spec.srq()));
        return node.pd(spec.pd()).createQp(attributes);
    }

    /** Creates a shared receive queue on what the node has. */
    public static SharedReceiveQueue create(NodeState node, SrqSpec spec) {
        return node.pd(spec.pd())
                .createSrq(new SrqInitAttributes(
                        spec.attributes(),
                        spec.xrcd() == null ? null : node.xrcds().get(spec.xrcd()),
                        spec.cq() == null ? null : node.cq(spec.cq()),
                        null));
    }
}
