// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import java.nio.ByteBuffer;

/**
 * A frame of a capture.
 *
 * @param where which block or packet of the file it is, for messages
 * @param timeNanos when it was captured
 * @param device the name of the interface
 * @param linkType what it begins with
 * @param bytes all of it that was kept, from 0 to the limit
 * @param fullLengthBytes how long it was
 * @param direction as in a pcapng file; 0 if the file does not say
 * @param queue number of the interface queue; 0 if the file does not say
 */
record CapturedFrame(
        String where,
        long timeNanos,
        String device,
        int linkType,
        ByteBuffer bytes,
        int fullLengthBytes,
        int direction,
        int queue) {}
