// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A status: 32 bits, of which the upper two are the severity, as in NTSTATUS. Any number is a status; those of {@code ndstatus} and those
 * that Microsoft's tests assert have names here. Two statuses with the same number are equal, whatever their explanations.
 */
public final class NdStatus {

    private static final Map<Integer, NdStatus> NAMED = new LinkedHashMap<>();

    public static final NdStatus SUCCESS = named(0x00000000, "SUCCESS", "it was done");

    /** Not a failure by its number: {@link #isFailure()} is false. */
    public static final NdStatus TIMEOUT =
            named(0x00000102, "TIMEOUT", "the time to wait is over; the request is still under way");

    /** The request was accepted and will be delivered exactly once. */
    public static final NdStatus PENDING = named(0x00000103, "PENDING", "it is under way; wait for its result");

    public static final NdStatus BUFFER_OVERFLOW = named(
            0x80000005,
            "BUFFER_OVERFLOW",
            "there is more than fits; give more room, or ask for less: the size says how much is needed");
    public static final NdStatus DEVICE_BUSY =
            named(0x80000011, "DEVICE_BUSY", "something else still uses it; end that first");
    public static final NdStatus NO_MORE_ENTRIES =
            named(0x8000001A, "NO_MORE_ENTRIES", "the queue is full; take results first, or make it deeper");
    public static final NdStatus UNSUCCESSFUL =
            named(0xC0000001, "UNSUCCESSFUL", "it was refused for a reason that has no status of its own");
    public static final NdStatus ACCESS_VIOLATION = named(
            0xC0000005,
            "ACCESS_VIOLATION",
            "memory or a token does not permit it; look at the range, the registration and its flags");
    public static final NdStatus INVALID_HANDLE =
            named(0xC0000008, "INVALID_HANDLE", "the object was released, or is not there; make another");
    public static final NdStatus INVALID_PARAMETER =
            named(0xC000000D, "INVALID_PARAMETER", "a parameter is wrong or missing");
    public static final NdStatus INVALID_DEVICE_REQUEST = named(
            0xC0000010,
            "INVALID_DEVICE_REQUEST",
            "the device does not do that in this state; look at windows, limits and types");
    public static final NdStatus NO_MEMORY = named(0xC0000017, "NO_MEMORY", "there is no memory for it");
    public static final NdStatus INVALID_PARAMETER_MIX =
            named(0xC0000030, "INVALID_PARAMETER_MIX", "these parameters do not go together");
    public static final NdStatus DATA_OVERRUN = named(
            0xC000003C,
            "DATA_OVERRUN",
            "there are more elements, or more bytes, than the queue takes; give fewer, or make it with more");
    public static final NdStatus SHARING_VIOLATION =
            named(0xC0000043, "SHARING_VIOLATION", "the address is in use; choose another, or port 0");
    public static final NdStatus INSUFFICIENT_RESOURCES =
            named(0xC000009A, "INSUFFICIENT_RESOURCES", "the device has no more of these; release some");
    public static final NdStatus DEVICE_NOT_READY = named(0xC00000A3, "DEVICE_NOT_READY", "the device is not ready");
    public static final NdStatus IO_TIMEOUT =
            named(0xC00000B5, "IO_TIMEOUT", "the other side did not answer in time; see whether it still runs");
    public static final NdStatus NOT_SUPPORTED = named(0xC00000BB, "NOT_SUPPORTED", "the device has no such thing");
    public static final NdStatus INTERNAL_ERROR =
            named(0xC00000E5, "INTERNAL_ERROR", "the device failed for a reason of its own");
    public static final NdStatus INVALID_PARAMETER_1 = named(
            0xC00000EF, "INVALID_PARAMETER_1", "parameter 1, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_2 = named(
            0xC00000F0, "INVALID_PARAMETER_2", "parameter 2, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_3 = named(
            0xC00000F1, "INVALID_PARAMETER_3", "parameter 3, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_4 = named(
            0xC00000F2, "INVALID_PARAMETER_4", "parameter 4, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_5 = named(
            0xC00000F3, "INVALID_PARAMETER_5", "parameter 5, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_6 = named(
            0xC00000F4, "INVALID_PARAMETER_6", "parameter 6, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_7 = named(
            0xC00000F5, "INVALID_PARAMETER_7", "parameter 7, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_8 = named(
            0xC00000F6, "INVALID_PARAMETER_8", "parameter 8, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_9 = named(
            0xC00000F7, "INVALID_PARAMETER_9", "parameter 9, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus INVALID_PARAMETER_10 = named(
            0xC00000F8, "INVALID_PARAMETER_10", "parameter 10, counted from 1 with the first that is passed, is wrong");
    public static final NdStatus CANCELED =
            named(0xC0000120, "CANCELED", "it was cancelled, or flushed since its queue pair has ended");
    public static final NdStatus REMOTE_ERROR = named(0xC000013D, "REMOTE_ERROR", "the other side refused it");
    public static final NdStatus INVALID_ADDRESS =
            named(0xC0000141, "INVALID_ADDRESS", "the address is not one that can be used here");
    public static final NdStatus INVALID_DEVICE_STATE = named(
            0xC0000184,
            "INVALID_DEVICE_STATE",
            "it is too early or too late for that call; look at the order of calls");
    public static final NdStatus INVALID_BUFFER_SIZE =
            named(0xC0000206, "INVALID_BUFFER_SIZE", "the length is not one that can be");
    public static final NdStatus TOO_MANY_ADDRESSES = named(0xC0000209, "TOO_MANY_ADDRESSES", "no port is free");
    public static final NdStatus ADDRESS_ALREADY_EXISTS =
            named(0xC000020A, "ADDRESS_ALREADY_EXISTS", "the address is bound already");
    public static final NdStatus CONNECTION_REFUSED = named(
            0xC0000236, "CONNECTION_REFUSED", "the peer refused the connection, or no program listens at the address");
    public static final NdStatus CONNECTION_INVALID =
            named(0xC000023A, "CONNECTION_INVALID", "there is no connection in a state that permits it");
    public static final NdStatus CONNECTION_ACTIVE =
            named(0xC000023B, "CONNECTION_ACTIVE", "it has a connection already");
    public static final NdStatus NETWORK_UNREACHABLE =
            named(0xC000023C, "NETWORK_UNREACHABLE", "no way leads to that address");
    public static final NdStatus HOST_UNREACHABLE =
            named(0xC000023D, "HOST_UNREACHABLE", "no host is reachable at that address");
    public static final NdStatus CONNECTION_ABORTED =
            named(0xC0000241, "CONNECTION_ABORTED", "the other side has ended the connection");
    public static final NdStatus DEVICE_REMOVED =
            named(0xC00002B6, "DEVICE_REMOVED", "the device was closed, or has failed; open another");

    // Not in ndstatus, but asserted by Microsoft's tests or made by its provider.

    public static final NdStatus DATA_ERROR = named(0xC000003E, "DATA_ERROR", "the other side refused it");
    public static final NdStatus BUFFER_TOO_SMALL = named(0xC0000023, "BUFFER_TOO_SMALL", "the buffer is too small");
    public static final NdStatus BAD_NETWORK_NAME =
            named(0xC00000CC, "BAD_NETWORK_NAME", "no way leads to that address");
    public static final NdStatus CONNECTION_DISCONNECTED =
            named(0xC000020C, "CONNECTION_DISCONNECTED", "the connection has ended");
    public static final NdStatus ADDRESS_ALREADY_ASSOCIATED =
            named(0xC0000238, "ADDRESS_ALREADY_ASSOCIATED", "it is bound to an address already");
    public static final NdStatus REQUEST_ABORTED =
            named(0xC0000240, "REQUEST_ABORTED", "the other side has given it up");

    /** Name of v1 for the same number. */
    public static final NdStatus LOCAL_LENGTH = DATA_OVERRUN;

    /** Name of v1 for the same number. */
    public static final NdStatus INVALIDATION_ERROR = INVALID_DEVICE_REQUEST;

    private final int value;
    private final String name;
    private final String sentence;
    private final @Nullable Refusal why;

    private NdStatus(int value, String name, String sentence, @Nullable Refusal why) {
        this.value = value;
        this.name = name;
        this.sentence = sentence;
        this.why = why;
    }

    private static NdStatus named(int value, String name, String sentence) {
        NdStatus status = new NdStatus(value, name, sentence, null);
        NAMED.put(value, status);
        return status;
    }

    /** The status of that number, whether it has a name or not. */
    public static NdStatus of(int value) {
        NdStatus known = NAMED.get(value);
        return known != null ? known : new NdStatus(value, "", "a status without a name here", null);
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

    /**
     * One sentence: of a status that a call returned, why it did, with names and values where they are known; of others, what the
     * number means. Never empty. It does not count when two are compared.
     */
    public String explanation() {
        return why == null ? sentence : why.sentence();
    }

    /** The same status for a reason that is known. */
    NdStatus because(Refusal reason) {
        return new NdStatus(value, name, sentence, reason);
    }

    /** The same status for a reason, as {@link Refusal#of} takes it. */
    NdStatus because(String format, Object... values) {
        return because(Refusal.of(Rule.UNLISTED, format, values));
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
