// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.sim;

import dev.verbatim.RcConnection;
import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmId;
import dev.verbatim.cm.CmOptions;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.EventChannel;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs that make and end connections, and whose outcome depends on the order of two accesses that few others make. */
final class ConnectionLitmus {

    private static final Duration LONG = Duration.ofDays(1);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final int PORT = 7174;

    private ConnectionLitmus() {}

    private static InetSocketAddress at(Device device) {
        return new InetSocketAddress(device.gid().toInetAddress(), PORT);
    }

    private static EventChannel listen(Device device) {
        EventChannel events = EventChannel.open(device, CmOptions.USUAL);
        CmId listener = events.createId();
        listener.bindAddress(at(device));
        listener.listen(2);
        return events;
    }

    private static String next(EventChannel events) {
        CmEvent event = events.getEvent(LONG);
        event.acknowledge();
        return event.type().toString();
    }

    private static ConnectionParameters usual(int qp) {
        return ConnectionParameters.USUAL.withQpNumber(qp);
    }

    /** Two devices ask a third for a connection, which hears of them in the order of their coming. */
    static String twoRequests(Simulation simulation) {
        Device middle = simulation.open("middle");
        List<Device> others = List.of(simulation.open("left"), simulation.open("right"));
        EventChannel events = listen(middle);
        List<String> heard = new ArrayList<>();
        List<CmId> asking = others.stream()
                .map(other -> EventChannel.open(other).createId())
                .toList();
        asking.forEach(
                id -> simulation.node(id.device().name(), node -> id.resolveAndConnect(at(middle), SHORT, usual(17))));
        simulation.node("middle", node -> {
            for (int i = 0; i < others.size(); i++) {
                CmEvent event = events.getEvent(LONG);
                heard.add(event.id().peerAddress().getAddress().getHostAddress());
                event.id().reject();
                event.acknowledge();
            }
        });
        return simulation.run() + " " + heard;
    }

    /** Right begins to listen while left asks it. */
    static String listenLate(Simulation simulation) {
        Device left = simulation.open("left");
        Device right = simulation.open("right");
        EventChannel answers = EventChannel.open(left);
        CmId asking = answers.createId();
        CmId listener = EventChannel.open(right).createId();
        listener.bindAddress(at(right));
        List<String> heard = new ArrayList<>();
        simulation.node("left", node -> {
            asking.resolveAndConnect(at(right), SHORT, usual(17));
            heard.add(next(answers));
        });
        simulation.node("right", node -> listener.listen(1));
        return simulation.run() + " " + heard;
    }

    /** Right disconnects a queue pair that a twin of left takes to ERR. */
    static String failTwice(Simulation simulation) {
        Device left = simulation.open("left");
        Device right = simulation.open("right");
        EventChannel requests = listen(right);
        EventChannel answers = EventChannel.open(left, CmOptions.USUAL.withAnswersDisconnects(true));
        CmId asking = answers.createId();
        boolean[] ending = new boolean[1];
        simulation.node("left", node -> {
            asking.resolveAddress(null, at(right), SHORT);
            next(answers);
            asking.resolveRoute(SHORT);
            next(answers);
            asking.createQp(left.allocatePd(), QpInitAttributes.rc(left.createCq(2)));
            asking.connect(ConnectionParameters.USUAL);
            next(answers);
        });
        simulation.node("its twin", node -> {
            node.await(() -> ending[0]);
            asking.qp().modify(new QpAttributes().state(QpState.ERR));
        });
        simulation.node("right", node -> {
            CmEvent request = requests.getEvent(LONG);
            CmId asked = request.id();
            request.acknowledge();
            asked.createQp(right.allocatePd(), QpInitAttributes.rc(right.createCq(2)));
            asked.accept(ConnectionParameters.USUAL);
            next(requests);
            ending[0] = true;
            asked.disconnect();
        });
        return simulation.run() + " " + asking.qp().query().reason();
    }

    /** Two devices answer a third that does not look at it, and repeat their answers at the same time. */
    static String repeatTwoAnswers(Simulation simulation) {
        List<Device> asked = List.of(simulation.open("left"), simulation.open("right"));
        List<EventChannel> requests =
                asked.stream().map(ConnectionLitmus::listen).toList();
        EventChannel answers = EventChannel.open(simulation.open("middle"));
        List<CmId> asking = List.of(answers.createId(), answers.createId());
        List<String> heard = new ArrayList<>();
        simulation.node("middle", node -> {
            for (int i = 0; i < asking.size(); i++) {
                asking.get(i).resolveAndConnect(at(asked.get(i)), SHORT, usual(17));
            }
        });
        requests.forEach(events -> simulation.node(events.device().name(), node -> {
            CmEvent request = events.getEvent(LONG);
            request.acknowledge();
            request.id().accept(usual(18));
            heard.add(next(events));
        }));
        return simulation.run() + " " + heard.size();
    }

    /** Left closes an identifier as soon as a twin has acknowledged its event. */
    static String closeWhenAcknowledged(Simulation simulation) {
        Device left = simulation.open("left");
        Device right = simulation.open("right");
        EventChannel.open(right);
        EventChannel answers = EventChannel.open(left);
        CmId asking = answers.createId();
        CmEvent[] fetched = new CmEvent[1];
        simulation.node("left", node -> {
            asking.resolveAndConnect(at(right), SHORT, usual(17));
            fetched[0] = answers.getEvent(LONG);
            node.others();
            asking.close(LONG);
        });
        simulation.node("its twin", node -> {
            node.await(() -> fetched[0] != null);
            node.others();
            fetched[0].acknowledge();
        });
        return simulation.run() + " " + fetched[0].type();
    }

    /** What is called for an event of a connection sets a variable, at which a twin looks once. */
    static String lookAtAVariable(Simulation simulation) {
        Device left = simulation.open("left");
        Device right = simulation.open("right");
        boolean[] told = new boolean[1];
        listen(right).onReady(() -> told[0] = true);
        CmId asking = EventChannel.open(left).createId();
        simulation.node("left", node -> asking.resolveAndConnect(at(right), SHORT, usual(17)));
        return seen(simulation, told);
    }

    /** What is called for an event that is moved to another channel sets it. */
    static String lookAtAVariableOfAMovedEvent(Simulation simulation) {
        Device left = simulation.open("left");
        Device right = simulation.open("right");
        boolean[] told = new boolean[1];
        EventChannel answers = EventChannel.open(left);
        EventChannel others = EventChannel.open(left);
        answers.onReady(() -> {}, () -> told[0] = true);
        EventChannel.open(right);
        CmId asking = answers.createId();
        simulation.node("left", node -> {
            asking.resolveAddress(null, at(right), SHORT);
            asking.migrate(others);
        });
        return seen(simulation, told);
    }

    /** The same of a completion. */
    static String lookAtAVariableOfACompletion(LitmusPair pair) {
        boolean[] told = new boolean[1];
        CompletionChannel channel = pair.left.device.createCompletionChannel();
        CompletionQueue cq = pair.left.device.createCq(2, null, channel, 0);
        QueuePair sender = pair.left.pd.createQp(QpInitAttributes.rc(cq));
        RcConnection.USUAL.join(sender, pair.right.newQueuePair());
        channel.onReady(() -> told[0] = true);
        cq.requestNotify(false);
        pair.simulation.node("left", node -> sender.postSend(pair.write(1, 0, 8)));
        return seen(pair.simulation, told);
    }

    private static String seen(Simulation simulation, boolean[] told) {
        boolean[] seen = new boolean[1];
        simulation.node("its twin", node -> {
            node.others();
            seen[0] = told[0];
        });
        return simulation.run() + " " + seen[0];
    }
}
