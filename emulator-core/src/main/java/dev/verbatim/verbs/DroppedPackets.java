// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Packets that a device dropped, or that could not leave it, for a reason of one kind.
 *
 * @param qpNumber the queue pair that they were for, whether or not there is one; of what could not leave the one that sent it
 * @param isOwn whether they are packets of the device's own that could not leave it
 * @param reason of the first of them
 * @param count how many there were
 */
public record DroppedPackets(int qpNumber, boolean isOwn, Refusal reason, long count) {

    @Override
    public String toString() {
        return count + (isOwn ? " packets from qp " : " packets for qp ") + qpNumber + ": " + reason;
    }
}
