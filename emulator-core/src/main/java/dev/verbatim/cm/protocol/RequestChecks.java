// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Req;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a new request, in this order (CM-04). Wrong addresses in the IP header are refused as if the application had done it: the
 * peer learns no more.
 */
final class RequestChecks {

    /**
     * A refusal.
     *
     * @param reason a constant of {@link Rej}
     * @param additional information that goes with the reason
     */
    record Refused(int reason, Octets additional) {}

    private static final int MEMBERSHIP_BIT = 0x8000;
    private static final int DEFAULT_PARTITION = 0x7fff;
    private static final int FIRST_USERS_QP = 2;

    private RequestChecks() {}

    static Refused refusal(int reason) {
        return new Refused(reason, Octets.EMPTY);
    }

    /** Why the request is refused; null if it is not. */
    static @Nullable Refused check(CmContext context, @Nullable Listener listener, Gid source, Req req) {
        context.decided(Rule.CM_04);
        if (listener == null) {
            return refusal(Rej.REASON_INVALID_SERVICE_ID);
        }
        if (!source.equals(req.primary().localGid())) {
            // Linux would answer to that address, so a forged one would make it send to others.
            return refusal(Rej.REASON_CONSUMER_DEFINED);
        }
        if (!isOwn(context, req.primary().remoteGid()) || !isDefaultPartition(req.partitionKey())) {
            return new Refused(Rej.REASON_INVALID_GID, octets(context.gid()));
        }
        if (req.alternate().isPresent()) {
            return new Refused(Rej.REASON_INVALID_ALT_GID, octets(context.gid()));
        }
        if (!isAddressed(context, source, IpHeader.parse(req.privateData()))
                || req.transportType() != Req.TRANSPORT_RC
                || req.localQpn() < FIRST_USERS_QP) {
            return refusal(Rej.REASON_CONSUMER_DEFINED);
        }
        if (req.pathMtu() < 1 || req.pathMtu() > context.mostMtu()) {
            return new Refused(Rej.REASON_INVALID_MTU, Octets.of((byte) context.mostMtu()));
        }
        return null;
    }

    /** Whether the addresses of the header are those of the two devices. */
    static boolean isAddressed(CmContext context, Gid source, IpHeader header) {
        context.decided(Rule.CM_03);
        return header.majorVersion() == 0
                && header.minorVersion() == 0
                && (header.ipVersion() == IpHeader.IPV4 || header.ipVersion() == IpHeader.IPV6)
                && header.source().equals(source)
                && isOwn(context, header.destination());
    }

    static boolean isDefaultPartition(int partitionKey) {
        return (partitionKey & ~MEMBERSHIP_BIT) == DEFAULT_PARTITION;
    }

    private static boolean isOwn(CmContext context, Gid gid) {
        return context.gid().equals(gid);
    }

    private static Octets octets(Gid gid) {
        return Octets.of(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(gid.prefix())
                .putLong(gid.interfaceId())
                .array());
    }
}
