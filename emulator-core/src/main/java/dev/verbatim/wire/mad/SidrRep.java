// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/**
 * Answers a {@link SidrReq}.
 *
 * @param requestId the request's
 * @param status one of the constants here
 * @param vendorId of the options agreed upon, 24 bits; 0 for none
 * @param qpn number of the queue pair
 * @param serviceId which service; see {@link ServiceId}
 * @param queueKey that the queue pair takes
 * @param info at most 72 bytes
 * @param privateData 136 bytes, padded with zeros if shorter
 */
public record SidrRep(
        int requestId, int status, int vendorId, int qpn, long serviceId, int queueKey, Octets info, Octets privateData)
        implements CmMessage {

    /** The queue pair is told. */
    public static final int STATUS_VALID = 0;

    /** No program offers the service. */
    public static final int STATUS_SERVICE_NOT_SUPPORTED = 1;

    /** The service refuses. */
    public static final int STATUS_REJECTED = 2;

    /** The service has no queue pair. */
    public static final int STATUS_NO_QP = 3;

    /** Another device is to be asked. */
    public static final int STATUS_REDIRECT = 4;

    /** The class version is not supported. */
    public static final int STATUS_VERSION_NOT_SUPPORTED = 5;

    private static final Field REQUEST_ID = Field.at(0, 32, "requestId");
    private static final Field STATUS = Field.at(4, 8, "status");
    /** Spread over two fields; this is only to check it. */
    private static final Field VENDOR_ID = new Field("vendorId", 0, 24);

    private static final Field VENDOR_ID_HIGH = Field.at(6, 16, "vendorId");
    private static final Field VENDOR_ID_LOW = Field.at(11, 8, "vendorId");
    private static final Field QPN = Field.at(8, 24, "qpn");
    private static final LongField SERVICE_ID = new LongField(12);
    private static final Field QUEUE_KEY = Field.at(20, 32, "queueKey");
    private static final Block INFO = new Block("info", 24, 72);
    private static final Block PRIVATE_DATA = Block.privateData(96);
    private static final Field INFO_LENGTH = Field.at(5, 8, "infoLength");

    /** Checks that each value fits its field, and pads the private data. */
    public SidrRep {
        STATUS.check(status);
        VENDOR_ID.check(vendorId);
        QPN.check(qpn);
        INFO.check(info);
        privateData = PRIVATE_DATA.padded(privateData);
    }

    static SidrRep parse(byte[] body) {
        return new SidrRep(
                REQUEST_ID.get(body),
                STATUS.get(body),
                VENDOR_ID_HIGH.get(body) << Byte.SIZE | VENDOR_ID_LOW.get(body),
                QPN.get(body),
                SERVICE_ID.get(body),
                QUEUE_KEY.get(body),
                INFO.first(body, INFO_LENGTH.get(body)),
                PRIVATE_DATA.get(body));
    }

    @Override
    public CmAttribute attribute() {
        return CmAttribute.SIDR_REP;
    }

    @Override
    public Octets body() {
        byte[] body = new byte[Mad.BODY_BYTES];
        REQUEST_ID.put(body, requestId);
        STATUS.put(body, status);
        VENDOR_ID_HIGH.put(body, vendorId >> Byte.SIZE);
        VENDOR_ID_LOW.put(body, vendorId);
        QPN.put(body, qpn);
        SERVICE_ID.put(body, serviceId);
        QUEUE_KEY.put(body, queueKey);
        INFO_LENGTH.put(body, info.lengthBytes());
        INFO.put(body, info);
        PRIVATE_DATA.put(body, privateData);
        return Octets.of(body);
    }
}
