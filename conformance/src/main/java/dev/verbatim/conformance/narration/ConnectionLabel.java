// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.narration;

import dev.verbatim.cm.RejectReason;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.PacketRecord;
import dev.verbatim.wire.mad.CmMessage;
import dev.verbatim.wire.mad.Drep;
import dev.verbatim.wire.mad.Dreq;
import dev.verbatim.wire.mad.IpHeader;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadFormatException;
import dev.verbatim.wire.mad.Mra;
import dev.verbatim.wire.mad.Rej;
import dev.verbatim.wire.mad.Rep;
import dev.verbatim.wire.mad.Req;
import dev.verbatim.wire.mad.Rtu;
import dev.verbatim.wire.mad.ServiceId;
import dev.verbatim.wire.mad.SidrRep;
import dev.verbatim.wire.mad.SidrReq;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a packet from queue pair 1 to queue pair 1 says about a connection, in so few words that they fit on an arrow. */
final class ConnectionLabel {

    private static final int MANAGEMENT_QP = 1;

    private ConnectionLabel() {}

    /** The words; null if the packet is none of those, or says nothing that is understood. */
    static @Nullable String of(PacketRecord packet) {
        if (packet.opcode() != Opcode.UD_SEND_ONLY
                || packet.bth().destQp() != MANAGEMENT_QP
                || packet.payload().lengthBytes() != Mad.BYTES) {
            return null;
        }
        try {
            return describe(CmMessage.parse(Mad.parse(packet.payload())));
        } catch (MadFormatException e) {
            return null;
        }
    }

    private static String describe(CmMessage message) {
        if (message instanceof Req req) {
            return said(
                            "REQ for port %d: my %s",
                            ServiceId.port(req.serviceId()), end(req.localQpn(), req.startingPsn()))
                    + words(IpHeader.userData(req.privateData()));
        } else if (message instanceof Rep rep) {
            return said("REP accepts: my %s", end(rep.localQpn(), rep.startingPsn())) + words(rep.privateData());
        } else if (message instanceof Rtu) {
            return "RTU: ready to use";
        } else if (message instanceof Rej rej) {
            RejectReason reason = RejectReason.of(rej.reason());
            return said("REJ refuses, reason %d%s", rej.reason(), reason == null ? "" : " " + reason)
                    + words(rej.privateData());
        } else if (message instanceof Dreq dreq) {
            return said("DREQ ends the connection with your qp 0x%x", dreq.remoteQpn());
        } else if (message instanceof Drep) {
            return "DREP: it is over";
        } else if (message instanceof Mra mra) {
            return said("MRA: the %s is here, wait", mra.message() == Mra.MESSAGE_REP ? "REP" : "REQ");
        } else if (message instanceof SidrReq req) {
            return said("SIDR_REQ: which queue pair serves port %d?", ServiceId.port(req.serviceId()));
        } else if (message instanceof SidrRep rep) {
            return rep.status() == 0
                    ? said("SIDR_REP: qp 0x%x with qkey 0x%08x", rep.qpn(), rep.queueKey())
                    : said("SIDR_REP refuses, status %d", rep.status());
        }
        return message.attribute().name();
    }

    /** How much private data goes along; on the wire it has no end, but zeros say nothing. */
    private static String words(Octets privateData) {
        byte[] bytes = privateData.toBytes();
        int count = bytes.length;
        while (count > 0 && bytes[count - 1] == 0) {
            count--;
        }
        return count == 0 ? "" : said(", %d B of private data", count);
    }

    private static String end(int qpNumber, int firstPsn) {
        return said("qp 0x%x expects psn=%d first", qpNumber, firstPsn);
    }

    @SuppressWarnings("AnnotateFormatMethod") // its callers are above
    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
