// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.dialogue;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.narration.Diagram;
import dev.verbatim.transport.netty.Endpoint;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.OutOfBand;
import dev.verbatim.transport.netty.OutOfBandListener;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Right's process: waits for {@link Caller}s and follows them through the script, one after another. */
public final class Host implements AutoCloseable {

    private static final long WAIT_NANOS = 60_000_000_000L;

    private final List<Step> script;
    private final Report report;
    private final Notebook notebook = new Notebook();
    private final AddressSpace addresses = new AddressSpace();
    private final OutOfBandListener listener;
    private final Verbatim rdma;
    private final Device device;
    private final InetSocketAddress deviceAddress;

    /**
     * Listens.
     *
     * @param address for callers; the device listens at another port of the same host
     * @param options whom to let in
     * @throws VerbsException EIO if the address cannot be had; EACCES if it is not to be listened at like that
     */
    public Host(InetSocketAddress address, NettyOptions options, List<Step> script, Report report) {
        this.script = script;
        this.report = report;
        this.listener = OutOfBandListener.open(address, options);
        NettyFabric fabric = NettyFabric.open(options);
        this.rdma = Verbatim.over(fabric).tap(notebook);
        this.device = rdma.open(Diagram.RIGHT);
        this.deviceAddress = fabric.listen(new InetSocketAddress(address.getAddress(), 0));
        report.listening(listener.address());
    }

    /**
     * Waits for a caller and goes with it to the end.
     *
     * @return whether everything was as the script says, as far as it is seen from here
     * @throws VerbsException if the caller is no caller or vanishes, or if this is closed meanwhile
     */
    public boolean converse() {
        try (OutOfBand line = awaitCaller();
                Party right = new Party(device, addresses)) {
            Facts left = Protocol.facts(line.receive(Protocol.PATIENCE_NANOS));
            line.send(Protocol.hello(right.facts()).with(Endpoint.FABRIC_PORT, deviceAddress.getPort()));
            Script.setTheScene(right);
            Endpoint ready = line.receive(Protocol.PATIENCE_NANOS);
            right.connect(left);
            report.connected(
                    Caller.how(left, right.facts(), deviceAddress), List.of(left, right.facts()), notebook.tearOut(0));
            line.send(ready);
            return follow(line, new LocalActor(right, left));
        } finally {
            notebook.tearOut(0);
        }
    }

    private OutOfBand awaitCaller() {
        OutOfBand line = null;
        while (line == null) {
            line = acceptOnce();
        }
        return line;
    }

    private @Nullable OutOfBand acceptOnce() {
        try {
            return listener.accept(WAIT_NANOS);
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                return null;
            }
            throw e;
        }
    }

    private boolean follow(OutOfBand line, Actor right) {
        int concluded = 0;
        boolean asExpected = true;
        Endpoint asked = line.receive(Protocol.PATIENCE_NANOS);
        while (!asked.has(Protocol.BYE)) {
            if (concluded == script.size()) {
                throw VerbsException.of(
                        Errno.EINVAL, "N-05", "[%s] comes after the last step; the caller is no verbatim", asked);
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
        listener.close();
        rdma.close();
    }
}
