// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Answers a {@link Lap}.
 *
 * @param localId the sender's communication ID
 * @param remoteId the receiver's
 * @param status 0 for an accepted path, else what is wrong with it
 * @param info at most 72 bytes
 * @param privateData 148 bytes, padded with zeros if shorter
 */
public record Apr(int localId, int remoteId, int status, Octets info, Octets privateData) implements CmMessage {
    private static final Field LOCAL_ID = Field.at(0, 32, "localId");
    private static final Field REMOTE_ID = Field.at(4, 32, "remoteId");
    private static final Field STATUS = Field.at(9, 8, "status");
    private static final Block INFO = new Block("info", 12, 72);
    private static final Block PRIVATE_DATA = Block.privateData(84);
    private static final Field INFO_LENGTH = Field.at(8, 8, "infoLength");

    /** Checks that each value fits its field, and pads the private data. */
    public Apr {
        STATUS.check(status);
        INFO.check(info);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static Apr parse(byte[] body) {
        return new Apr(
                LOCAL_ID.get(body),
                REMOTE_ID.get(body),
                STATUS.get(body),
                INFO.first(body, INFO_LENGTH.get(body)),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.APR;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        LOCAL_ID.put(body, localId);
        REMOTE_ID.put(body, remoteId);
        STATUS.put(body, status);
        INFO_LENGTH.put(body, info.lengthBytes());
        INFO.put(body, info);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
