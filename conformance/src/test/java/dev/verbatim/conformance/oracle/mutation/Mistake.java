// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle.mutation;

/** What a method of the engine does wrong. */
@FunctionalInterface
interface Mistake {

    /** Answers the call with {@link Call#goOn}, having changed its arguments or not, or with {@link Call#answer}. */
    Object commit(Call call) throws ReflectiveOperationException;
}
