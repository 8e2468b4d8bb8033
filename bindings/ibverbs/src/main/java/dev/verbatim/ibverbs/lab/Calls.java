// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.lab;

/** The names by which programs call what symbols.txt lists. */
final class Calls {

    private Calls() {}

    /**
     * The function that a program's source has, for all by which its headers may carry it out: {@code ibv_reg_mr} for
     * {@code ibv_reg_mr_iova2}, {@code ibv_create_qp} for {@code op_create_qp_ex}.
     */
    static String familyOf(String symbol) {
        String name = symbol.startsWith("op_") ? "ibv_" + symbol.substring("op_".length()) : symbol;
        return name.replaceAll("(_iova2?|_ex)$", "");
    }
}
