// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Layouts.rdma_addrinfo;
import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in6;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Names of hosts and services, and the list of devices. */
final class Addresses {

    private static final int PASSIVE = 1, FAMILY = 8;
    private static final int MOST_PORT = 65535;
    private static final Path SERVICES = Path.of("/etc/services");

    private Addresses() {}

    static int rdma_getaddrinfo(long node, long service, long hints, long result) {
        if (node == 0 && service == 0 && hints == 0) {
            throw new Refused(Errno.EINVAL.number(), "neither node, service nor hints are given");
        }
        int flags = hints == 0 ? 0 : rdma_addrinfo.ai_flags.get(hints);
        int family = (flags & FAMILY) == 0 ? 0 : rdma_addrinfo.ai_family.get(hints);
        int space = hints == 0 ? 0 : rdma_addrinfo.ai_port_space.get(hints);
        PortSpace of = Ids.spaceOf(space == 0 ? PortSpace.TCP.number() : space);
        boolean isPassive = (flags & PASSIVE) != 0;
        int port = service == 0 ? 0 : portOf(Native.string(service), of);
        boolean hasName = node != 0 || service != 0;
        long info = Native.allocate(rdma_addrinfo.SIZE);
        rdma_addrinfo.ai_flags.set(info, flags);
        rdma_addrinfo.ai_qp_type.set(info, of.qpType().number());
        rdma_addrinfo.ai_port_space.set(info, of.number());
        if (isPassive) {
            source(info, hasName ? new InetSocketAddress(hostOf(node, family, true), port) : null);
        } else {
            if (hasName) {
                InetSocketAddress to = new InetSocketAddress(hostOf(node, family, false), port);
                destination(info, to);
            }
        }
        copyHints(hints, info);
        long known = isPassive ? rdma_addrinfo.ai_src_addr.get(info) : rdma_addrinfo.ai_dst_addr.get(info);
        rdma_addrinfo.ai_family.set(info, known == 0 ? SocketAddresses.AF_INET : Native.getShort(known));
        Native.putLong(result, info);
        return 0;
    }

    private static void source(long info, @Nullable InetSocketAddress address) {
        if (address != null) {
            long at = Native.allocate(sockaddr_in6.SIZE);
            rdma_addrinfo.ai_src_len.set(info, SocketAddresses.write(address, at));
            rdma_addrinfo.ai_src_addr.set(info, at);
        }
    }

    private static void destination(long info, InetSocketAddress address) {
        long at = Native.allocate(sockaddr_in6.SIZE);
        rdma_addrinfo.ai_dst_len.set(info, SocketAddresses.write(address, at));
        rdma_addrinfo.ai_dst_addr.set(info, at);
    }

    /** Addresses of the hints stand for what is not named. */
    private static void copyHints(long hints, long info) {
        if (hints == 0) {
            return;
        }
        long from = rdma_addrinfo.ai_src_addr.get(hints);
        long to = rdma_addrinfo.ai_dst_addr.get(hints);
        InetSocketAddress source = from == 0 ? null : SocketAddresses.read(from);
        InetSocketAddress destination = to == 0 ? null : SocketAddresses.read(to);
        if (source != null && rdma_addrinfo.ai_src_addr.get(info) == 0) {
            source(info, source);
        }
        if (destination != null && rdma_addrinfo.ai_dst_addr.get(info) == 0) {
            destination(info, destination);
        }
    }

    private static InetAddress hostOf(long node, int family, boolean isPassive) {
        try {
            if (node == 0) {
                return isPassive ? new InetSocketAddress(0).getAddress() : InetAddress.getLoopbackAddress();
            }
            for (InetAddress candidate : InetAddress.getAllByName(Native.string(node))) {
                boolean isSix = candidate instanceof Inet6Address;
                if (family == 0 || isSix == (family == SocketAddresses.AF_INET6)) {
                    return candidate;
                }
            }
        } catch (UnknownHostException e) {
            // Said below.
        }
        throw new Refused(Errno.ENODEV.number(), "node=" + Native.string(node) + " is no host that is known here");
    }

    private static int portOf(String service, PortSpace space) {
        try {
            int port = Integer.parseInt(service);
            if (port >= 0 && port <= MOST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            Integer known = known(service, space == PortSpace.UDP ? "udp" : "tcp");
            if (known != null) {
                return known;
            }
        }
        throw new Refused(Errno.EINVAL.number(), "service=" + service + " is no port that is known here");
    }

    private static @Nullable Integer known(String service, String protocol) {
        try {
            for (String line : Files.readAllLines(SERVICES)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length > 1 && words[0].equals(service) && words[1].endsWith("/" + protocol)) {
                    return Integer.valueOf(words[1].substring(0, words[1].indexOf('/')));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return null;
        }
        return null;
    }

    static void rdma_freeaddrinfo(long info) {
        long next = info;
        while (next != 0) {
            long at = next;
            next = rdma_addrinfo.ai_next.get(at);
            Native.free(rdma_addrinfo.ai_src_addr.get(at));
            Native.free(rdma_addrinfo.ai_dst_addr.get(at));
            Native.free(at);
        }
    }

    static int rdma_resolve_addrinfo(long id, long node, long service, long hints) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(Errno.EOPNOTSUPP.number(), "names are not resolved by a service of the fabric");
    }

    static int rdma_query_addrinfo(long id, long info) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(Errno.EOPNOTSUPP.number(), "names are not resolved by a service of the fabric");
    }

    static long rdma_get_devices(long count) {
        long list = Native.allocate(2L * Long.BYTES);
        Native.putLong(list, Home.get().context().address());
        if (count != 0) {
            Native.putInt(count, 1);
        }
        return list;
    }

    static void rdma_free_devices(long list) {
        Native.free(list);
    }
}
