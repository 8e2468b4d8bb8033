// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.Verbatim;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;

/** A run of a program on two devices with a lossy link between them, in virtual time. */
final class Traffic implements AutoCloseable {

    private static final int DEPTH = 32;
    private static final int MOST_STEPS = 3_000_000;
    private static final long LATE_NANOS = 2_000_000;
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(DEPTH, DEPTH, 3, 3, 0);

    final Program program;
    final RecordingTap tap = new RecordingTap();
    final List<RequestStream> streams = new ArrayList<>();
    private final LossyFabric fabric;
    private final Verbatim door;
    private final List<ProtectionDomain> domains = new ArrayList<>();

    Traffic(Program program, Ground ground, DeviceProfile profile) {
        this.program = program;
        this.fabric = new LossyFabric(program.seed(), program.faults());
        this.door = Verbatim.over(fabric).profile(profile).tap(tap);
        domains.add(door.open("left").allocatePd());
        domains.add(door.open("right").allocatePd());
        MemoryRegion[] shared = {register(0, ground.shared[0]), register(1, ground.shared[1])};
        for (int i = 0; i < program.streams().size(); i += 2) {
            QueuePair left = queuePair(0);
            QueuePair right = queuePair(1);
            connect(left, right);
            addStream(i, ground, left, right, shared[1]);
            if (i + 1 < program.streams().size()) {
                addStream(i + 1, ground, right, left, shared[0]);
            }
        }
    }

    private QueuePair queuePair(int side) {
        ProtectionDomain pd = domains.get(side);
        Device device = pd.device();
        return pd.createQp(QpInitAttributes.rc(device.createCq(DEPTH), device.createCq(DEPTH), CAPABILITIES));
    }

    private MemoryRegion register(int side, Memory memory) {
        return domains.get(side).register(memory, Side.ALL_RIGHTS);
    }

    private void connect(QueuePair left, QueuePair right) {
        RcConnection connection = program.connection();
        connection.readyToReceive(left, Endpoint.of(right, program.firstPsn()));
        connection.readyToReceive(right, Endpoint.of(left, program.firstPsn()));
        connection.readyToSend(left, program.firstPsn());
        connection.readyToSend(right, program.firstPsn());
    }

    private void addStream(int i, Ground ground, QueuePair asking, QueuePair answering, MemoryRegion shared) {
        streams.add(new RequestStream(
                i,
                program.streams().get(i),
                asking,
                answering,
                register(i % 2, ground.asking[i]),
                register(1 - i % 2, ground.answering[i]),
                shared));
    }

    /** Posts everything, half of the receives too late, and lets happen what will. */
    Traffic run() {
        streams.forEach(stream -> stream.postReceives(stream.operations.size() / 2));
        streams.forEach(RequestStream::postSends);
        fabric.passNanos(LATE_NANOS);
        streams.forEach(stream -> stream.postReceives(stream.operations.size()));
        int steps = 0;
        while (fabric.step()) {
            if (++steps > MOST_STEPS) {
                throw new AssertionError("no end after " + MOST_STEPS + " steps: " + fabric);
            }
        }
        return this;
    }

    /** Every event with its time, one a line. */
    List<String> trace() {
        return tap.events().stream()
                .map(event -> event.timeNanos() + " " + event.device() + " " + event.qp() + " " + event)
                .toList();
    }

    /** What happened in both devices, in the order in which it happened. */
    List<TraceEvent> events() {
        return tap.events();
    }

    @Override
    public void close() {
        door.close();
    }
}
