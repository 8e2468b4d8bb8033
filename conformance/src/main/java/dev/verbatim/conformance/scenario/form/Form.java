// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.form;

import org.jspecify.annotations.Nullable;

/** One kind of value in a file: how it is read, written and described. */
public interface Form<T> {

    /** Reads the value; null if it was wrong, which has been reported then. */
    @Nullable
    T read(Spot spot);

    /** The value as maps, lists, texts, numbers and truth values. What it gives is read back as an equal value. */
    Object write(T value);

    /** What editors know of it. */
    Schema schema(Schema.Definitions definitions);

    /** What it is, with an article, to follow "is not". */
    String what();
}
