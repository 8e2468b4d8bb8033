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

/** A device refused a packet or a work request, or a queue pair failed. */
@Name("dev.verbatim.Refusal")
@Label("Refusal")
@Description("A device refused a packet or a work request, or a queue pair failed.")
@Category({"Verbatim", "Device"})
@Enabled(false)
@StackTrace(false)
final class RefusalEvent extends DeviceEvent {

    @Label("Rule")
    @Description("Id of the rule that was broken")
    @Nullable
    String rule;

    @Label("Sentence")
    @Nullable
    String sentence;
}
