// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.verbs;

/**
 * Sizes of the queues of a queue pair ({@code struct ibv_qp_cap}).
 *
 * @param maxSendWr work requests outstanding in the send queue
 * @param maxRecvWr work requests outstanding in the receive queue
 * @param maxSendSge elements of one send work request
 * @param maxRecvSge elements of one receive work request
 * @param maxInlineDataBytes bytes that can be posted inline
 */
public record QpCapabilities(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineDataBytes) {

    /** Sizes for small programs: 64 requests of each kind, 4 elements, 64 bytes inline. */
    public static final QpCapabilities USUAL = new QpCapabilities(64, 64, 4, 4, 64);
}
