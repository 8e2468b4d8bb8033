// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.profile.WindowSwitches;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * How the memory windows of a device differ from those of its profile.
 *
 * @param values by the words of {@link #SWITCHES}
 */
public record WindowSwitchSpec(Map<String, Object> values) {

    /** A switch: how its value is said, and what sets it. */
    public record Switch<T>(Form<T> form, BiFunction<WindowSwitches.Builder, T, WindowSwitches.Builder> setter) {

        @SuppressWarnings("unchecked") // the value was made by this switch's form
        private void set(WindowSwitches.Builder builder, Object value) {
            WindowSwitches.Builder unused = setter.apply(builder, (T) value);
        }

        @SuppressWarnings("unchecked") // as in set
        private Key<WindowSwitchSpec, T> key(Mapping<WindowSwitchSpec> mapping, String word) {
            return mapping.perhaps(
                    word, form, spec -> (T) spec.values.get(word), "The switch of that name of the device's windows.");
        }
    }

    /** The switches; whoever adds one to the profile adds its row here, and a test compares. */
    public static final Map<String, Switch<?>> SWITCHES = switchTable();

    /** As usual. */
    public static final WindowSwitchSpec USUAL = new WindowSwitchSpec(Map.of());

    /** In a file: a mapping of switches. */
    public static final Form<WindowSwitchSpec> FORM = form();

    /** Copies the map. */
    public WindowSwitchSpec {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Those switches, except what this says. */
    public WindowSwitches over(WindowSwitches base) {
        WindowSwitches.Builder builder = base.toBuilder();
        SWITCHES.forEach((word, each) -> {
            Object value = values.get(word);
            if (value != null) {
                each.set(builder, value);
            }
        });
        return builder.build();
    }

    private static Map<String, Switch<?>> switchTable() {
        Map<String, Switch<?>> words = new LinkedHashMap<>();
        words.put("type1", flag(WindowSwitches.Builder::type1));
        words.put(
                "type2",
                constant("what windows of type 2 are", WindowSwitches.Type2.class, WindowSwitches.Builder::type2));
        words.put(
                "bound_region",
                constant(
                        "what becomes of the deregistration of a bound region",
                        WindowSwitches.BoundRegion.class,
                        WindowSwitches.Builder::boundRegion));
        words.put(
                "failed_remote_invalidation",
                constant(
                        "an answer to a SEND_WITH_INV that fails",
                        WindowSwitches.FailedRemoteInvalidation.class,
                        WindowSwitches.Builder::failedRemoteInvalidation));
        words.put("free_window_invalidates", flag(WindowSwitches.Builder::freeWindowInvalidates));
        words.put(
                "local_inv_status",
                constant(
                        "the status of a LOCAL_INV that fails",
                        WindowSwitches.LocalInvStatus.class,
                        WindowSwitches.Builder::localInvStatus));
        words.put("same_key_rebind", flag(WindowSwitches.Builder::sameKeyRebind));
        words.put("bind_zero_based_mr", flag(WindowSwitches.Builder::bindZeroBasedMr));
        words.put("zero_based_mr_refused_at_post", flag(WindowSwitches.Builder::zeroBasedMrRefusedAtPost));
        words.put("keep_over_reset", flag(WindowSwitches.Builder::keepOverReset));
        words.put("zero_based", flag(WindowSwitches.Builder::zeroBased));
        words.put("atomics", flag(WindowSwitches.Builder::atomics));
        words.put("range_checked_at_bind", flag(WindowSwitches.Builder::rangeCheckedAtBind));
        words.put("unsignaled_bind_errors", flag(WindowSwitches.Builder::unsignaledBindErrors));
        words.put("cross_qp_invalidate", flag(WindowSwitches.Builder::crossQpInvalidate));
        words.put("bind_updates_rkey", flag(WindowSwitches.Builder::bindUpdatesRkey));
        words.put("current_key_compared", flag(WindowSwitches.Builder::currentKeyCompared));
        words.put("failed_bind_restores_rkey", flag(WindowSwitches.Builder::failedBindRestoresRkey));
        return Collections.unmodifiableMap(words);
    }

    private static Switch<Boolean> flag(BiFunction<WindowSwitches.Builder, Boolean, WindowSwitches.Builder> setter) {
        return new Switch<>(Forms.flag(), setter);
    }

    private static <E extends Enum<E>> Switch<E> constant(
            String what, Class<E> type, BiFunction<WindowSwitches.Builder, E, WindowSwitches.Builder> setter) {
        return new Switch<>(Forms.constant(what, type), setter);
    }

    private static Form<WindowSwitchSpec> form() {
        Mapping<WindowSwitchSpec> mapping = new Mapping<>("window_switches", "the window switches of a device");
        Map<String, Key<WindowSwitchSpec, ?>> keys = new LinkedHashMap<>();
        SWITCHES.forEach((word, each) -> keys.put(word, each.key(mapping, word)));
        return mapping.making(values -> {
            Map<String, Object> switches = new TreeMap<>();
            keys.forEach((word, key) -> {
                Object value = values.orNull(key);
                if (value != null) {
                    switches.put(word, value);
                }
            });
            return new WindowSwitchSpec(switches);
        });
    }
}
