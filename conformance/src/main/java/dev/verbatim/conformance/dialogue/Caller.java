// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionException;
import dev.verbatim.cm.RejectReason;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Left's process: calls a {@link Host} and leads it through the script. */
public final class Caller {

    private Caller() {}

    /**
     * Calls, and holds the dialogue.
     *
     * @param address where the host listens
     * @param options what this end proves and asks for
     * @param chronicle completes what this process sees
     * @return whether everything was as the script says
     * @throws dev.verbatim.verbs.VerbsException if nobody answers there, who does is no host, or it vanishes
     */
    public static boolean call(
            InetSocketAddress address, NettyOptions options, List<Step> script, Chronicle chronicle, Report report) {
        return call(address, options, script, event -> {}, chronicle, report);
    }

    /** Does the same with {@link NettyOptions#defaults()}, and shows {@code tap} what the left device does. */
    public static boolean call(
            InetSocketAddress address, List<Step> script, Tap tap, Chronicle chronicle, Report report) {
        return call(address, NettyOptions.defaults(), script, tap, chronicle, report);
    }

    private static boolean call(
            InetSocketAddress address,
            NettyOptions options,
            List<Step> script,
            Tap tap,
            Chronicle chronicle,
            Report report) {
        Notebook notebook = new Notebook();
        NettyFabric fabric = NettyFabric.open(options);
        try (Verbatim rdma = Verbatim.over(fabric).tap(notebook.and(tap))) {
            Party left = new Party(rdma.open(Diagram.LEFT), new AddressSpace());
            int linePort = connect(left, address);
            InetSocketAddress lines = new InetSocketAddress(address.getAddress(), linePort);
            try (OutOfBand line = OutOfBand.connect(lines, Protocol.PATIENCE_NANOS, options)) {
                Facts own = left.facts();
                Protocol.ask(line, Protocol.READY, Protocol.word(Protocol.READY, own.qpNumber()));
                report.connected(
                        how(own, left.peer(), address),
                        List.of(own, left.peer()),
                        chronicle.complete(0, notebook.tearOut(0)));
                Actor here = new LocalActor(left, new Calling(left, address));
                boolean asExpected = Dialogue.hold(script, here, new RemoteActor(line), notebook, chronicle, report);
                Protocol.ask(line, Protocol.BYE, Protocol.word(Protocol.BYE, 0));
                return asExpected;
            }
        }
    }

    /** Connects, and says why not in words that help. */
    private static int connect(Party left, InetSocketAddress address) {
        try {
            return left.connect(address);
        } catch (ConnectionException e) {
            throw new VerbsException(
                    e.errno(), Refusal.of(e.refusal().brokenRule(), "%s: %s", HostAndPort.of(address), why(e)));
        }
    }

    private static String why(ConnectionException failure) {
        if (failure.status() == RejectReason.INVALID_SERVICE_ID.number()) {
            return "a device is there, but nobody who takes connections at that port; start verbatim serve there first";
        } else if (failure.status() > 0) {
            String said = new String(failure.privateData(), StandardCharsets.US_ASCII)
                    .replace('\0', ' ')
                    .strip();
            return said.isEmpty() ? failure.refusal().sentence() : "refused, and says: " + said;
        } else if (failure.errno() == Errno.ECONNREFUSED) {
            return "connection refused; start the other process first and give the port that it shows";
        } else if (failure.errno() == Errno.ETIMEDOUT) {
            return "no answer within " + Party.PATIENCE.toSeconds()
                    + " s; see whether it runs, and talks to another just now";
        }
        return failure.refusal().sentence().replaceFirst("^[A-Z_]+ status=-?\\d+: ", "");
    }

    /** How two processes are connected, for a reader. */
    static String how(Facts left, Facts right, InetSocketAddress device) {
        return "left in process " + left.processId() + ", right in process " + right.processId() + ", over TCP at "
                + HostAndPort.of(device);
    }
}
