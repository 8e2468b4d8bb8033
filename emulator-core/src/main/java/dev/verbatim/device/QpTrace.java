// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import dev.verbatim.fabric.Link;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import org.jspecify.annotations.Nullable;

/** Tells the device's tap what a queue pair does; nothing is made unless somebody watches. */
final class QpTrace {

    private final EmulatedDevice device;
    private final int number;

    QpTrace(EmulatedDevice device, int number) {
        this.device = device;
        this.number = number;
    }

    /** A packet leaves over a link; without one, none does. */
    void sent(Packet packet, @Nullable Link link) {
        if (device.isTraced() && link != null) {
            device.trace(new TraceEvent.PacketSent(
                    now(), device.name(), number, device.gid(), link.peer(), PacketRecord.of(packet)));
        }
    }

    /** A packet came over a link; without one, none does. */
    void received(Packet packet, @Nullable Link link) {
        if (device.isTraced() && link != null) {
            device.trace(new TraceEvent.PacketReceived(
                    now(), device.name(), number, link.peer(), device.gid(), PacketRecord.of(packet)));
        }
    }

    void dropped(Packet packet, String rule, String format, Object... values) {
        if (device.isTraced()) {
            Refusal reason = Refusal.of(rule, format, values);
            device.trace(new TraceEvent.PacketDropped(now(), device.name(), number, PacketRecord.of(packet), reason));
        }
    }

    void stateChanged(QpState from, QpState to, @Nullable Refusal reason) {
        if (device.isTraced() && from != to) {
            device.trace(new TraceEvent.StateChanged(now(), device.name(), number, from, to, reason));
        }
    }

    void completed(long id, WcStatus status, WcOpcode opcode, int byteLength, @Nullable Refusal refusal) {
        if (!device.isTraced()) {
            return;
        }
        device.decided(number, status == WcStatus.SUCCESS ? "WC-02" : "WC-01");
        if (status == WcStatus.WR_FLUSH_ERR) {
            device.decided(number, "WC-40");
        }
        device.trace(new TraceEvent.Completed(now(), device.name(), number, id, status, opcode, byteLength, refusal));
    }

    private long now() {
        return device.lane().nowNanos();
    }
}
