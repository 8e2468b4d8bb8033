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

/** A work request was posted. */
@Name("dev.verbatim.Post")
@Label("Post")
@Description("A work request was posted.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class PostEvent extends DeviceEvent {

    @Label("Work Request")
    long workRequestId;

    @Label("Opcode")
    @Nullable
    String opcode;
}
