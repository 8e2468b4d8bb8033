// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.profile.WindowSwitches;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How the memory windows of a device differ from those of its profile. */
public record WindowSwitchSpec(Map<String, Object> values) {

    /** The switches; a switch that is added to the profile needs a row here, which a test checks. */
    public static final SwitchTable<WindowSwitches.Builder> SWITCHES = new SwitchTable<WindowSwitches.Builder>()
            .flag("type1", WindowSwitches.Builder::type1)
            .constant("type2", "what windows of type 2 are", WindowSwitches.Type2.class, WindowSwitches.Builder::type2)
            .constant(
                    "bound_region",
                    "what becomes of the deregistration of a bound region",
                    WindowSwitches.BoundRegion.class,
                    WindowSwitches.Builder::boundRegion)
            .constant(
                    "failed_remote_invalidation",
                    "an answer to a SEND_WITH_INV that fails",
                    WindowSwitches.FailedRemoteInvalidation.class,
                    WindowSwitches.Builder::failedRemoteInvalidation)
            .flag("free_window_invalidates", WindowSwitches.Builder::freeWindowInvalidates)
            .constant(
                    "local_inv_status",
                    "the status of a LOCAL_INV that fails",
                    WindowSwitches.LocalInvStatus.class,
                    WindowSwitches.Builder::localInvStatus)
            .flag("same_key_rebind", WindowSwitches.Builder::sameKeyRebind)
            .flag("bind_zero_based_mr", WindowSwitches.Builder::bindZeroBasedMr)
            .flag("zero_based_mr_refused_at_post", WindowSwitches.Builder::zeroBasedMrRefusedAtPost)
            .flag("keep_over_reset", WindowSwitches.Builder::keepOverReset)
            .flag("zero_based", WindowSwitches.Builder::zeroBased)
            .flag("mw_bind_right", WindowSwitches.Builder::mwBindRight)
            .flag("atomics", WindowSwitches.Builder::atomics)
            .flag("range_checked_at_bind", WindowSwitches.Builder::rangeCheckedAtBind)
            .flag("unsignaled_bind_errors", WindowSwitches.Builder::unsignaledBindErrors)
            .flag("cross_qp_invalidate", WindowSwitches.Builder::crossQpInvalidate)
            .flag("bind_updates_rkey", WindowSwitches.Builder::bindUpdatesRkey)
            .flag("current_key_compared", WindowSwitches.Builder::currentKeyCompared)
            .flag("failed_bind_restores_rkey", WindowSwitches.Builder::failedBindRestoresRkey);

    /** As usual. */
    public static final WindowSwitchSpec USUAL = new WindowSwitchSpec(Map.of());

    /** In a file: a mapping of switches. */
    public static final Form<WindowSwitchSpec> FORM = SWITCHES.form(
            new Mapping<>("window_switches", "the window switches of a device"),
            "The switch of that name of the device's windows.",
            WindowSwitchSpec::values,
            WindowSwitchSpec::new);

    /** Copies the map. */
    public WindowSwitchSpec {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Those switches, except what this says. */
    public WindowSwitches over(WindowSwitches base) {
        WindowSwitches.Builder builder = base.toBuilder();
        SWITCHES.set(builder, values);
        return builder.build();
    }
}
