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

/** A queue pair changed its state. */
@Name("dev.verbatim.State")
@Label("State")
@Description("A queue pair changed its state.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class StateEvent extends DeviceEvent {

    @Label("From")
    @Nullable
    String from;

    @Label("To")
    @Nullable
    String to;
}
