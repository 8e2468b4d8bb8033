// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.hello;

import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The first {@value #SIZE_BYTES} bytes in each direction of a connection, big-endian; the dialler speaks first.
 *
 * <p>At 0 the magic number (8 bytes), at 8 the version (2), at 10 the verdict (2), at 12 the flags (4), at 16 the
 * longest packet that the speaker takes (4), at 20 zeros (4), at 24 the GID (16), at 40 the incarnation (8), at 48 the
 * ticket (8).
 *
 * @param verdict the acceptor's answer; a dialler says {@link Verdict#WELCOME}
 * @param checksum whether the speaker wants packets to carry a checksum; they do if both want it
 * @param maxPacketBytes the longest packet, BTH to pad, that the speaker takes
 * @param gid GID of the speaker's device; its low half is the GUID
 * @param incarnation names this life of the speaker's device; drawn anew each time it comes up; never 0
 * @param ticket what proves that a dialler is the one of the link's last connection: told by the acceptor with its
 *     welcome, shown by the dialler when it dials anew; 0 for none. With {@link Verdict#FULL}, how many connections the
 *     acceptor may have
 */
public record Hello(Verdict verdict, boolean checksum, int maxPacketBytes, Gid gid, long incarnation, long ticket) {

    public static final int SIZE_BYTES = 56;
    public static final long MAGIC = 0x56455242_4154494dL; // "VERBATIM"
    /** 2 since datagrams have a {@code GrhPart}. */
    static final int VERSION = 2;

    /** Flag of a {@link Challenge}, which is no hello. */
    static final int CHALLENGE_FLAG = 0x100;

    private static final int VERSION_AT = 8;
    private static final int VERDICT_AT = 10;
    static final int FLAGS_AT = 12;
    private static final int MAX_PACKET_AT = 16;
    private static final int ZEROS_AT = 20;
    private static final int GID_AT = 24;
    private static final int INCARNATION_AT = 40;
    private static final int TICKET_AT = 48;
    private static final int CHECKSUM_FLAG = 1;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    private static final int TLS_MAJOR_VERSION = 3;

    /** The reason of a refusal, with its number if it has one. */
    public String sentence() {
        return verdict.sentence() + (verdict == Verdict.FULL ? " (maxConnections=" + ticket + ")" : "");
    }

    /** Writes the hello at the start of a big-endian buffer. */
    public void write(ByteBuffer target) {
        writeStart(target, verdict, checksum ? CHECKSUM_FLAG : 0);
        target.putInt(MAX_PACKET_AT, maxPacketBytes)
                .putInt(ZEROS_AT, 0)
                .putLong(GID_AT, gid.prefix())
                .putLong(GID_AT + Long.BYTES, gid.interfaceId())
                .putLong(INCARNATION_AT, incarnation)
                .putLong(TICKET_AT, ticket);
    }

    /** Writes what hellos and challenges have in common. */
    static void writeStart(ByteBuffer target, Verdict verdict, int flags) {
        target.putLong(0, MAGIC)
                .putShort(VERSION_AT, (short) VERSION)
                .putShort(VERDICT_AT, (short) verdict.number())
                .putInt(FLAGS_AT, flags);
    }

    /**
     * Judges what has come of a hello or a challenge so far, at the start of a big-endian buffer.
     *
     * @return null if it can become, or is, one of them; otherwise a sentence that says what is wrong with it
     */
    public static @Nullable String refusal(ByteBuffer source, int arrivedBytes) {
        if (arrivedBytes >= Short.BYTES && isTls(source)) {
            return "the other end uses TLS and this one does not; give both NettyOptions.withTls, or neither";
        }
        if (arrivedBytes >= Long.BYTES && source.getLong(0) != MAGIC) {
            return String.format(
                    Locale.ROOT,
                    "magic=0x%016x != 0x%016x; only Verbatim fabrics connect here",
                    source.getLong(0),
                    MAGIC);
        }
        if (arrivedBytes >= VERDICT_AT && source.getShort(VERSION_AT) != VERSION) {
            return "version=" + (source.getShort(VERSION_AT) & 0xffff) + " != " + VERSION
                    + "; run the same Verbatim at both ends";
        }
        return arrivedBytes < SIZE_BYTES ? null : refusalOfWhole(source);
    }

    /** Whether enough bytes have arrived to know that another version of Verbatim sent it. */
    public static boolean isOfOtherVersion(ByteBuffer source, int arrivedBytes) {
        return arrivedBytes >= VERDICT_AT && source.getLong(0) == MAGIC && source.getShort(VERSION_AT) != VERSION;
    }

    private static @Nullable String refusalOfWhole(ByteBuffer source) {
        int verdict = source.getShort(VERDICT_AT);
        if (Verdict.of(verdict) == null) {
            return "verdict=" + verdict + " is not in 0.." + (Verdict.values().length - 1);
        }
        if (Challenge.isOne(source)) {
            return Challenge.refusalOfWhole(source);
        }
        if ((source.getInt(FLAGS_AT) & ~CHECKSUM_FLAG) != 0 || source.getInt(ZEROS_AT) != 0) {
            return String.format(
                    Locale.ROOT,
                    "reserved bits are set: flags=0x%08x zeros=0x%08x; they must be 0",
                    source.getInt(FLAGS_AT),
                    source.getInt(ZEROS_AT));
        }
        if (source.getInt(MAX_PACKET_AT) < TransportLimits.LARGEST_PACKET_BYTES) {
            return "maxPacketBytes=" + source.getInt(MAX_PACKET_AT) + " < " + TransportLimits.LARGEST_PACKET_BYTES
                    + "; every fabric takes packets of path MTU 4096";
        }
        return source.getLong(INCARNATION_AT) == 0 ? "incarnation=0; draw one that is not 0" : null;
    }

    /** Reads a hello that {@link #refusal} found nothing wrong with. */
    public static Hello read(ByteBuffer source) {
        return new Hello(
                verdictIn(source),
                (source.getInt(FLAGS_AT) & CHECKSUM_FLAG) != 0,
                source.getInt(MAX_PACKET_AT),
                new Gid(source.getLong(GID_AT), source.getLong(GID_AT + Long.BYTES)),
                source.getLong(INCARNATION_AT),
                source.getLong(TICKET_AT));
    }

    static Verdict verdictIn(ByteBuffer source) {
        Verdict verdict = Verdict.of(source.getShort(VERDICT_AT));
        if (verdict == null) {
            throw new IllegalArgumentException("verdict=" + source.getShort(VERDICT_AT) + "; ask refusal() first");
        }
        return verdict;
    }

    /** Whether it begins like a record of TLS: an alert or a handshake of a version 3.x. */
    private static boolean isTls(ByteBuffer source) {
        int type = source.get(0);
        return (type == TLS_ALERT || type == TLS_HANDSHAKE) && source.get(1) == TLS_MAJOR_VERSION;
    }
}
