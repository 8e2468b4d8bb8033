// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.spec;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.profile.PostingSwitches;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How what a device takes when it is posted differs from that of its profile. */
public record PostingSwitchSpec(Map<String, Object> values) {

    /** The switches; a switch that is added to the profile needs a row here, which a test checks. */
    public static final SwitchTable<PostingSwitches.Builder> SWITCHES = new SwitchTable<PostingSwitches.Builder>()
            .constant(
                    "lax_post",
                    "what becomes of a request that is posted too early",
                    PostingSwitches.LaxPost.class,
                    PostingSwitches.Builder::laxPost)
            .constant(
                    "illegal_opcode",
                    "how a request is refused that the type of queue pair does not have",
                    PostingSwitches.IllegalOpcode.class,
                    PostingSwitches.Builder::illegalOpcode)
            .flag("lenient_atomic_size", PostingSwitches.Builder::lenientAtomicSize)
            .flag("atomic_size_refused_at_post", PostingSwitches.Builder::atomicSizeRefusedAtPost)
            .flag("misaligned_atomic_refused_at_post", PostingSwitches.Builder::misalignedAtomicRefusedAtPost)
            .flag("ud_oversize_silent", PostingSwitches.Builder::udOversizeSilent)
            .flag("inline_on_reads", PostingSwitches.Builder::inlineOnReads);

    /** As usual. */
    public static final PostingSwitchSpec USUAL = new PostingSwitchSpec(Map.of());

    /** In a file: a mapping of switches. */
    public static final Form<PostingSwitchSpec> FORM = SWITCHES.form(
            new Mapping<>("posting_switches", "the posting switches of a device"),
            "The switch of that name of what the device takes when it is posted.",
            PostingSwitchSpec::values,
            PostingSwitchSpec::new);

    /** Copies the map. */
    public PostingSwitchSpec {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** Those switches, except what this says. */
    public PostingSwitches over(PostingSwitches base) {
        PostingSwitches.Builder builder = base.toBuilder();
        SWITCHES.set(builder, values);
        return builder.build();
    }
}
