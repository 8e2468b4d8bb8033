// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One key of a mapping.
 *
 * @param otherwise its value where it is left out; null if there is none
 * @param getter its value in what the mapping stands for; null leaves it out
 * @param help one sentence for editors
 */
public record Key<R, T>(
        String name,
        Form<T> form,
        boolean required,
        @Nullable T otherwise,
        Function<R, @Nullable T> getter,
        String help) {

    /** What is written for it; null if it can be left out. */
    @Nullable
    Object write(R record) {
        T value = getter.apply(record);
        return value == null || value.equals(otherwise) ? null : form.write(value);
    }
}
