// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.ibverbs.abi.Layouts.sockaddr_in6;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.abi.SocketAddresses;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sockets as such: made, bound, connected, their options, and closed. */
final class Sockets {

    private static final int SOCK_STREAM = 1, SOCK_NONBLOCK = 0x800, SOCK_CLOEXEC = 0x80000;
    private static final int IPPROTO_TCP = 6;
    private static final int ENOTSUP = 95, ENOPROTOOPT = 92, EAFNOSUPPORT = 97, EDESTADDRREQ = 89;
    private static final int F_GETFD = 1, F_SETFD = 2, F_GETFL = 3, F_SETFL = 4, O_NONBLOCK = 0x800, O_RDWR = 2;
    private static final int SHUT_RD = 0, SHUT_WR = 1, SHUT_RDWR = 2;
    private static final int SOL_SOCKET = 1, SOL_RDMA = 0x10000, IPPROTO_IP = 0, IPPROTO_IPV6 = 41;
    private static final int SO_ERROR = 4, SO_SNDBUF = 7, SO_RCVBUF = 8;
    private static final int RDMA_SQSIZE = 0, RDMA_RQSIZE = 1, RDMA_INLINE = 2, RDMA_IOMAPSIZE = 3;
    private static final int LEAST_QUEUE = 16, MOST_QUEUE = 0xfffe, LEAST_BUFFER = 4096, MOST_BUFFER = 1 << 28;

    /** Options that change nothing here, as programs set them: level and name, and socket, to value. */
    private static final Map<Long, Integer> REMEMBERED = new ConcurrentHashMap<>();

    private Sockets() {}

    static int rsocket(int domain, int type, int protocol) {
        if (domain != SocketAddresses.AF_INET && domain != SocketAddresses.AF_INET6) {
            throw new Refused(EAFNOSUPPORT, "domain=" + domain + " is neither AF_INET nor AF_INET6");
        }
        if ((type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) != SOCK_STREAM || (protocol != 0 && protocol != IPPROTO_TCP)) {
            throw new Refused(ENOTSUP, "type=" + type + " is not SOCK_STREAM: datagrams over rsockets are not carried");
        }
        RSocket socket = new RSocket();
        socket.nonBlocking((type & SOCK_NONBLOCK) != 0);
        return socket.descriptor();
    }

    static int rbind(int socket, long address, int length) {
        RSocket.at(socket).bind(read(address));
        return 0;
    }

    static int rlisten(int socket, int backlog) {
        RSocket.at(socket).listen(backlog);
        return 0;
    }

    static int raccept(int socket, long address, long length) {
        RSocket accepted = RSocket.at(socket).accept();
        if (address != 0 && length != 0) {
            write(accepted.peer(), address, length);
        }
        return accepted.descriptor();
    }

    static int rconnect(int socket, long address, int length) {
        RSocket.at(socket).connect(read(address));
        return 0;
    }

    static int rshutdown(int socket, int how) {
        if (how < SHUT_RD || how > SHUT_RDWR) {
            throw new Refused(Errno.EINVAL.number(), "how=" + how + " is none of SHUT_RD, SHUT_WR and SHUT_RDWR");
        }
        RSocket.at(socket).shutDown(how != SHUT_WR, how != SHUT_RD);
        return 0;
    }

    static int rclose(int socket) {
        if (Polls.close(socket)) {
            return 0;
        }
        RSocket closing = RSocket.at(socket);
        // Before its number may be another's.
        REMEMBERED.keySet().removeIf(key -> (int) (key >>> 32) == socket);
        closing.close();
        return 0;
    }

    static int rgetpeername(int socket, long address, long length) {
        InetSocketAddress peer = RSocket.at(socket).peer();
        if (peer == null) {
            throw new Refused(Errno.ENOTCONN.number(), "the socket has no peer");
        }
        write(peer, address, length);
        return 0;
    }

    static int rgetsockname(int socket, long address, long length) {
        InetSocketAddress local = RSocket.at(socket).local();
        write(local == null ? new InetSocketAddress(0) : local, address, length);
        return 0;
    }

    private static InetSocketAddress read(long address) {
        InetSocketAddress read = address == 0 ? null : SocketAddresses.read(address);
        if (read == null) {
            throw new Refused(
                    address == 0 ? EDESTADDRREQ : EAFNOSUPPORT, "the address is of no family that is carried");
        }
        return read;
    }

    /** Writes as much of an address as there is room for, and its whole length. */
    private static void write(@Nullable InetSocketAddress from, long address, long length) {
        if (from == null) {
            Native.putInt(length, 0);
            return;
        }
        long whole = Native.allocate(sockaddr_in6.SIZE);
        int size = SocketAddresses.write(from, whole);
        Native.copy(whole, address, Math.clamp(Native.getInt(length), 0, size));
        Native.free(whole);
        Native.putInt(length, size);
    }

    static int rfcntl(int socket, int command, int argument) {
        RSocket own = RSocket.at(socket);
        switch (command) {
            case F_GETFL -> {
                return O_RDWR | (own.isNonBlocking() ? O_NONBLOCK : 0);
            }
            case F_SETFL -> own.nonBlocking((argument & O_NONBLOCK) != 0);
            case F_GETFD -> {
                return 1;
            }
            case F_SETFD -> {}
            default -> throw new Refused(ENOTSUP, "cmd=" + command + " is not supported");
        }
        return 0;
    }

    static int rsetsockopt(int socket, int level, int name, long value, int length) {
        RSocket own = RSocket.at(socket);
        if (value == 0 || length < Integer.BYTES) {
            throw new Refused(Errno.EINVAL.number(), "optlen=" + length + " is less than 4");
        }
        int number = Native.getInt(value);
        Stream.Sizes sizes = own.sizes();
        if (level == SOL_RDMA || (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF))) {
            own.sizes(changed(sizes, level, name, number));
        } else if (level == SOL_SOCKET || level == IPPROTO_TCP || level == IPPROTO_IP || level == IPPROTO_IPV6) {
            REMEMBERED.put(keyOf(socket, level, name), number);
        } else {
            throw new Refused(ENOPROTOOPT, "level=" + level + " is not known");
        }
        return 0;
    }

    private static Stream.Sizes changed(Stream.Sizes of, int level, int name, int value) {
        int queue = Math.clamp(value, LEAST_QUEUE, MOST_QUEUE);
        int buffer = Math.clamp(value, LEAST_BUFFER, MOST_BUFFER) & ~1;
        if (level == SOL_SOCKET) {
            return name == SO_SNDBUF
                    ? new Stream.Sizes(
                            buffer, of.receiveBytes(), of.sends(), of.receives(), of.inlineBytes(), of.iomaps())
                    : new Stream.Sizes(
                            of.sendBytes(), buffer, of.sends(), of.receives(), of.inlineBytes(), of.iomaps());
        }
        return switch (name) {
            case RDMA_SQSIZE ->
                new Stream.Sizes(
                        of.sendBytes(), of.receiveBytes(), queue, of.receives(), of.inlineBytes(), of.iomaps());
            case RDMA_RQSIZE ->
                new Stream.Sizes(of.sendBytes(), of.receiveBytes(), of.sends(), queue, of.inlineBytes(), of.iomaps());
            case RDMA_INLINE ->
                new Stream.Sizes(
                        of.sendBytes(),
                        of.receiveBytes(),
                        of.sends(),
                        of.receives(),
                        Math.clamp(value, 0, 256),
                        of.iomaps());
            case RDMA_IOMAPSIZE ->
                new Stream.Sizes(
                        of.sendBytes(),
                        of.receiveBytes(),
                        of.sends(),
                        of.receives(),
                        of.inlineBytes(),
                        roundedIomaps(value));
            default -> throw new Refused(ENOPROTOOPT, "option=" + name + " of SOL_RDMA is not supported");
        };
    }

    /** What the private data can say: up to 128, then multiples of 256. */
    private static int roundedIomaps(int value) {
        int wanted = Math.clamp(value, 0, 128 * 256 - 256);
        return wanted <= 128 ? wanted : (wanted + 255) / 256 * 256;
    }

    static int rgetsockopt(int socket, int level, int name, long value, long length) {
        RSocket own = RSocket.at(socket);
        Stream.Sizes sizes = own.sizes();
        int number;
        if (level == SOL_SOCKET && name == SO_ERROR) {
            number = own.takeError();
        } else if (level == SOL_SOCKET && name == SO_SNDBUF) {
            number = sizes.sendBytes();
        } else if (level == SOL_SOCKET && name == SO_RCVBUF) {
            number = sizes.receiveBytes();
        } else if (level == SOL_RDMA) {
            number = switch (name) {
                case RDMA_SQSIZE -> sizes.sends();
                case RDMA_RQSIZE -> sizes.receives();
                case RDMA_INLINE -> sizes.inlineBytes();
                case RDMA_IOMAPSIZE -> sizes.iomaps();
                default -> throw new Refused(ENOPROTOOPT, "option=" + name + " of SOL_RDMA is not supported");
            };
        } else {
            number = REMEMBERED.getOrDefault(keyOf(socket, level, name), 0);
        }
        if (value == 0 || length == 0 || Native.getInt(length) < Integer.BYTES) {
            throw new Refused(Errno.EINVAL.number(), "the value needs 4 bytes");
        }
        Native.putInt(value, number);
        Native.putInt(length, Integer.BYTES);
        return 0;
    }

    private static long keyOf(int socket, int level, int name) {
        return (long) socket << 32 | (long) (level & 0xffff) << 16 | (name & 0xffff);
    }
}
