// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A status: 32 bits of which the upper two say how bad it is, as in NTSTATUS. Any number is one; those of {@code ndstatus} and
 * those that Microsoft's tests assert have names here. Two with the same number are equal, and the named ones are the same object.
 */
public final class NdStatus {

    private static final Map<Integer, NdStatus> NAMED = new LinkedHashMap<>();

    public static final NdStatus SUCCESS = named(0x00000000, "SUCCESS");

    /** Not a failure by its number: {@link #isFailure()} is false. */
    public static final NdStatus TIMEOUT = named(0x00000102, "TIMEOUT");

    /** The request was accepted and will be delivered exactly once. */
    public static final NdStatus PENDING = named(0x00000103, "PENDING");

    public static final NdStatus BUFFER_OVERFLOW = named(0x80000005, "BUFFER_OVERFLOW");
    public static final NdStatus DEVICE_BUSY = named(0x80000011, "DEVICE_BUSY");
    public static final NdStatus NO_MORE_ENTRIES = named(0x8000001A, "NO_MORE_ENTRIES");
    public static final NdStatus UNSUCCESSFUL = named(0xC0000001, "UNSUCCESSFUL");
    public static final NdStatus ACCESS_VIOLATION = named(0xC0000005, "ACCESS_VIOLATION");
    public static final NdStatus INVALID_HANDLE = named(0xC0000008, "INVALID_HANDLE");
    public static final NdStatus INVALID_PARAMETER = named(0xC000000D, "INVALID_PARAMETER");
    public static final NdStatus INVALID_DEVICE_REQUEST = named(0xC0000010, "INVALID_DEVICE_REQUEST");
    public static final NdStatus NO_MEMORY = named(0xC0000017, "NO_MEMORY");
    public static final NdStatus INVALID_PARAMETER_MIX = named(0xC0000030, "INVALID_PARAMETER_MIX");
    public static final NdStatus DATA_OVERRUN = named(0xC000003C, "DATA_OVERRUN");
    public static final NdStatus SHARING_VIOLATION = named(0xC0000043, "SHARING_VIOLATION");
    public static final NdStatus INSUFFICIENT_RESOURCES = named(0xC000009A, "INSUFFICIENT_RESOURCES");
    public static final NdStatus DEVICE_NOT_READY = named(0xC00000A3, "DEVICE_NOT_READY");
    public static final NdStatus IO_TIMEOUT = named(0xC00000B5, "IO_TIMEOUT");
    public static final NdStatus NOT_SUPPORTED = named(0xC00000BB, "NOT_SUPPORTED");
    public static final NdStatus INTERNAL_ERROR = named(0xC00000E5, "INTERNAL_ERROR");
    public static final NdStatus INVALID_PARAMETER_1 = named(0xC00000EF, "INVALID_PARAMETER_1");
    public static final NdStatus INVALID_PARAMETER_2 = named(0xC00000F0, "INVALID_PARAMETER_2");
    public static final NdStatus INVALID_PARAMETER_3 = named(0xC00000F1, "INVALID_PARAMETER_3");
    public static final NdStatus INVALID_PARAMETER_4 = named(0xC00000F2, "INVALID_PARAMETER_4");
    public static final NdStatus INVALID_PARAMETER_5 = named(0xC00000F3, "INVALID_PARAMETER_5");
    public static final NdStatus INVALID_PARAMETER_6 = named(0xC00000F4, "INVALID_PARAMETER_6");
    public static final NdStatus INVALID_PARAMETER_7 = named(0xC00000F5, "INVALID_PARAMETER_7");
    public static final NdStatus INVALID_PARAMETER_8 = named(0xC00000F6, "INVALID_PARAMETER_8");
    public static final NdStatus INVALID_PARAMETER_9 = named(0xC00000F7, "INVALID_PARAMETER_9");
    public static final NdStatus INVALID_PARAMETER_10 = named(0xC00000F8, "INVALID_PARAMETER_10");
    public static final NdStatus CANCELED = named(0xC0000120, "CANCELED");
    public static final NdStatus REMOTE_ERROR = named(0xC000013D, "REMOTE_ERROR");
    public static final NdStatus INVALID_ADDRESS = named(0xC0000141, "INVALID_ADDRESS");
    public static final NdStatus INVALID_DEVICE_STATE = named(0xC0000184, "INVALID_DEVICE_STATE");
    public static final NdStatus INVALID_BUFFER_SIZE = named(0xC0000206, "INVALID_BUFFER_SIZE");
    public static final NdStatus TOO_MANY_ADDRESSES = named(0xC0000209, "TOO_MANY_ADDRESSES");
    public static final NdStatus ADDRESS_ALREADY_EXISTS = named(0xC000020A, "ADDRESS_ALREADY_EXISTS");
    public static final NdStatus CONNECTION_REFUSED = named(0xC0000236, "CONNECTION_REFUSED");
    public static final NdStatus CONNECTION_INVALID = named(0xC000023A, "CONNECTION_INVALID");
    public static final NdStatus CONNECTION_ACTIVE = named(0xC000023B, "CONNECTION_ACTIVE");
    public static final NdStatus NETWORK_UNREACHABLE = named(0xC000023C, "NETWORK_UNREACHABLE");
    public static final NdStatus HOST_UNREACHABLE = named(0xC000023D, "HOST_UNREACHABLE");
    public static final NdStatus CONNECTION_ABORTED = named(0xC0000241, "CONNECTION_ABORTED");
    public static final NdStatus DEVICE_REMOVED = named(0xC00002B6, "DEVICE_REMOVED");

    // Not in ndstatus, but asserted by Microsoft's tests or made by its provider.

    public static final NdStatus DATA_ERROR = named(0xC000003E, "DATA_ERROR");
    public static final NdStatus BUFFER_TOO_SMALL = named(0xC0000023, "BUFFER_TOO_SMALL");
    public static final NdStatus BAD_NETWORK_NAME = named(0xC00000CC, "BAD_NETWORK_NAME");
    public static final NdStatus CONNECTION_DISCONNECTED = named(0xC000020C, "CONNECTION_DISCONNECTED");
    public static final NdStatus ADDRESS_ALREADY_ASSOCIATED = named(0xC0000238, "ADDRESS_ALREADY_ASSOCIATED");
    public static final NdStatus REQUEST_ABORTED = named(0xC0000240, "REQUEST_ABORTED");

    /** Name of v1 for the same number. */
    public static final NdStatus LOCAL_LENGTH = DATA_OVERRUN;

    /** Name of v1 for the same number. */
    public static final NdStatus INVALIDATION_ERROR = INVALID_DEVICE_REQUEST;

    private final int value;
    private final String name;

    private NdStatus(int value, String name) {
        this.value = value;
        this.name = name;
    }

    private static NdStatus named(int value, String name) {
        NdStatus status = new NdStatus(value, name);
        NAMED.put(value, status);
        return status;
    }

    /** The status of that number, whether it has a name or not. */
    public static NdStatus of(int value) {
        NdStatus known = NAMED.get(value);
        return known != null ? known : new NdStatus(value, "");
    }

    /** The status that says that parameter {@code number} is wrong, counted from 1 and with {@code iid} as a parameter. */
    public static NdStatus invalidParameter(int number) {
        if (number < 1 || number > 10) {
            throw new IllegalArgumentException("parameter number=" + number + " is not in 1..10");
        }
        return of(INVALID_PARAMETER_1.value + number - 1);
    }

    /** The number. */
    public int value() {
        return value;
    }

    /** The name; empty if it has none here. */
    public String name() {
        return name;
    }

    /** Whether it is SUCCESS itself, which PENDING and TIMEOUT are not. */
    public boolean isSuccess() {
        return value == 0;
    }

    /** Whether it is negative, as {@code FAILED()} asks: errors, and warnings such as BUFFER_OVERFLOW, too. */
    public boolean isFailure() {
        return value < 0;
    }

    @Override
    public int hashCode() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NdStatus status && status.value == value;
    }

    /** Such as {@code CANCELED(0xC0000120)}. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s(0x%08X)", name.isEmpty() ? "status" : name, value);
    }
}
