// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;
import java.util.Arrays;

/**
 * A management datagram: its header, and a body of {@value #BODY_BYTES} bytes that is up to its class.
 *
 * @param body padded with zeros if shorter
 */
public record Mad(MadHeader header, Octets body) {

    /** Length of every datagram. */
    public static final int BYTES = 256;

    /** Length of the header. */
    public static final int HEADER_BYTES = 24;

    /** Length of what follows it. */
    public static final int BODY_BYTES = BYTES - HEADER_BYTES;

    /** Pads the body. */
    public Mad {
        body = padded("body", body, BODY_BYTES);
    }

    /**
     * Reads a datagram.
     *
     * @throws MadFormatException if it is not {@value #BYTES} bytes long
     */
    public static Mad parse(Octets datagram) {
        if (datagram.lengthBytes() != BYTES) {
            throw new MadFormatException(
                    "length=" + datagram.lengthBytes() + " is not " + BYTES + "; every MAD has as many bytes");
        }
        byte[] body = Arrays.copyOfRange(datagram.toBytes(), HEADER_BYTES, BYTES);
        return new Mad(MadHeader.parse(datagram), Octets.of(body));
    }

    /** The datagram as bytes. */
    public Octets emit() {
        byte[] bytes = new byte[BYTES];
        header.emit(bytes);
        System.arraycopy(body.toBytes(), 0, bytes, HEADER_BYTES, BODY_BYTES);
        return Octets.of(bytes);
    }

    /** The same bytes, and zeros behind them. */
    static Octets padded(String name, Octets octets, int lengthBytes) {
        if (octets.lengthBytes() == lengthBytes) {
            return octets;
        }
        if (octets.lengthBytes() > lengthBytes) {
            throw new IllegalArgumentException(name + " of " + octets.lengthBytes() + " bytes > " + lengthBytes
                    + ", which is all there is room for");
        }
        return Octets.of(Arrays.copyOf(octets.toBytes(), lengthBytes));
    }
}
