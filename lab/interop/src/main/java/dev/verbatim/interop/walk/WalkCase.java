// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and how it must complete at the requester.
 *
 * @param name for reports
 * @param expected status at the requester, by the specification
 * @param byRxe status where the responder is soft-RoCE of Linux 6.1 and differs; null where it does not
 * @param notToRxe why soft-RoCE must not be the responder: a case that crashes its kernel; null otherwise
 * @param notByRxe why soft-RoCE cannot be the requester; null otherwise
 * @param work does it, and checks what arrives
 */
record WalkCase(
        String name,
        WcStatus expected,
        @Nullable WcStatus byRxe,
        @Nullable String notToRxe,
        @Nullable String notByRxe,
        Work work) {

    /** What a case does. */
    interface Work {
        WcStatus run(WalkSides sides);
    }

    static WalkCase of(String name, Work work) {
        return failing(name, WcStatus.SUCCESS, work);
    }

    static WalkCase failing(String name, WcStatus expected, Work work) {
        return new WalkCase(name, expected, null, null, null, work);
    }

    WalkCase rxe(WcStatus status) {
        return new WalkCase(name, expected, status, notToRxe, notByRxe, work);
    }

    WalkCase notToRxe(String reason) {
        return new WalkCase(name, expected, byRxe, reason, notByRxe, work);
    }

    WalkCase notByRxe(String reason) {
        return new WalkCase(name, expected, byRxe, notToRxe, reason, work);
    }

    /** The status that the requester must see. */
    WcStatus expected(boolean ofRxe) {
        return ofRxe && byRxe != null ? byRxe : expected;
    }
}
