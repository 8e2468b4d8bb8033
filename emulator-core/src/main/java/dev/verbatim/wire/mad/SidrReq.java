// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Asks for the queue pair of a datagram service.
 *
 * @param requestId chosen by the sender
 * @param serviceId which service; see {@link ServiceId}
 * @param privateData 216 bytes, padded with zeros if shorter
 */
public record SidrReq(int requestId, int partitionKey, long serviceId, Octets privateData) implements CmMessage {
    private static final Field REQUEST_ID = Field.at(0, 32, "requestId");
    private static final Field PARTITION_KEY = Field.at(4, 16, "partitionKey");
    private static final LongField SERVICE_ID = new LongField(8);
    private static final Block PRIVATE_DATA = Block.privateData(16);

    /** Checks that each value fits its field, and pads the private data. */
    public SidrReq {
        PARTITION_KEY.check(partitionKey);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static SidrReq parse(byte[] body) {
        return new SidrReq(REQUEST_ID.get(body), PARTITION_KEY.get(body), SERVICE_ID.get(body), PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REQ;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        REQUEST_ID.put(body, requestId);
        PARTITION_KEY.put(body, partitionKey);
        SERVICE_ID.put(body, serviceId);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
