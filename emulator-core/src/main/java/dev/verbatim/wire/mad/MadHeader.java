// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

import dev.verbatim.wire.Octets;
import java.nio.ByteBuffer;

/**
 * What every management datagram begins with.
 *
 * @param baseVersion 8 bits; {@link #BASE_VERSION}
 * @param managementClass 8 bits
 * @param classVersion 8 bits
 * @param method 8 bits
 * @param status 16 bits
 * @param classSpecific 16 bits
 * @param transactionId ties answers to a request
 * @param attributeId 16 bits
 */
public record MadHeader(
        int baseVersion,
        int managementClass,
        int classVersion,
        int method,
        int status,
        int classSpecific,
        long transactionId,
        int attributeId,
        int attributeModifier) {

    /** The only base version. */
    public static final int BASE_VERSION = 1;

    /** Asks for an attribute. */
    public static final int METHOD_GET = 0x01;

    /** Asks for an attribute to be set. */
    public static final int METHOD_SET = 0x02;

    /** Sends an attribute and asks for nothing. */
    public static final int METHOD_SEND = 0x03;

    /** Answers Get and Set. */
    public static final int METHOD_GET_RESPONSE = 0x81;

    /** What a class says of itself. */
    public static final int ATTRIBUTE_CLASS_PORT_INFO = 0x0001;

    /** The status that says that there is no such method of such an attribute here. */
    public static final int STATUS_UNSUPPORTED_METHOD_ATTRIBUTE = 0x000c;

    /** Two reserved bytes stand before it. */
    private static final int ATTRIBUTE_MODIFIER_OFFSET = 20;

    /** Checks that each number fits its field. */
    public MadHeader {
        if ((baseVersion | managementClass | classVersion | method) >>> Byte.SIZE != 0
                || (status | classSpecific | attributeId) >>> Short.SIZE != 0) {
            throw new IllegalArgumentException("base version=" + baseVersion + " class=" + managementClass
                    + " class version=" + classVersion + " method=" + method + " are not all in 0..255, or status="
                    + status + " class specific=" + classSpecific + " attribute=" + attributeId
                    + " not all in 0..65535; the fields hold no more");
        }
    }

    /** Reads the header of a datagram of {@value Mad#BYTES} bytes. */
    public static MadHeader parse(Octets datagram) {
        ByteBuffer bytes = datagram.asByteBuffer();
        return new MadHeader(
                Byte.toUnsignedInt(bytes.get()),
                Byte.toUnsignedInt(bytes.get()),
                Byte.toUnsignedInt(bytes.get()),
                Byte.toUnsignedInt(bytes.get()),
                Short.toUnsignedInt(bytes.getShort()),
                Short.toUnsignedInt(bytes.getShort()),
                bytes.getLong(),
                Short.toUnsignedInt(bytes.getShort()),
                bytes.getInt(ATTRIBUTE_MODIFIER_OFFSET));
    }

    void emit(byte[] mad) {
        ByteBuffer.wrap(mad)
                .put((byte) baseVersion)
                .put((byte) managementClass)
                .put((byte) classVersion)
                .put((byte) method)
                .putShort((short) status)
                .putShort((short) classSpecific)
                .putLong(transactionId)
                .putShort((short) attributeId)
                .putInt(ATTRIBUTE_MODIFIER_OFFSET, attributeModifier);
    }

    /** The header of the answer that says that there is no such method of such an attribute here. */
    public MadHeader unsupported() {
        return new MadHeader(
                baseVersion,
                managementClass,
                classVersion,
                METHOD_GET_RESPONSE,
                STATUS_UNSUPPORTED_METHOD_ATTRIBUTE,
                classSpecific,
                transactionId,
                attributeId,
                attributeModifier);
    }
}
