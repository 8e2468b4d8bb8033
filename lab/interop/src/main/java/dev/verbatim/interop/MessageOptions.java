// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import java.time.Duration;

/**
 * What {@link Cmatose} and {@link Udaddy} do. Both sides need the same connections, messages and size.
 *
 * @param connections how many connections, from 1
 * @param messages messages in each direction on each connection, from 1
 * @param sizeBytes bytes of a message, from 1; of UD at most one path MTU
 * @param patience longest wait for the peer, at each step
 */
public record MessageOptions(int connections, int messages, int sizeBytes, Duration patience) {

    /** Checks the ranges. */
    public MessageOptions {
        if (connections < 1 || messages < 1 || sizeBytes < 1) {
            throw new InteropException("connections=" + connections + ", messages=" + messages + " and size="
                    + sizeBytes + " must be at least 1");
        }
    }
}
