// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.Poll;
import dev.verbatim.conformance.scenario.step.object.Connect;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.verbs.QpState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A connection that comes up in steps: its right end stays in RTR for a while and looks for COMM_EST, which a message of
 * nothing may raise; nothing else is asked of it before it is in RTS, so nothing can end it (QP-27).
 */
final class SteppedConnection {

    private final ConnectionSpec connection;
    private final PairType type;
    private final String name;

    SteppedConnection(ConnectionSpec connection, PairType type) {
        this.connection = connection;
        this.type = type;
        this.name = connection.ends().get(0).qp();
    }

    private String inRtr() {
        return "rtr_" + name;
    }

    private String inRts() {
        return "rts_" + name;
    }

    /** Steps that wait for nothing. */
    List<Step> ofRight(Draw draw) {
        List<Step> steps = new ArrayList<>();
        steps.add(modify(init()));
        steps.add(modify(rtr()));
        steps.add(new Receive(name, null, List.of(), null, null));
        steps.add(new Signal(inRtr()));
        for (int i = draw.between(1, 3); i > 0; i--) {
            steps.add(new Poll(Poll.What.EVENT, null, null));
        }
        steps.add(modify(rts()));
        steps.add(new Signal(inRts()));
        return steps;
    }

    List<Step> ofLeft() {
        return List.of(
                new AwaitSignal(inRtr()),
                new Connect(name, null),
                Post.send().unsignaled().on(name),
                new AwaitSignal(inRts()));
    }

    private Modify modify(Map<String, Object> attributes) {
        return new Modify(attributes, name, null);
    }

    private Map<String, Object> init() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("state", QpState.INIT);
        attributes.put("pkey_index", 0);
        attributes.put("port_num", 1);
        attributes.put("access_flags", connection.link().access());
        return attributes;
    }

    private Map<String, Object> rtr() {
        LinkSpec link = connection.link();
        QpRef left = connection.ends().get(0);
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("state", QpState.RTR);
        attributes.put("peer", left);
        attributes.put("path_mtu", link.pathMtu());
        attributes.put("rq_psn", connection.psns().get(0));
        if (type == PairType.RC) {
            attributes.put("max_dest_rd_atomic", link.maxDestRdAtomic());
            attributes.put("min_rnr_timer", link.minRnrTimer());
        }
        return attributes;
    }

    private Map<String, Object> rts() {
        LinkSpec link = connection.link();
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("state", QpState.RTS);
        attributes.put("sq_psn", connection.psns().get(1));
        if (type == PairType.RC) {
            attributes.put("timeout", link.timeout());
            attributes.put("retry_cnt", link.retryCount());
            attributes.put("rnr_retry", link.rnrRetry());
            attributes.put("max_rd_atomic", link.maxRdAtomic());
        }
        return attributes;
    }
}
