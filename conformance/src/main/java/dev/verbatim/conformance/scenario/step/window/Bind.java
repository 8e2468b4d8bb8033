// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a window is bound to.
 *
 * @param window name of the window
 * @param to the first byte and how many, and by the key the region if it is another; null for nothing
 * @param access {@link AccessFlags} of the window
 */
public record Bind(String window, @Nullable Place to, int access) {

    /** What peers may do through a window of which nothing is said. */
    public static final int USUAL_ACCESS =
            AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;

    /** The keys that follow the window in a mapping. */
    public record Keys<R>(Key<R, Place> to, Key<R, Integer> access) {

        public static <R> Keys<R> of(Mapping<R> mapping, Function<R, @Nullable Bind> getter) {
            return new Keys<>(
                    mapping.perhaps(
                            "to",
                            Place.FORM,
                            record -> {
                                Bind bind = getter.apply(record);
                                return bind == null ? null : bind.to;
                            },
                            "What the window is bound to; nothing if left out."),
                    mapping.perhaps(
                            "access",
                            FlagWords.ACCESS,
                            record -> {
                                Bind bind = getter.apply(record);
                                return bind == null || bind.access == USUAL_ACCESS ? null : (Integer) bind.access;
                            },
                            "What peers may do through the window; everything if left out."));
        }

        /** Whether anything was said. */
        public boolean areIn(Values values) {
            return values.orNull(to) != null || values.orNull(access) != null;
        }

        public Bind read(String window, Values values) {
            Integer rights = values.orNull(access);
            return new Bind(window, values.orNull(to), rights == null ? USUAL_ACCESS : rights);
        }
    }

    /** Reports a window, place or region that is not there. */
    public void check(NameScope scope, String key) {
        scope.window(key, window);
        if (to != null) {
            scope.local("to", to);
            KeyRef region = to.key();
            if (region != null && region.name() != null && !scope.own().isRegion(region.name())) {
                scope.problem(
                        "to",
                        "a window is bound to a region, which " + region + " is not; "
                                + NearestWord.advice(region.name(), scope.own().places()));
            } else if (region != null && region.name() == null && region.number() != 0) {
                scope.problem("to", "key " + region + " is no region; name one, or say key: 0 for none");
            }
        }
    }

    /** What is given to the verb; null, and a failure of the step, if the region was never registered. */
    @Nullable
    public BindInfo info(StepContext context) {
        if (to == null) {
            return new BindInfo(null, 0, 0, access);
        }
        boolean none = to.key() != null && to.key().name() == null;
        MemoryRegion region = none ? null : context.node().memory().regionOf(to);
        if (!none && region == null) {
            context.fail(to + " is in no region that was ever registered; register it first");
            return null;
        }
        return new BindInfo(
                region,
                context.node().memory().address(to),
                context.node().names().lengthOf(to),
                access);
    }
}
