// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

/**
 * A function that C calls and Java answers.
 *
 * @param where the class with the method, below {@code dev.verbatim.ibverbs}
 * @param name of the function and of the method
 */
record Symbol(String where, String name, Fails fails) {

    @Override
    public String toString() {
        return name;
    }
}
