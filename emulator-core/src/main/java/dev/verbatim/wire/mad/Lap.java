// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Offers an alternate path for a connection.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param remoteQpn number of the receiver's queue pair
 * @param remoteResponseTimeout how long the receiver may take to answer, a code of {@link CmTimeout}
 * @param path the path
 * @param privateData 168 bytes, padded with zeros if shorter
 */
public record Lap(int localId, int remoteId, int remoteQpn, int remoteResponseTimeout, Path path, Octets privateData)
        implements CmMessage {
    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field REMOTE_QPN = Field.at(12, 24, "remoteQpn");
    private static final Field REMOTE_RESPONSE_TIMEOUT = Field.within(15, 7, 3, "remoteResponseTimeout");
    private static final Block PRIVATE_DATA = Block.privateData(64);

    /** Checks that each value fits its field, and pads the private data. */
    public Lap {
        REMOTE_QPN.check(remoteQpn);
        REMOTE_RESPONSE_TIMEOUT.check(remoteResponseTimeout);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Lap parse(byte[] body) {
        return new Lap(
                LOCAL_ID.get(body),
                REMOTE_ID.get(body),
                REMOTE_QPN.get(body),
                REMOTE_RESPONSE_TIMEOUT.get(body),
                PathLayout.OF_LAP.parse(body),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.LAP;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        REMOTE_QPN.put(body, remoteQpn);
        REMOTE_RESPONSE_TIMEOUT.put(body, remoteResponseTimeout);
        PathLayout.OF_LAP.emit(path, body);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
