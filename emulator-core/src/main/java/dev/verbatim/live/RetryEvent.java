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

/** A requester sent a packet again. */
@Name("dev.verbatim.Retry")
@Label("Retry")
@Description("A requester sent a packet again.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class RetryEvent extends DeviceEvent {

    @Label("Opcode")
    @Nullable
    String opcode;

    @Label("PSN")
    @Description("Packet sequence number")
    int psn;
}
