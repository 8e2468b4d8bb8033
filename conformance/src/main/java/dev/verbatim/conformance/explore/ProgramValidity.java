// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.Scenario;
import dev.verbatim.conformance.scenario.spec.ConnectionSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.memory.Register;
import dev.verbatim.conformance.scenario.step.object.Connect;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether a program asks for nothing that cannot be: a shrunk one must not fail for another reason than the whole one. */
final class ProgramValidity {

    private static final Map<QpState, QpState> PREDECESSORS =
            Map.of(QpState.INIT, QpState.RESET, QpState.RTR, QpState.INIT, QpState.RTS, QpState.RTR);

    private final Map<String, Integer> owed = new TreeMap<>();
    private final Set<String> deregistered = new TreeSet<>();
    private final Set<String> deallocated = new TreeSet<>();
    /** Of queue pairs that are not brought up before the programs begin. */
    private final Map<String, QpState> states = new TreeMap<>();

    private boolean sound = true;

    private ProgramValidity(String node, List<ConnectionSpec> connections) {
        for (ConnectionSpec connection : connections) {
            for (QpRef end : connection.ends()) {
                if (!connection.connected() && end.node().equals(node)) {
                    states.put(end.qp(), QpState.RESET);
                }
            }
        }
    }

    /** Whether it waits only for completions and signals that are owed, and deregisters, binds and uses only what is there. */
    static boolean of(Scenario scenario) {
        Set<String> told = new TreeSet<>();
        Set<String> awaited = new TreeSet<>();
        for (Map.Entry<String, NodeSpec> each : scenario.nodes().entrySet()) {
            NodeSpec node = each.getValue();
            ProgramValidity soundness = new ProgramValidity(each.getKey(), scenario.connections());
            for (Step step : node.program()) {
                soundness.take(step, node);
                if (step instanceof Signal tell) {
                    told.add(tell.signal());
                } else if (step instanceof AwaitSignal await) {
                    awaited.add(await.signal());
                }
            }
            if (!soundness.sound) {
                return false;
            }
        }
        return told.containsAll(awaited);
    }

    private void owes(@Nullable QpSpec qp, int flags) {
        if (qp != null && (qp.signalAll() || (flags & SendFlags.SIGNALED) != 0)) {
            owed.merge(qp.sendCq(), 1, Integer::sum);
        }
    }

    private void take(Step step, NodeSpec node) {
        if (step instanceof Chain chain) {
            chain.posts().forEach(post -> take(post, node));
        } else if (step instanceof Post post) {
            owes(node.qps().get(post.qp()), post.flags());
            sound &= mayBePosted(post.qp());
            sound &= post.bind() == null || !deallocated.contains(post.bind().window());
        } else if (step instanceof BindWindow bind) {
            owes(node.qps().get(bind.qp()), bind.flags());
            sound &= mayBePosted(bind.qp());
            sound &= !deallocated.contains(bind.bind().window());
        } else if (step instanceof DeallocateWindow gone) {
            sound &= deallocated.add(gone.window());
        } else if (step instanceof AwaitCompletion await) {
            sound &= owed.merge(String.valueOf(await.cq()), -1, Integer::sum) >= 0;
        } else if (step instanceof Deregister deregister) {
            sound &= deregistered.add(deregister.region());
        } else if (step instanceof Register register) {
            sound &= deregistered.remove(register.name());
        } else if (step instanceof Receive receive) {
            sound &= receive.qp() == null || stateOf(receive.qp()) != QpState.RESET;
        } else if (step instanceof Connect connect) {
            sound &= states.replace(connect.qp(), QpState.RESET, QpState.RTS);
        } else if (step instanceof Modify modify && modify.attributes().get("state") instanceof QpState to) {
            sound &= to == QpState.ERR || PREDECESSORS.get(to) == stateOf(modify.qp());
            states.put(String.valueOf(modify.qp()), to);
        }
    }

    private QpState stateOf(@Nullable String qp) {
        return states.getOrDefault(String.valueOf(qp), QpState.RTS);
    }

    private boolean mayBePosted(@Nullable String qp) {
        return stateOf(qp) == QpState.RTS || stateOf(qp) == QpState.ERR;
    }
}
