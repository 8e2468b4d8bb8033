// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.conformance.oracle.report.Violation;

/** What soft-RoCE of Linux 6.1 does otherwise than the profile RXE_LIKE; docs/profiles.md lists why it is not imitated. */
enum KnownDeviation {
    /** A window's bounds are not compared as long as the access stays within its region. */
    BOUNDS_OF_WINDOWS {
        @Override
        boolean concerns(Flow flow) {
            return flow.ending() == Ending.BEYOND_WINDOW && !flow.peerRequests();
        }

        @Override
        boolean explains(Violation violation) {
            return violation.check() == Check.PEER_KEY && violation.toString().contains("wr_id=" + FlowPlay.LAST_ID);
        }
    };

    /** Whether the flow shows it. */
    abstract boolean concerns(Flow flow);

    /** Whether the oracle finds this in a program with such a flow. */
    abstract boolean explains(Violation violation);
}
