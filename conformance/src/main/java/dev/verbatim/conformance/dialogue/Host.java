// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.Verbatim;
import dev.verbatim.cm.ConnectionRequest;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.transport.netty.OutOfBandListener;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.List;

/** Right's process: waits for {@link Caller}s and follows them through the script, one after another. */
public final class Host implements AutoCloseable {

    private final List<Step> script;
    private final Report report;
    private final Notebook notebook = new Notebook();
    private final AddressSpace addresses = new AddressSpace();
    private final NettyOptions options;
    private final InetSocketAddress lineAddress;
    private final Verbatim rdma;
    private final Device device;
    private final Door door;
    private final InetSocketAddress address;

    /**
     * Listens.
     *
     * @param address for callers; the lines of text that lead through the script take another port of the same host
     * @param options whom to let in
     * @throws VerbsException EIO if the address cannot be had; EACCES if it is not to be listened at like that
     */
    public Host(InetSocketAddress address, NettyOptions options, List<Step> script, Report report) {
        this.script = script;
        this.report = report;
        this.options = options;
        this.lineAddress = new InetSocketAddress(address.getAddress(), 0);
        this.rdma = Verbatim.over(NettyFabric.open(options)).tap(notebook);
        this.device = rdma.open(Diagram.RIGHT);
        try {
            this.door = new Door(device, address);
        } catch (VerbsException e) {
            rdma.close();
            throw e;
        }
        this.address =
                new InetSocketAddress(address.getAddress(), door.address().getPort());
        report.listening(this.address);
    }

    /**
     * Waits for a caller and goes with it to the end.
     *
     * @return whether everything was as the script says, as far as it is seen from here
     * @throws VerbsException if the caller is no caller or vanishes, or if this is closed meanwhile
     */
    public boolean converse() {
        ConnectionRequest request = door.await();
        try (Party right = new Party(device, addresses);
                OutOfBandListener lines = OutOfBandListener.open(lineAddress, options)) {
            right.accept(request, lines.address().getPort());
            Script.setTheScene(right);
            try (OutOfBand line = lines.accept(Protocol.PATIENCE_NANOS)) {
                Endpoint ready = line.receive(Protocol.PATIENCE_NANOS);
                requireLeft(ready, right.peer());
                report.connected(
                        Caller.how(right.peer(), right.facts(), address),
                        List.of(right.peer(), right.facts()),
                        notebook.tearOut(0));
                line.send(ready);
                return follow(line, new LocalActor(right, new Answering(right, door)));
            }
        } finally {
            notebook.tearOut(0);
        }
    }

    private static void requireLeft(Endpoint ready, Facts left) {
        if (ready.number(Protocol.READY) != left.qpNumber()) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "[%s] is not of qp 0x%x; the caller is no verbatim",
                    ready,
                    left.qpNumber());
        }
    }

    private boolean follow(OutOfBand line, Actor right) {
        int concluded = 0;
        boolean asExpected = true;
        Endpoint asked = line.receive(Protocol.PATIENCE_NANOS);
        while (!asked.has(Protocol.BYE)) {
            if (concluded == script.size()) {
                throw VerbsException.of(
                        Errno.EINVAL, Rule.N_05, "[%s] comes after the last step; the caller is no verbatim", asked);
            }
            Step step = script.get(concluded);
            if (asked.has(Protocol.PREPARE)) {
                report.begun(step);
                right.prepare(step);
                line.send(asked);
            } else {
                Outcome outcome = end(step, asked, right);
                report.ended(step, notebook.tearOut(step.number()), List.of(outcome));
                line.send(Protocol.ended(asked, outcome));
                asExpected &= outcome.asExpected();
                concluded++;
            }
            asked = line.receive(Protocol.PATIENCE_NANOS);
        }
        line.send(asked);
        boolean all = asExpected && concluded == script.size();
        report.finished(all);
        return all;
    }

    private Outcome end(Step step, Endpoint asked, Actor right) {
        if (asked.has(Protocol.PERFORM)) {
            report.begun(step);
            return right.perform(step);
        }
        return right.conclude(step, Protocol.isLeftContent(asked));
    }

    @Override
    public void close() {
        rdma.close();
    }
}
