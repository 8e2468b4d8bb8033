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

/** A work request completed. */
@Name("dev.verbatim.Completion")
@Label("Completion")
@Description("A work request completed.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class CompletionEvent extends DeviceEvent {

    @Label("Work Request")
    long workRequestId;

    @Label("Opcode")
    @Nullable
    String opcode;

    @Label("Status")
    @Nullable
    String status;

    @Label("Bytes")
    int byteLength;
}
