// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.wire.mad;

/**
 * What every management datagram begins with.
 *
 * @param baseVersion 8 bits; {@link #BASE_VERSION}
 * @param managementClass 8 bits
 * @param classVersion 8 bits
 * @param method 8 bits
 * @param status 16 bits
 * @param classSpecific 16 bits
 * @param transactionId ties answers to a request, for whoever looks at it
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

    private static final Field BASE_VERSION_FIELD = Field.at(0, 8, "baseVersion");
    private static final Field MANAGEMENT_CLASS = Field.at(1, 8, "managementClass");
    private static final Field CLASS_VERSION = Field.at(2, 8, "classVersion");
    private static final Field METHOD = Field.at(3, 8, "method");
    private static final Field STATUS = Field.at(4, 16, "status");
    private static final Field CLASS_SPECIFIC = Field.at(6, 16, "classSpecific");
    private static final Field TRANSACTION_ID = Field.at(8, 64, "transactionId");
    private static final Field ATTRIBUTE_ID = Field.at(16, 16, "attributeId");
    private static final Field ATTRIBUTE_MODIFIER = Field.at(20, 32, "attributeModifier");

    /** Checks that each number fits its field. */
    public MadHeader {
        BASE_VERSION_FIELD.check(baseVersion);
        MANAGEMENT_CLASS.check(managementClass);
        CLASS_VERSION.check(classVersion);
        METHOD.check(method);
        STATUS.check(status);
        CLASS_SPECIFIC.check(classSpecific);
        ATTRIBUTE_ID.check(attributeId);
    }

    static MadHeader parse(byte[] mad) {
        return new MadHeader(
                BASE_VERSION_FIELD.getInt(mad),
                MANAGEMENT_CLASS.getInt(mad),
                CLASS_VERSION.getInt(mad),
                METHOD.getInt(mad),
                STATUS.getInt(mad),
                CLASS_SPECIFIC.getInt(mad),
                TRANSACTION_ID.get(mad),
                ATTRIBUTE_ID.getInt(mad),
                ATTRIBUTE_MODIFIER.getInt(mad));
    }

    void emit(byte[] mad) {
        BASE_VERSION_FIELD.put(mad, baseVersion);
        MANAGEMENT_CLASS.put(mad, managementClass);
        CLASS_VERSION.put(mad, classVersion);
        METHOD.put(mad, method);
        STATUS.put(mad, status);
        CLASS_SPECIFIC.put(mad, classSpecific);
        TRANSACTION_ID.put(mad, transactionId);
        ATTRIBUTE_ID.put(mad, attributeId);
        ATTRIBUTE_MODIFIER.put(mad, attributeModifier);
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
