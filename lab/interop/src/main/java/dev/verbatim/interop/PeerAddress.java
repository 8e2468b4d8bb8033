// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import dev.verbatim.RcConnection;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QueuePair;
import java.nio.charset.StandardCharsets;

/**
 * The address of a queue pair as {@code ibv_*_pingpong} exchange it: {@value #BYTES} bytes of text, of which the last
 * is NUL.
 *
 * @param lid LID of the port; 0 on Ethernet
 * @param qpNumber number of the queue pair
 * @param psn first PSN that the queue pair sends
 * @param gid GID of the port
 */
record PeerAddress(int lid, int qpNumber, int psn, Gid gid) {

    /** Length of the text with its NUL. */
    static final int BYTES = 52;

    /** What unused places of a list of addresses hold. */
    static final PeerAddress NONE = new PeerAddress(0, 0, 0, new Gid(0, 0));

    private static final int GID_DIGITS = 32;
    private static final int PREFIX_DIGITS = 16;
    private static final int HEX = 16;
    private static final int PARTS = 4;

    static PeerAddress of(QueuePair qp, int psn) {
        return new PeerAddress(0, qp.number(), psn, qp.device().gid());
    }

    /** The end of a connection of type RC or UC. */
    RcConnection.Endpoint endpoint() {
        return new RcConnection.Endpoint(gid, qpNumber, psn);
    }

    byte[] toBytes() {
        String text =
                String.format("%04x:%06x:%06x:%016x%016x%c", lid, qpNumber, psn, gid.prefix(), gid.interfaceId(), 0);
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads what {@link #toBytes} writes.
     *
     * @throws InteropException if it is something else
     */
    static PeerAddress parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        String[] parts = text.substring(0, text.length() - 1).split(":", -1);
        if (parts.length != PARTS || parts[PARTS - 1].length() != GID_DIGITS) {
            throw new InteropException("'" + printable(text) + "' is not the address of a queue pair, LID:QPN:PSN:GID");
        }
        try {
            String gid = parts[PARTS - 1];
            return new PeerAddress(
                    Integer.parseInt(parts[0], HEX),
                    Integer.parseInt(parts[1], HEX),
                    Integer.parseInt(parts[2], HEX),
                    new Gid(
                            Long.parseUnsignedLong(gid.substring(0, PREFIX_DIGITS), HEX),
                            Long.parseUnsignedLong(gid.substring(PREFIX_DIGITS), HEX)));
        } catch (NumberFormatException e) {
            throw new InteropException("'" + printable(text) + "' is not the address of a queue pair", e);
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
