// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.demo;

import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.nio.ByteBuffer;

/**
 * What one side tells the other in the private data of the messages that connect them: left in the REQ, right in the REP. As
 * bytes, in network order: {@value #BYTES} of the {@link dev.verbatim.cm.ConnectionParameters#MOST_CONNECT_BYTES 56} that a REQ
 * has room for.
 *
 * @param processId of its JVM
 * @param address of its region
 * @param lengthBytes of its region
 * @param rkey of its region
 * @param linePort TCP port at which right waits for the lines of {@link LineProtocol}; 0 if there is none
 */
record DemoPrivateData(long processId, long address, int lengthBytes, int rkey, int linePort) {

    /** To be raised whenever the script, the protocol or this layout changes. */
    static final int REVISION = 3;

    /** Length of all of it. */
    static final int BYTES = 32;

    /** The first bytes, by which a verbatim is known: {@code vbtm} in ASCII. */
    private static final int MAGIC = 0x7662746d;

    /** What goes into a message: magic (4), revision (2), line port (2), process (8), address (8), length (4), key (4). */
    byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putShort((short) REVISION)
                .putShort((short) linePort)
                .putLong(processId)
                .putLong(address)
                .putInt(lengthBytes)
                .putInt(rkey)
                .array();
    }

    /**
     * Reads what came with a message, padded or not.
     *
     * @throws VerbsException EINVAL if it is something else, or holds another script
     */
    static DemoPrivateData parse(byte[] privateData) {
        ByteBuffer bytes = ByteBuffer.wrap(privateData);
        if (bytes.remaining() < BYTES || bytes.getInt() != MAGIC) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.N_05, "the other side is no verbatim; run verbatim serve and verbatim connect");
        }
        int revision = Short.toUnsignedInt(bytes.getShort());
        if (revision != REVISION) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "the other side holds script=%d and this one script=%d; run the same version of verbatim at both ends",
                    revision,
                    REVISION);
        }
        int linePort = Short.toUnsignedInt(bytes.getShort());
        return new DemoPrivateData(bytes.getLong(), bytes.getLong(), bytes.getInt(), bytes.getInt(), linePort);
    }
}
