// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.call;

/**
 * The functions of symbols.txt that one class answers. {@code SymbolsTest} makes its classes: one for each class, since without the
 * optimizing compiler a switch takes longer the more cases it has.
 */
public abstract class Answers {

    /**
     * Calls the method of a symbol.
     *
     * @param index of the symbol, of this class
     * @return what it returns; 0 of one that returns nothing
     */
    protected abstract long call(int index, long a, long b, long c, long d, long e, long f);
}
