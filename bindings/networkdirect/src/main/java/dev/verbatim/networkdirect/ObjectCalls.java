// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.fabric.ManagedDevice;
import dev.verbatim.fabric.SystemClock;
import dev.verbatim.fabric.WaitPoint;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Standstill;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the objects of one adapter. Each is one step of a program in a simulation, although it calls several verbs, some of them
 * with monitors held; and each is reported, since what objects remember no verb tells of.
 */
final class ObjectCalls {

    /** Calls of objects that belong to no device. */
    public static final ObjectCalls NONE = new ObjectCalls("", null, null);

    private final String deviceName;
    private final @Nullable Device verbs;
    private final @Nullable ManagedDevice device;
    private final @Nullable Lane lane;

    /** The calls of an adapter of that device. */
    public ObjectCalls(Device device) {
        this(device.name(), device, device instanceof ManagedDevice managed ? managed : null);
    }

    private ObjectCalls(String deviceName, @Nullable Device verbs, @Nullable ManagedDevice device) {
        this.deviceName = deviceName;
        this.verbs = verbs;
        this.device = device;
        this.lane = device == null ? null : device.managementPort().lane();
    }

    /** A program looked at an object, or changed it. */
    public void touched() {
        if (lane != null) {
            lane.touched(deviceName, DevicePart.NETWORK_DIRECT);
        }
    }

    /** A call read bytes of a program. */
    public void memoryRead(long address, int lengthBytes) {
        if (lane != null) {
            lane.memoryLookedAt(address, lengthBytes);
        }
    }

    /** A call begins; without monitors. */
    public void begin() {
        if (lane != null) {
            touched();
            lane.beginCall();
        }
    }

    /** It ends, and others may have their turn. */
    public void end() {
        if (lane != null && lane.endCall()) {
            lane.giveWay();
        }
    }

    /** The same for a call that is a part of a wait, or comes back to make progress: whether others are to have their turn. */
    public boolean endPart() {
        return lane != null && lane.endCall();
    }

    /** Runs a call. */
    public <T> T run(Supplier<T> call) {
        begin();
        try {
            return call.get();
        } finally {
            end();
        }
    }

    /** Runs a call that may give nothing. */
    public <T> @Nullable T runNullable(Supplier<? extends @Nullable T> call) {
        begin();
        try {
            return call.get();
        } finally {
            end();
        }
    }

    /** Runs a part of a wait. */
    public void runPart(Runnable part) {
        begin();
        try {
            part.run();
        } finally {
            boolean unused = endPart();
        }
    }

    /** Makes progress. */
    public void progress() {
        if (lane != null) {
            lane.progress();
        }
    }

    /**
     * Parks until the place is ready, for at most that long, and makes progress meanwhile where the waiting thread has to.
     *
     * @return false if there is no device to park at
     */
    boolean await(WaitPoint place, long patienceNanos) {
        if (lane == null) {
            return false;
        }
        boolean unused = lane.await(place, patienceNanos);
        return true;
    }

    /** A program is about to wait for events of the channel, of which there is none. */
    void waitsFor(CompletionChannel channel) {
        if (device != null) {
            device.waitsFor(channel);
        }
    }

    /** What of the device does not get on. */
    List<Standstill> standstills() {
        return verbs == null ? List.of() : verbs.standstills();
    }

    /** On which the device runs; null if there is no device. */
    @Nullable
    Lane lane() {
        return lane;
    }

    /** Time as the device has it. */
    public long nanoTime() {
        return lane == null ? SystemClock.INSTANCE.nanoTime() : lane.clock().nanoTime();
    }

    /** Whether that is simulated. */
    public boolean isSimulated() {
        return lane != null && lane.isSimulated();
    }
}
