// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.verbs.QpType;

/** What connects the two queue pairs of a flow. */
enum FlowType {
    /** RC. */
    RC(QpType.RC),
    /** RC, with receives from a shared queue. */
    SRQ(QpType.RC),
    /** UC. */
    UC(QpType.UC),
    /** UD. */
    UD(QpType.UD);

    private final QpType qpType;

    FlowType(QpType qpType) {
        this.qpType = qpType;
    }

    QpType qpType() {
        return qpType;
    }

    boolean isReliable() {
        return qpType == QpType.RC;
    }
}
