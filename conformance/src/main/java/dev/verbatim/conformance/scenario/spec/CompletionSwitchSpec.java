// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.profile.CompletionSwitches;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How the completions and events of a device differ from those of its profile. */
public record CompletionSwitchSpec(Map<String, Object> values) {

    /** The switches; a switch that is added to the profile needs a row here, which a test checks. */
    public static final SwitchTable<CompletionSwitches.Builder> SWITCHES = new SwitchTable<CompletionSwitches.Builder>()
            .constant(
                    "receive_status",
                    "what a receive says that failed",
                    CompletionSwitches.ReceiveStatus.class,
                    CompletionSwitches.Builder::receiveStatus)
            .constant(
                    "send_status",
                    "what a send says whose own data cannot be gathered",
                    CompletionSwitches.SendStatus.class,
                    CompletionSwitches.Builder::sendStatus)
            .constant(
                    "cq_overrun",
                    "what becomes of a completion queue that has no room for a completion",
                    CompletionSwitches.CqOverrun.class,
                    CompletionSwitches.Builder::cqOverrun)
            .flag("grh_flag_without_grh", CompletionSwitches.Builder::grhFlagWithoutGrh)
            .flag("sender_byte_length", CompletionSwitches.Builder::senderByteLength)
            .flag("vendor_errors", CompletionSwitches.Builder::vendorErrors)
            .flag("drain_always_told", CompletionSwitches.Builder::drainAlwaysTold)
            .flag("violation_events", CompletionSwitches.Builder::violationEvents)
            .flag("poison_error_cqe_fields", CompletionSwitches.Builder::poisonErrorCqeFields)
            .flag("outlive_queue_pair", CompletionSwitches.Builder::outliveQueuePair)
            .flag("events_collapse", CompletionSwitches.Builder::eventsCollapse)
            .flag("blocking_destroy", CompletionSwitches.Builder::blockingDestroy);

    /** As usual. */
    public static final CompletionSwitchSpec USUAL = new CompletionSwitchSpec(Map.of());

    /** In a file: a mapping of switches. */
    public static final Form<CompletionSwitchSpec> FORM = SWITCHES.form(
            new Mapping<>("completion_switches", "the completion switches of a device"),
            "The switch of that name of the device's completions and events.",
            CompletionSwitchSpec::values,
            CompletionSwitchSpec::new);

    /** Copies the map. */
    public CompletionSwitchSpec {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Those switches, except what this says. */
    public CompletionSwitches over(CompletionSwitches base) {
        CompletionSwitches.Builder builder = base.toBuilder();
        SWITCHES.set(builder, values);
        return builder.build();
    }
}
