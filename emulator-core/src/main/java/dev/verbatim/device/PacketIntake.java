// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.device.context.Denial;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.memory.DeviceMemory;
import dev.verbatim.device.qp.QpContext;
import dev.verbatim.device.qp.QueuePairs;
import dev.verbatim.fabric.LandingPlace;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.ManagementPort;
import dev.verbatim.fabric.PacketSink;
import dev.verbatim.profile.DeviceLimits;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import dev.verbatim.wire.SegmentRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What comes to a port of a device from its fabric, on the way to the queue pairs that it is for. */
final class PacketIntake implements PacketSink {

    private final DeviceContext device;
    private final DeviceMemory memory;
    private final QueuePairs queuePairs;
    private final EmulatedPort port;
    private final StepFailures stepFailures;
    private final Packet part = new Packet();

    PacketIntake(
            DeviceContext device,
            DeviceMemory memory,
            QueuePairs queuePairs,
            EmulatedPort port,
            StepFailures stepFailures) {
        this.device = device;
        this.memory = memory;
        this.stepFailures = stepFailures;
        this.queuePairs = queuePairs;
        this.port = port;
    }

    @Override
    public void carrierChanged(boolean present) {
        try {
            port.carrierChanged(present);
        } catch (RuntimeException | Error e) {
            stepFailures.failed(e);
        }
    }

    @Override
    public void carrierLost(Gid peer, boolean isGone) {
        try {
            port.management().carrierLost(peer, isGone);
        } catch (RuntimeException | Error e) {
            stepFailures.failed(e);
        }
    }

    @Override
    public void receive(Link link, Packet packet) {
        try {
            if (packet.packets() == 1) {
                take(link, packet);
            } else {
                receiveRun(link, packet);
            }
        } catch (RuntimeException | Error e) {
            stepFailures.failed(queuePairs.get(packet.destQp()), e);
        }
    }

    /** What is thrown fails the queue pair, as in {@link #receive}; the request was taken then, and has no answer. */
    @Override
    public boolean receivePlain(Link link, PlainRequest request, boolean answersNow) {
        QpContext queuePair = queuePairs.get(request.destQp);
        try {
            return queuePair != null
                    && queuePair.isReachedBy(link, port.own())
                    && queuePair.engine().receivePlain(request, answersNow);
        } catch (RuntimeException | Error e) {
            stepFailures.failed(queuePair, e);
            return true;
        }
    }

    /** What is thrown fails the queue pair, as in {@link #receive}; the answer was taken then. */
    @Override
    public boolean receivePlain(Link link, PlainAnswer answer) {
        QpContext queuePair = queuePairs.get(answer.destQp);
        try {
            return queuePair != null
                    && queuePair.isReachedBy(link, port.own())
                    && queuePair.engine().receivePlain(answer);
        } catch (RuntimeException | Error e) {
            stepFailures.failed(queuePair, e);
            return true;
        }
    }

    @Override
    public void carrierReported(Gid peer, String reason, String sentence) {
        if (reason.equals(CONGESTION_NOTIFICATION)) {
            device.counters().count(DeviceCounter.CNPS_DROPPED);
        } else if (reason.equals(SOCKET)) {
            device.counters().count(DeviceCounter.SEND_ERR);
        }
        if (device.isTraced()) {
            device.trace(
                    new TraceEvent.CarrierReported(device.lane().nowNanos(), device.name(), peer, reason, sentence));
        }
    }

    @Override
    public @Nullable Refusal reasonOfNak(Gid requester, int requesterQp, int qp, int psn) {
        Denial denial = device.nakReasons().find(requester, requesterQp, qp, psn);
        return denial == null ? null : denial.refusal();
    }

    @Override
    public @Nullable Refusal reasonOfSilence(Gid requester, int requesterQp, int qp) {
        QpContext queuePair = queuePairs.get(qp);
        if (queuePair == null) {
            return Refusal.of(Rule.QP_07, "device %s has no qp %d", device.name(), qp);
        }
        if (!queuePair.state().receives()) {
            return Refusal.of(
                            Rule.QP_28,
                            "qp %d of device %s does not receive in %s",
                            qp,
                            device.name(),
                            queuePair.state())
                    .causedBy(queuePair.root());
        }
        if (queuePair.port().number() != port.number()) {
            return Refusal.of(
                    Rule.H3_1,
                    "qp %d of device %s uses port %d, and the request came to port %d",
                    qp,
                    device.name(),
                    queuePair.port().number(),
                    port.number());
        }
        Link way = queuePair.link();
        return way != null && way.peer().equals(requester) && queuePair.destinationQp() == requesterQp
                ? null
                : Refusal.of(
                        Rule.H3_1,
                        "qp %d of device %s is connected to qp %d of %s, not to qp %d of %s",
                        qp,
                        device.name(),
                        queuePair.destinationQp(),
                        way == null ? "no device" : way.peer(),
                        requesterQp,
                        requester);
    }

    @Override
    public void linkFaulted(Gid from, Gid to, Packet packet, String fault) {
        if (device.isTraced()) {
            device.trace(new TraceEvent.LinkFaulted(
                    device.lane().nowNanos(), device.name(), from, to, fault, PacketRecord.of(packet)));
        }
    }

    /** Each time another queue pair is first: a link that breaks soon again would else serve the same ones and no others. */
    @Override
    public void linkResumed(Link link) {
        device.counters().count(DeviceCounter.LINK_CUTS);
        List<QpContext> served = new ArrayList<>();
        queuePairs.forEach(queuePair -> {
            if (queuePair.context().isReachedBy(link, port.own())) {
                served.add(queuePair.context());
            }
        });
        Collections.rotate(served, link.resumptions());
        for (QpContext queuePair : served) {
            try {
                queuePair.engine().linkResumed();
            } catch (RuntimeException | Error e) {
                queuePair.stepFailed(e);
            }
        }
    }

    /** A run is taken at once where it can be, and packet by packet otherwise. */
    private void receiveRun(Link link, Packet packet) {
        if (device.isTraced() || !takeRun(link, packet)) {
            for (int i = 0; i < packet.packets(); i++) {
                SegmentRun.part(packet, i, part);
                take(link, part);
            }
            part.payload().clear();
        }
    }

    /** A run that a queue pair received was counted as one packet; refused, its packets are counted when they are taken. */
    private boolean takeRun(Link link, Packet packet) {
        long before = device.counters().received();
        boolean taken = take(link, packet);
        if (device.counters().received() > before) {
            device.counters().correctReceived(taken ? packet.packets() - 1 : -1);
        }
        return taken;
    }

    /** A tap is shown a run packet by packet, and what is deferred is not there yet. */
    @Override
    public boolean land(Link link, Packet head, int payloadLengthBytes, LandingPlace place) {
        QpContext queuePair = queuePairs.get(head.destQp());
        try {
            return lands(queuePair, link, head, payloadLengthBytes, place);
        } catch (RuntimeException | Error e) {
            stepFailures.failed(queuePair, e);
            return false;
        }
    }

    private boolean lands(
            @Nullable QpContext queuePair, Link link, Packet head, int payloadLengthBytes, LandingPlace place) {
        return queuePair != null
                && !device.isObserved()
                && !memory.placements().holds()
                && queuePair.state().receives()
                && queuePair.isReachedBy(link, port.own())
                && head.opcode().transport() == queuePair.transport()
                && head.pkey() == DeviceLimits.DEFAULT_PKEY
                && queuePair.engine().land(head, payloadLengthBytes, place);
    }

    /**
     * The first step of H.3: is there a queue pair that this packet is for, over this link? Otherwise silence.
     *
     * @return false if it is a run that has to be taken packet by packet
     */
    private boolean take(Link link, Packet packet) {
        QpContext queuePair = queuePairs.get(packet.destQp());
        if (queuePair == null && packet.destQp() == ManagementPort.QP_NUMBER) {
            port.management().receive(link, packet);
        } else if (queuePair == null) {
            device.decided(packet.destQp(), Rule.QP_07);
            dropped(packet, "no queue pair has number 0x%06x", packet.destQp());
        } else if (!queuePair.state().receives()) {
            if (queuePair.state() == QpState.ERR) {
                device.decided(queuePair.number(), Rule.WC_06);
            }
            device.decided(packet.destQp(), Rule.QP_28);
            dropped(packet, "%s does not receive", queuePair);
        } else if (!queuePair.isReachedBy(link, port.own())) {
            dropped(packet, "it came from %s, which is not the peer of %s", link.peer(), queuePair);
        } else if (packet.opcode().transport() != queuePair.transport()) {
            dropped(packet, "%s is not of the transport of %s", packet.opcode(), queuePair);
        } else if (packet.pkey() != DeviceLimits.DEFAULT_PKEY) {
            port.badPkey();
            dropped(packet, "pkey=0x%04x is not 0xffff", packet.pkey());
        } else {
            return queuePair.receive(link, packet);
        }
        return true;
    }

    private void dropped(Packet packet, String format, Object... values) {
        Refusal reason = Refusal.of(Rule.H3_1, format, values);
        device.drops().add(packet.destQp(), false, reason);
        if (device.isTraced()) {
            device.trace(new TraceEvent.PacketDropped(
                    device.lane().nowNanos(), device.name(), packet.destQp(), PacketRecord.of(packet), reason));
        }
    }
}
