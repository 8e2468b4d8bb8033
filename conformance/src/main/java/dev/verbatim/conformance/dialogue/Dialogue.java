// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Left and right go through the script, step by step, until the end or until one does not end as it should. */
public final class Dialogue {

    /** The number under which right listens, where devices are reached without sockets. */
    static final int PORT = 7471;

    private Dialogue() {}

    /** Holds it between two devices of this JVM; whether everything was as the script says. */
    public static boolean inProcess(List<Step> script, Report report) {
        return inProcess(script, event -> {}, report);
    }

    /** Does the same, and shows {@code tap} what both devices do. */
    public static boolean inProcess(List<Step> script, Tap tap, Report report) {
        Notebook notebook = new Notebook();
        try (Verbatim rdma = Verbatim.inProcess().tap(notebook.and(tap))) {
            AddressSpace addresses = new AddressSpace();
            Party left = new Party(rdma.open(Diagram.LEFT), addresses);
            Device device = rdma.open(Diagram.RIGHT);
            Party right = new Party(device, addresses);
            InetSocketAddress address = new InetSocketAddress(device.gid().toInetAddress(), PORT);
            try (Door door = new Door(device, address)) {
                Way there = new Calling(left, address);
                Way here = new Answering(right, door);
                here.begin();
                there.complete();
                here.complete();
                report.connected("both in this process", List.of(left.facts(), right.facts()), notebook.tearOut(0));
                Script.setTheScene(right);
                return hold(
                        script,
                        new LocalActor(left, there),
                        new LocalActor(right, here),
                        notebook,
                        Chronicle.ofOneProcess(),
                        report);
            }
        }
    }

    /** Tells the story of a window in the words of NetworkDirect, between two devices of this JVM that reach each other directly. */
    public static boolean ofNetworkDirect(Tap tap, Report report) {
        Notebook notebook = new Notebook();
        try (Verbatim rdma = Verbatim.inProcess().tap(notebook.and(tap))) {
            Device left = rdma.open(Diagram.LEFT);
            Device right = rdma.open(Diagram.RIGHT);
            InetSocketAddress address = new InetSocketAddress(right.gid().toInetAddress(), PORT);
            return ofNetworkDirect(left, right, address, notebook, report);
        }
    }

    /** Tells the same between two devices of this JVM that reach each other over TCP. */
    public static boolean ofNetworkDirectOverTcp(Tap tap, Report report) {
        Notebook notebook = new Notebook();
        try (Verbatim here = Verbatim.over(NettyFabric.open()).tap(notebook.and(tap));
                Verbatim there = Verbatim.over(NettyFabric.open()).tap(notebook.and(tap))) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return ofNetworkDirect(here.open(Diagram.LEFT), there.open(Diagram.RIGHT), address, notebook, report);
        }
    }

    private static boolean ofNetworkDirect(
            Device left, Device right, InetSocketAddress address, Notebook notebook, Report report) {
        AddressSpace addresses = new AddressSpace();
        NetworkDirectSide asking = new NetworkDirectSide(left, addresses, notebook);
        NetworkDirectSide asked = new NetworkDirectSide(right, addresses, notebook);
        try {
            String how = "both in this process, in the words of NetworkDirect";
            return new NetworkDirectStory(asking, asked, notebook, report).tell(how, address);
        } finally {
            asking.release();
            asked.release();
        }
    }

    static boolean hold(
            List<Step> script, Actor left, Actor right, Notebook notebook, Chronicle chronicle, Report report) {
        boolean asExpected = true;
        for (Step step : script) {
            if (asExpected) {
                report.begun(step);
                List<Outcome> outcomes = play(step, left, right);
                report.ended(step, chronicle.complete(step.number(), notebook.tearOut(step.number())), outcomes);
                asExpected = outcomes.stream().allMatch(Outcome::asExpected);
            }
        }
        report.finished(asExpected);
        return asExpected;
    }

    private static List<Outcome> play(Step step, Actor left, Actor right) {
        boolean byLeft = step.actor().equals(Diagram.LEFT);
        Actor actor = byLeft ? left : right;
        Actor other = byLeft ? right : left;
        other.prepare(step);
        Outcome performed = actor.perform(step);
        Outcome concluded = other.conclude(step, performed.asExpected());
        return byLeft ? List.of(performed, concluded) : List.of(concluded, performed);
    }
}
