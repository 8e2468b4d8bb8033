// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.profile.DeviceProfile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the device of a node behaves.
 *
 * @param base name of a profile
 * @param switches what differs from it, under the words of {@link #SWITCHES}
 * @param keySeed seed of the order in which keys are given out; null for that of the base
 * @param qpNumbers how many numbers there are for queue pairs; null for as many as the base has
 * @param windows what differs in its memory windows
 * @param posting what differs in what it takes when it is posted
 * @param completions what differs in its completions and events
 * @param limits how much less the device offers
 */
public record ProfileSpec(
        String base,
        Map<String, Boolean> switches,
        @Nullable Long keySeed,
        @Nullable Integer qpNumbers,
        WindowSwitchSpec windows,
        PostingSwitchSpec posting,
        CompletionSwitchSpec completions,
        LimitSpec limits) {

    /** The profiles with a name. */
    public static final Map<String, DeviceProfile> PROFILES = profileTable();

    /** The switches; a switch that is added to the profile needs a row here, which a test checks. */
    public static final Map<String, BiFunction<DeviceProfile.Builder, Boolean, DeviceProfile.Builder>> SWITCHES =
            switchTable();

    /** The rules and nothing else. */
    public static final ProfileSpec STRICT = named(DeviceProfile.STRICT_IBTA.name());

    private static final Form<String> NAME =
            Forms.converted(Forms.oneOf("a profile", PROFILES), DeviceProfile::name, ProfileSpec::known);

    /** In a file: a name, or a name and what differs. */
    public static final Form<ProfileSpec> FORM = form();

    /** Copies the switches. */
    public ProfileSpec {
        switches = Map.copyOf(new TreeMap<>(switches));
    }

    /** A profile as it is. */
    static ProfileSpec named(String base) {
        return new ProfileSpec(
                base,
                Map.of(),
                null,
                null,
                WindowSwitchSpec.USUAL,
                PostingSwitchSpec.USUAL,
                CompletionSwitchSpec.USUAL,
                LimitSpec.USUAL);
    }

    /** The profile. */
    public DeviceProfile profile() {
        DeviceProfile.Builder builder = known(base).toBuilder();
        SWITCHES.forEach((word, setter) -> {
            Boolean value = switches.get(word);
            if (value != null) {
                DeviceProfile.Builder unused = setter.apply(builder, value);
            }
        });
        if (keySeed != null) {
            builder.randomKeys(keySeed);
        }
        if (qpNumbers != null) {
            builder.qpNumbers(qpNumbers);
        }
        return builder.windows(windows.over(known(base).windows()))
                .posting(posting.over(known(base).posting()))
                .completions(completions.over(known(base).completions()))
                .limits(limits.over(known(base).limits()))
                .build();
    }

    private static Map<String, DeviceProfile> profileTable() {
        Map<String, DeviceProfile> byName = new LinkedHashMap<>();
        DeviceProfile.presets().forEach(preset -> byName.put(preset.name(), preset));
        return Collections.unmodifiableMap(byName);
    }

    private static DeviceProfile known(String name) {
        DeviceProfile profile = PROFILES.get(name);
        if (profile == null) {
            throw new IllegalArgumentException("profile=" + name + " is not known; choose one of " + PROFILES.keySet());
        }
        return profile;
    }

    private static Map<String, BiFunction<DeviceProfile.Builder, Boolean, DeviceProfile.Builder>> switchTable() {
        Map<String, BiFunction<DeviceProfile.Builder, Boolean, DeviceProfile.Builder>> words = new LinkedHashMap<>();
        words.put("zero_length_mr", DeviceProfile.Builder::zeroLengthMr);
        words.put("on_demand_unknown", DeviceProfile.Builder::onDemandUnknown);
        words.put("lkey_equals_rkey", DeviceProfile.Builder::lkeyEqualsRkey);
        words.put("rkey_without_rights", DeviceProfile.Builder::rkeyWithoutRights);
        words.put("privileged_qkeys", DeviceProfile.Builder::privilegedQkeys);
        words.put("strict_recv_sge", DeviceProfile.Builder::strictRecvSge);
        words.put("early_read_lkey", DeviceProfile.Builder::earlyReadLkey);
        words.put("infinite_retry_seven", DeviceProfile.Builder::infiniteRetrySeven);
        words.put("notify_needs_channel", DeviceProfile.Builder::notifyNeedsChannel);
        words.put("rounds_up_queues", DeviceProfile.Builder::roundsUpQueues);
        words.put("elements_hold_inline", DeviceProfile.Builder::elementsHoldInline);
        words.put("reset_to_err_refused", DeviceProfile.Builder::resetToErrRefused);
        words.put("srq_resize", DeviceProfile.Builder::srqResize);
        words.put("xrc", DeviceProfile.Builder::xrc);
        words.put("rereg_changes_translation", DeviceProfile.Builder::reregChangesTranslation);
        words.put("rereg_changes_access", DeviceProfile.Builder::reregChangesAccess);
        words.put("rereg_keeps_keys", DeviceProfile.Builder::reregKeepsKeys);
        words.put("rereg_failure_keeps_region", DeviceProfile.Builder::reregFailureKeepsRegion);
        words.put("atomic_write", DeviceProfile.Builder::atomicWrite);
        words.put("flush", DeviceProfile.Builder::flush);
        words.put("device_memory", DeviceProfile.Builder::deviceMemory);
        words.put("on_demand_paging", DeviceProfile.Builder::onDemandPaging);
        words.put("null_regions", DeviceProfile.Builder::nullRegions);
        return words;
    }

    private static Form<ProfileSpec> form() {
        Mapping<ProfileSpec> mapping = new Mapping<>("profile", "a profile with switches");
        Key<ProfileSpec, String> base =
                mapping.optional("base", NAME, STRICT.base, ProfileSpec::base, "The profile to start from.");
        Function<Values, Map<String, Boolean>> switches = switches(mapping);
        Key<ProfileSpec, Long> seed = mapping.perhaps(
                "key_seed", Forms.word(), ProfileSpec::keySeed, "Gives keys out in an order drawn from this seed.");
        Key<ProfileSpec, Integer> qpNumbers = mapping.perhaps(
                "qp_numbers",
                Forms.integer(1, DeviceProfile.STRICT_IBTA.qpNumbers()),
                ProfileSpec::qpNumbers,
                "How many numbers there are for queue pairs; with few they come back soon.");
        Key<ProfileSpec, WindowSwitchSpec> windows = mapping.optional(
                "windows",
                WindowSwitchSpec.FORM,
                WindowSwitchSpec.USUAL,
                ProfileSpec::windows,
                "What differs in its memory windows.");
        Key<ProfileSpec, PostingSwitchSpec> posting = mapping.optional(
                "posting",
                PostingSwitchSpec.FORM,
                PostingSwitchSpec.USUAL,
                ProfileSpec::posting,
                "What differs in what it takes when it is posted.");
        Key<ProfileSpec, CompletionSwitchSpec> completions = mapping.optional(
                "completions",
                CompletionSwitchSpec.FORM,
                CompletionSwitchSpec.USUAL,
                ProfileSpec::completions,
                "What differs in its completions and events.");
        Key<ProfileSpec, LimitSpec> limits = mapping.optional(
                "limits", LimitSpec.FORM, LimitSpec.USUAL, ProfileSpec::limits, "How much less the device offers.");
        mapping.making(values -> new ProfileSpec(
                values.get(base),
                switches.apply(values),
                values.orNull(seed),
                values.orNull(qpNumbers),
                values.get(windows),
                values.get(posting),
                values.get(completions),
                values.get(limits)));
        return Forms.shortOr(
                Forms.converted(NAME, ProfileSpec::named, ProfileSpec::base),
                spec -> spec.equals(named(spec.base)),
                mapping);
    }

    /** A key for each switch; what comes of it are the switches that a file sets. */
    private static Function<Values, Map<String, Boolean>> switches(Mapping<ProfileSpec> mapping) {
        Map<String, Key<ProfileSpec, Boolean>> keys = new LinkedHashMap<>();
        for (String word : SWITCHES.keySet()) {
            keys.put(
                    word,
                    mapping.perhaps(
                            word,
                            Forms.flag(),
                            spec -> spec.switches.get(word),
                            "The switch of that name of the device profile."));
        }
        return values -> {
            Map<String, Boolean> set = new TreeMap<>();
            keys.forEach((word, key) -> {
                Boolean value = values.orNull(key);
                if (value != null) {
                    set.put(word, value);
                }
            });
            return set;
        };
    }
}
