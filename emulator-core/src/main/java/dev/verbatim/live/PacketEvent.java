// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A packet was sent or received. */
@Name("dev.verbatim.Packet")
@Label("Packet")
@Description("A packet was sent or received.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class PacketEvent extends DeviceEvent {

    @Label("Sent")
    @Description("Whether the device sent it; otherwise it received it")
    boolean sent;

    @Label("Peer")
    @Nullable
    String peer;

    @Label("Opcode")
    @Nullable
    String opcode;

    @Label("PSN")
    @Description("Packet sequence number")
    int psn;

    @Label("Payload Bytes")
    int payloadBytes;
}
