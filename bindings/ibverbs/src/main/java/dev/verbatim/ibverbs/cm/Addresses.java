// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Layouts.addrinfo;
import dev.verbatim.ibverbs.abi.Layouts.rdma_addrinfo;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_ib;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpType;
import java.net.InetSocketAddress;
import java.util.List;

/** Names of hosts and services, which the C library knows, and the list of devices. */
final class Addresses {

    private static final int PASSIVE = 1, NUMERIC_HOST = 2, FAMILY = 8, BY_SERVICE_OF_FABRIC = 0x10, BY_NAME = 0x20;

    /** Flags, types and protocols of getaddrinfo(3). */
    private static final int AI_PASSIVE = 1, AI_NUMERICHOST = 4, STREAM = 1, DATAGRAM = 2, TCP = 6, UDP = 17;

    private Addresses() {}

    static int rdma_getaddrinfo(long node, long service, long hints, long result) {
        if (node == 0 && service == 0 && hints == 0) {
            throw new Refused(Errno.EINVAL.number(), "neither node, service nor hints are given");
        }
        requireNoServiceOfFabric(node, hints);
        long info = Native.allocate(rdma_addrinfo.SIZE);
        int failed = 0;
        if (node == 0 && service == 0) {
            takeHints(hints, info);
        } else {
            failed = ask(node, service, hints, info);
        }
        if (failed != 0) {
            rdma_freeaddrinfo(info);
            return failed;
        }
        long source = hints == 0 ? 0 : rdma_addrinfo.ai_src_len.get(hints);
        if (source != 0 && rdma_addrinfo.ai_src_len.get(info) == 0) {
            set(info, true, rdma_addrinfo.ai_src_addr.get(hints), (int) source);
        }
        Native.putLong(result, info);
        return 0;
    }

    private static void requireNoServiceOfFabric(long node, long hints) {
        int flags = hints == 0 ? 0 : rdma_addrinfo.ai_flags.get(hints);
        if ((flags & BY_SERVICE_OF_FABRIC) != 0) {
            boolean contradicts = node != 0 || (flags & BY_NAME) != 0;
            throw new Refused(
                    contradicts ? Errno.EOPNOTSUPP.number() : Errno.ENOENT.number(),
                    "no service of the fabric knows names: RAI_SA");
        }
    }

    private static void takeHints(long hints, long info) {
        rdma_addrinfo.ai_flags.set(info, rdma_addrinfo.ai_flags.get(hints));
        rdma_addrinfo.ai_family.set(info, rdma_addrinfo.ai_family.get(hints));
        rdma_addrinfo.ai_qp_type.set(info, rdma_addrinfo.ai_qp_type.get(hints));
        rdma_addrinfo.ai_port_space.set(info, rdma_addrinfo.ai_port_space.get(hints));
        int length = rdma_addrinfo.ai_dst_len.get(hints);
        if (length != 0) {
            set(info, false, rdma_addrinfo.ai_dst_addr.get(hints), length);
        }
    }

    /** Asks the C library, and takes the first of its answers; its error number if it fails. */
    private static int ask(long node, long service, long hints, long info) {
        long asked = hints == 0 ? 0 : Native.allocate(addrinfo.SIZE);
        long answer = Native.allocate(Long.BYTES);
        try {
            if (hints != 0) {
                translate(hints, asked);
            }
            int failed = Native.getaddrinfo(node, service, asked, answer);
            if (failed == 0) {
                long first = Native.getLong(answer);
                take(first, hints, info);
                Native.freeaddrinfo(first);
            }
            return failed;
        } finally {
            Native.free(asked);
            Native.free(answer);
        }
    }

    private static void translate(long hints, long asked) {
        int flags = rdma_addrinfo.ai_flags.get(hints);
        int family = rdma_addrinfo.ai_family.get(hints);
        int qpType = rdma_addrinfo.ai_qp_type.get(hints);
        int space = rdma_addrinfo.ai_port_space.get(hints);
        addrinfo.ai_flags.set(
                asked, ((flags & PASSIVE) == 0 ? 0 : AI_PASSIVE) | ((flags & NUMERIC_HOST) == 0 ? 0 : AI_NUMERICHOST));
        addrinfo.ai_family.set(asked, family == SocketAddresses.AF_IB ? SocketAddresses.AF_UNSPEC : family);
        int type = qpType == 0 ? 0 : qpType == QpType.UD.number() ? DATAGRAM : STREAM;
        addrinfo.ai_socktype.set(asked, type);
        addrinfo.ai_protocol.set(asked, protocolOf(space, type));
    }

    private static int protocolOf(int space, int type) {
        if (space == PortSpace.TCP.number()) {
            return TCP;
        }
        if (PortSpaces.isDatagram(space)) {
            return UDP;
        }
        return space == 0 || type == 0 ? 0 : type == STREAM ? TCP : UDP;
    }

    private static void take(long answer, long hints, long info) {
        int qpType = hints == 0 ? 0 : rdma_addrinfo.ai_qp_type.get(hints);
        int space = hints == 0 ? 0 : rdma_addrinfo.ai_port_space.get(hints);
        boolean isDatagram = addrinfo.ai_socktype.get(answer) == DATAGRAM;
        boolean isUdp = addrinfo.ai_protocol.get(answer) == UDP;
        rdma_addrinfo.ai_qp_type.set(info, qpType != 0 ? qpType : (isDatagram ? QpType.UD : QpType.RC).number());
        rdma_addrinfo.ai_port_space.set(info, space != 0 ? space : (isUdp ? PortSpace.UDP : PortSpace.TCP).number());
        boolean isPassive = (addrinfo.ai_flags.get(answer) & AI_PASSIVE) != 0;
        rdma_addrinfo.ai_flags.set(info, isPassive ? PASSIVE : 0);
        rdma_addrinfo.ai_family.set(info, addrinfo.ai_family.get(answer));
        set(info, isPassive, addrinfo.ai_addr.get(answer), addrinfo.ai_addrlen.get(answer));
        if (wantsIb(hints)) {
            becomeIb(info, isPassive);
        }
        long name = addrinfo.ai_canonname.get(answer);
        if (name != 0) {
            (isPassive ? rdma_addrinfo.ai_src_canonname : rdma_addrinfo.ai_dst_canonname)
                    .set(info, Native.permanentString(Native.string(name)));
        }
    }

    private static boolean wantsIb(long hints) {
        int both = FAMILY | NUMERIC_HOST;
        return hints != 0
                && (rdma_addrinfo.ai_flags.get(hints) & both) == both
                && rdma_addrinfo.ai_family.get(hints) == SocketAddresses.AF_IB;
    }

    /** The address, which is a GID, becomes one of AF_IB. */
    private static void becomeIb(long info, boolean isSource) {
        long old = (isSource ? rdma_addrinfo.ai_src_addr : rdma_addrinfo.ai_dst_addr).get(info);
        InetSocketAddress address = IdAddresses.require(old);
        long fresh = Native.allocate(sockaddr_ib.SIZE);
        IdAddresses.write(address, fresh, true, rdma_addrinfo.ai_port_space.get(info));
        rdma_addrinfo.ai_family.set(info, SocketAddresses.AF_IB);
        (isSource ? rdma_addrinfo.ai_src_addr : rdma_addrinfo.ai_dst_addr).set(info, fresh);
        (isSource ? rdma_addrinfo.ai_src_len : rdma_addrinfo.ai_dst_len).set(info, sockaddr_ib.SIZE);
        Native.free(old);
    }

    private static void set(long info, boolean isSource, long address, int length) {
        long copy = Native.allocate(length);
        Native.copy(address, copy, length);
        (isSource ? rdma_addrinfo.ai_src_addr : rdma_addrinfo.ai_dst_addr).set(info, copy);
        (isSource ? rdma_addrinfo.ai_src_len : rdma_addrinfo.ai_dst_len).set(info, length);
    }

    static void rdma_freeaddrinfo(long info) {
        long next = info;
        while (next != 0) {
            long at = next;
            next = rdma_addrinfo.ai_next.get(at);
            Native.free(rdma_addrinfo.ai_connect.get(at));
            Native.free(rdma_addrinfo.ai_route.get(at));
            Native.free(rdma_addrinfo.ai_src_canonname.get(at));
            Native.free(rdma_addrinfo.ai_dst_canonname.get(at));
            Native.free(rdma_addrinfo.ai_src_addr.get(at));
            Native.free(rdma_addrinfo.ai_dst_addr.get(at));
            Native.free(at);
        }
    }

    /** Resolves names at once, and tells by an event that they are. */
    static int rdma_resolve_addrinfo(long id, long node, long service, long hints) {
        Id of = Id.TABLE.at(id);
        if (of.isResolvingNames()) {
            throw new Refused(Errno.EBUSY.number(), "the names before were not asked for");
        }
        long result = Native.allocate(Long.BYTES);
        try {
            if (rdma_getaddrinfo(node, service, hints, result) != 0) {
                throw new Refused(Errno.ENOENT.number(), "the names are not known");
            }
            of.resolvedNames(Native.getLong(result));
        } finally {
            Native.free(result);
        }
        of.channel().add(new Event(of, Event.ADDRINFO_RESOLVED, 0, 0));
        of.complete();
        return 0;
    }

    static int rdma_query_addrinfo(long id, long info) {
        Id of = Id.TABLE.at(id);
        if (info == 0) {
            throw new Refused(Errno.EINVAL.number(), "info is NULL");
        }
        if (!of.isResolvingNames()) {
            throw new Refused(Errno.ENOENT.number(), "no names were resolved");
        }
        Native.putLong(info, of.takeResolvedNames());
        return 0;
    }

    static long rdma_get_devices(long count) {
        List<Home> all = Home.all();
        long list = Native.allocate((all.size() + 1L) * Long.BYTES);
        for (int i = 0; i < all.size(); i++) {
            Native.putLong(list + (long) i * Long.BYTES, all.get(i).context().address());
        }
        if (count != 0) {
            Native.putInt(count, all.size());
        }
        return list;
    }

    static void rdma_free_devices(long list) {
        Native.free(list);
    }
}
