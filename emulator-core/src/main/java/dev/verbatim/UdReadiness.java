// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim;

import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;

/**
 * Takes UD queue pairs from RESET to RTS. They have no connected peer and receive datagrams from every sender that uses
 * their Q_Key.
 *
 * @param queueKey the Q_Key, below 0x80000000 (QV-11)
 * @param portNumber port of the queue pairs, from 1
 */
public record UdReadiness(int queueKey, int portNumber) {

    /** At port 1. */
    public UdReadiness(int queueKey) {
        this(queueKey, 1);
    }

    /** Takes queue pairs from RESET to RTS; each starts with PSN 0. */
    public void toRts(QueuePair... queuePairs) {
        for (QueuePair queuePair : queuePairs) {
            readyToReceive(queuePair);
            readyToSend(queuePair, 0);
        }
    }

    /** RESET to INIT to RTR: the queue pair can receive. */
    public void readyToReceive(QueuePair queuePair) {
        queuePair.modify(new QpAttributes()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNumber(portNumber)
                .queueKey(queueKey));
        queuePair.modify(new QpAttributes().state(QpState.RTR));
    }

    /** RTR to RTS: the queue pair can send, starting with {@code psn}. */
    public void readyToSend(QueuePair queuePair, int psn) {
        queuePair.modify(new QpAttributes().state(QpState.RTS).sqPsn(psn));
    }
}
