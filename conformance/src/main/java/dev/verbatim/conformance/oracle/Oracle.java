// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.conformance.oracle.effect.Effects;
import dev.verbatim.conformance.oracle.effect.Responses;
import dev.verbatim.conformance.oracle.memory.MemoryModel;
import dev.verbatim.conformance.oracle.memory.PendingPlacement;
import dev.verbatim.conformance.oracle.memory.ShadowMemory;
import dev.verbatim.conformance.oracle.peer.PeerJudge;
import dev.verbatim.conformance.oracle.queue.DeviceModel;
import dev.verbatim.conformance.oracle.queue.QueuePairModel;
import dev.verbatim.conformance.oracle.queue.SendQueueModel;
import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Findings;
import dev.verbatim.conformance.oracle.report.Gap;
import dev.verbatim.conformance.oracle.report.Text;
import dev.verbatim.conformance.oracle.report.Verdict;
import dev.verbatim.conformance.oracle.report.WeakBehaviour;
import dev.verbatim.conformance.oracle.request.Request;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.Connected;
import dev.verbatim.trace.TraceEvent.EventRaised;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.LinkFaulted;
import dev.verbatim.trace.TraceEvent.MemoryShown;
import dev.verbatim.trace.TraceEvent.MemoryTouched;
import dev.verbatim.trace.TraceEvent.PacketDropped;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.trace.TraceEvent.PacketSent;
import dev.verbatim.trace.TraceEvent.ProgramTouched;
import dev.verbatim.trace.TraceEvent.ReceivePosted;
import dev.verbatim.trace.TraceEvent.SendPosted;
import dev.verbatim.trace.TraceEvent.SharedReceiveLimited;
import dev.verbatim.trace.TraceEvent.SharedReceivePosted;
import dev.verbatim.trace.TraceEvent.SharedReceiveTaken;
import dev.verbatim.trace.TraceEvent.Started;
import dev.verbatim.trace.TraceEvent.StateChanged;
import dev.verbatim.trace.TraceEvent.ViewChanged;
import dev.verbatim.trace.TraceEvent.WindowChanged;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether each observation of a run was permitted, and which rule forbids it. It is a tap of all devices of the run, which
 * must belong to one process; or it is given their events, in the order in which they happened.
 *
 * <p>It must be there before queue pairs leave RESET: what it did not see the beginning of is reported as not judged. Any
 * thread may call.
 */
public final class Oracle implements Tap {

    private final Findings findings = new Findings();
    private final ShadowMemory programs = new ShadowMemory();
    private final boolean programsTraced;
    private final Effects effects;
    private final Responses responses = new Responses(findings);
    private final Map<String, DeviceModel> devices = new LinkedHashMap<>();
    private final Map<Gid, DeviceModel> devicesByGid = new HashMap<>();
    private @Nullable DeviceModel last;
    private long position;
    private long newestCompleted = -1;
    private @Nullable QueuePairModel newestCompletedOf;

    private final @Nullable PeerJudge peer;
    private final Set<String> own;

    private Oracle(boolean programsTraced, String... own) {
        this.peer = own.length == 0 ? null : new PeerJudge(findings);
        this.own = Set.of(own);
        this.programsTraced = programsTraced;
        this.effects = new Effects(findings, programsTraced);
    }

    /** Of a run in which programs store to memory as they like: bytes whose stores were not reported are not judged. */
    public static Oracle ofDevices() {
        return new Oracle(false);
    }

    /** Of a run whose trace has every store of a program, or whose programs make none: every byte is judged. */
    public static Oracle ofDevicesAndPrograms() {
        return new Oracle(true);
    }

    /**
     * Of a run of which only one side is traced, for a peer that is no device of this process. The devices that are named are
     * judged as by {@link #ofDevices}; their peer by its packets, and by what it reports: events of any other name, namely posts,
     * completions, keys, and stores of programs, in their order there; and {@link #peerMemoryAtEnd}. What cannot be known is counted
     * as not judged.
     *
     * @param own names of the devices that are traced, at least one
     */
    public static Oracle ofOneSide(String... own) {
        if (own.length == 0) {
            throw new IllegalArgumentException("no device is named; name those that are traced");
        }
        return new Oracle(false, own);
    }

    /** Bytes of the peer's memory when nothing is left to happen; of {@link #ofOneSide} only. */
    public synchronized void peerMemoryAtEnd(long address, ByteBuffer data) {
        PeerJudge judge = peer;
        if (judge == null) {
            throw new IllegalStateException("all devices are in the trace; report memory to an oracle of one side");
        }
        judge.memoryAtEnd(address, data);
    }

    /** Of devices some of which keep bindings of type 2 over RESET ({@code keepOverReset}, MW-94). */
    public Oracle keepingWindowsOverReset() {
        findings.windowsOutliveReset = true;
        return this;
    }

    /** Takes the next events. */
    Oracle read(List<? extends TraceEvent> events) {
        events.forEach(this::on);
        return this;
    }

    @Override
    public synchronized void on(TraceEvent event) {
        PeerJudge judge = peer;
        if (judge != null && !own.contains(event.device())) {
            judge.reported(event, position);
        } else if (!(event instanceof TraceEvent.Decided)) {
            take(event);
            if (judge != null) {
                judge.own(event, position);
            }
        }
        position++;
    }

    private void take(TraceEvent event) {
        DeviceModel device = device(event.device());
        if (event instanceof MemoryTouched touched) {
            effects.touched(device.queuePair(touched.qp()), touched, position);
        } else if (event instanceof PacketSent sent) {
            sent(device, sent);
        } else if (event instanceof Started started) {
            QueuePairModel queuePair = device.queuePair(started.qp());
            if (isKnown(queuePair)) {
                queuePair.send().started(started, position);
            }
        } else if (event instanceof SendPosted posted) {
            device.queuePair(posted.qp()).send().posted(posted, position);
        } else if (event instanceof ReceivePosted posted) {
            device.queuePair(posted.qp()).events().postedReceive();
            device.queuePair(posted.qp()).receive().posted(posted, position);
        } else if (event instanceof SharedReceivePosted posted) {
            device.sharedReceives(posted.srq()).posted(posted);
        } else if (event instanceof SharedReceiveTaken taken) {
            QueuePairModel queuePair = device.queuePair(taken.qp());
            queuePair.events().tookSharedReceive();
            ReceiveWorkRequest receive = device.sharedReceives(taken.srq()).taken(taken, queuePair.life(), position);
            if (receive != null) {
                queuePair.receive().taken(taken.srq(), receive, position);
            }
        } else if (event instanceof SharedReceiveLimited limited) {
            device.sharedReceives(limited.srq()).limited(limited);
        } else if (event instanceof EventRaised raised && raised.type() == EventType.SRQ_LIMIT_REACHED) {
            device.sharedReceives(raised.srq()).limitReached(position);
        } else if (event instanceof EventRaised raised) {
            raised(device, raised);
        } else if (event instanceof PacketReceived received) {
            received(device.queuePair(received.qp()), received);
        } else if (event instanceof PacketDropped dropped) {
            device.queuePair(dropped.qp()).receive().datagrams().dropped();
        } else if (event instanceof LinkFaulted faulted) {
            findings.linksRepeat |= faulted.fault().contains("duplicates");
            findings.linksDisturb |= findings.linksRepeat
                    || faulted.fault().contains("delays")
                    || faulted.fault().contains("lets others overtake");
        } else if (event instanceof Completed completed) {
            completed(device.queuePair(completed.qp()), completed);
        } else if (event instanceof MemoryShown shown) {
            shown(device, shown);
        } else if (event instanceof ProgramTouched touched) {
            program(device, touched);
        } else if (event instanceof StateChanged changed) {
            device.queuePair(changed.qp()).changed(changed, position);
            if (changed.to() == QpState.RESET) {
                device.forget(changed.qp());
            }
        } else if (event instanceof Connected connected) {
            connected(device, connected);
        } else if (event instanceof KeyChanged changed) {
            if (!changed.coherent()) {
                programs.incoherent(changed.memoryAddress(), changed.lengthBytes());
            }
            device.keys().changed(changed, device.windows().has(changed.key()), position);
        } else if (event instanceof ViewChanged changed && !changed.behind().isEmpty()) {
            programs.incoherent(changed.address(), changed.lengthBytes());
        } else if (event instanceof WindowChanged changed) {
            device.windows().changed(changed, changed.qp() == 0 ? null : device.queuePair(changed.qp()), position);
        }
    }

    private void raised(DeviceModel device, EventRaised event) {
        if (event.qp() != 0 && device.queuePair(event.qp()).isKnown()) {
            device.queuePair(event.qp()).events().raised(event.type(), position);
        }
    }

    private void sent(DeviceModel device, PacketSent event) {
        QueuePairModel queuePair = device.queuePair(event.qp());
        queuePair.life().speaks(event.transportName());
        if (event.sourceQp() >= 0) {
            device.hasGid(event.source());
            devicesByGid.put(event.source(), device);
        }
        responses.sent(queuePair, event, position);
    }

    private void received(QueuePairModel queuePair, PacketReceived event) {
        queuePair.life().speaks(event.transportName());
        if (event.sourceQp() >= 0) {
            DeviceModel sender = devicesByGid.get(event.source());
            SendQueueModel asking =
                    sender == null ? null : sender.queuePair(event.sourceQp()).send();
            queuePair.receive().datagrams().arrived(asking, event.psn());
        }
    }

    private DeviceModel device(String name) {
        DeviceModel device = last;
        if (device == null || !device.name().equals(name)) {
            device = devices.computeIfAbsent(
                    name,
                    key -> new DeviceModel(key, new MemoryModel(key, programs, programsTraced, findings), findings));
            last = device;
        }
        return device;
    }

    private boolean isKnown(QueuePairModel queuePair) {
        if (!queuePair.isKnown()) {
            findings.notJudged(Gap.QUEUE_PAIR_OLDER_THAN_TRACE);
        }
        return queuePair.isKnown();
    }

    private void completed(QueuePairModel queuePair, Completed event) {
        if (!isKnown(queuePair)) {
            return;
        }
        if (event.opcode().isReceive()) {
            queuePair.receive().completed(event, position);
        } else {
            noteInterleaving(queuePair, queuePair.send().completions.completed(event, position));
        }
    }

    /** Whether a request of another queue pair that was posted later has completed before. */
    private void noteInterleaving(QueuePairModel queuePair, @Nullable Request request) {
        if (request == null) {
            return;
        }
        if (request.postedAt >= newestCompleted) {
            newestCompleted = request.postedAt;
            newestCompletedOf = queuePair;
        } else if (!queuePair.equals(newestCompletedOf)) {
            findings.seen(WeakBehaviour.QUEUE_PAIRS_INTERLEAVED);
            if (findings.wantsExample(WeakBehaviour.QUEUE_PAIRS_INTERLEAVED)) {
                findings.example(
                        WeakBehaviour.QUEUE_PAIRS_INTERLEAVED,
                        Text.of(
                                "#%d: %s of %s after one of %s that was posted later",
                                position, request, queuePair, String.valueOf(newestCompletedOf)));
            }
        }
    }

    private void shown(DeviceModel device, MemoryShown event) {
        QueuePairModel queuePair = device.queuePair(event.qp());
        PendingPlacement piece =
                device.memory().shown(queuePair.life(), event.psn(), event.address(), event.data(), position);
        if (piece == null) {
            findings.violated(
                    Check.PROGRAM_VIEW,
                    Text.of(
                            "%s shows %d bytes at 0x%x that it did not hold",
                            queuePair, event.lengthBytes(), event.address()),
                    position);
            programs.write(event.address(), event.data());
            return;
        }
        device.keyUse().shown(piece, queuePair.life(), event.address(), position);
    }

    private void program(DeviceModel device, ProgramTouched event) {
        if (event.store()) {
            device.memory().programWrote(event.address(), event.data());
        } else {
            device.memory().programRead(event.address(), event.data(), "a program of", device.name(), position);
        }
    }

    private void connected(DeviceModel device, Connected event) {
        device.hasGid(event.source());
        devicesByGid.put(event.source(), device);
        QueuePairModel queuePair = device.queuePair(event.qp());
        queuePair.connected(event.destination(), event.destinationQp());
        DeviceModel other = devicesByGid.get(event.destination());
        if (other != null && queuePair.isKnown()) {
            QueuePairModel peer = other.queuePair(event.destinationQp());
            if (peer.isKnown() && peer.isConnectedTo(queuePair)) {
                queuePair.join(peer);
            }
        }
    }

    /** What is to be said of the run up to now. */
    public synchronized Verdict verdict() {
        return findings.verdict(position);
    }

    /**
     * What is to be said of a run in which nothing is left to happen: what has not completed by now never will. Of one side it is
     * asked once.
     */
    public synchronized Verdict verdictAtEnd() {
        devices.values().forEach(DeviceModel::settle);
        PeerJudge judge = peer;
        if (judge != null) {
            judge.judge();
        }
        Findings all = findings.copy();
        devices.values().forEach(device -> device.atEnd(all));
        return all.verdict(position);
    }
}
