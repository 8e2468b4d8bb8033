// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.trace;

import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;

/** Builds the parts of a file of captured packets. It is used again for each packet, and its memory with it. */
interface CaptureFile {

    /** Returns what the file begins with. */
    byte[] head();

    /** Returns what describes a device, the next one in their order; nothing if the format has no place for it. */
    byte[] device(String name, Gid gid);

    /**
     * Begins a packet.
     *
     * @param device number of the device, in the order of their descriptions
     * @param lengthBytes of the frame
     * @return the memory in which the frame is to be written at its position
     */
    ByteBuffer begin(long timeNanos, int device, int lengthBytes);

    /** Returns the packet with its frame. */
    byte[] end(int lengthBytes, int direction, int qp);
}
