// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;

/** A message of communication management. Private data always has the length of its field; messages do not carry how much of it is used. */
public sealed interface CmMessage permits Req, Mra, Rej, Rep, Rtu, Dreq, Drep, SidrReq, SidrRep, Lap, Apr {

    /** The management class of all of them. */
    int MANAGEMENT_CLASS = 0x07;

    /** The only class version. */
    int CLASS_VERSION = 2;

    /** Which message it is. */
    CmAttribute attribute();

    /** What follows the header: {@link Mad#BODY_BYTES} bytes. */
    Octets body();

    /** What the message carries for its users. */
    Octets privateData();

    /** The datagram that carries this message. */
    default Octets emit(long transactionId) {
        return emit(transactionId, 0);
    }

    /**
     * The datagram that carries this message.
     *
     * @param attributeModifier 0, but where options are agreed upon
     */
    default Octets emit(long transactionId, int attributeModifier) {
        MadHeader header = new MadHeader(
                MadHeader.BASE_VERSION,
                MANAGEMENT_CLASS,
                CLASS_VERSION,
                MadHeader.METHOD_SEND,
                0,
                0,
                transactionId,
                attribute().number(),
                attributeModifier);
        return new Mad(header, body()).emit();
    }

    /**
     * Reads the message that a datagram carries. Status and attribute modifier mean nothing.
     *
     * @throws MadFormatException if it carries none
     */
    static CmMessage parse(Mad mad) {
        MadHeader header = mad.header();
        if (header.baseVersion() != MadHeader.BASE_VERSION
                || header.managementClass() != MANAGEMENT_CLASS
                || header.classVersion() != CLASS_VERSION
                || header.method() != MadHeader.METHOD_SEND) {
            throw new MadFormatException("base version=" + header.baseVersion() + " class=" + header.managementClass()
                    + " class version=" + header.classVersion() + " method=" + header.method()
                    + " are not 1, 7, 2 and 3, as those of every message of communication management");
        }
        CmAttribute attribute = CmAttribute.of(header.attributeId());
        if (attribute == null) {
            throw new MadFormatException("attribute=" + header.attributeId()
                    + " is no message of communication management; those are 16 to 26");
        }
        return attribute.parse(mad.body().toBytes());
    }
}
