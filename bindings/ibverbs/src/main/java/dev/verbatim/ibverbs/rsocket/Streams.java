// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.ibverbs.abi.Layouts.iovec;
import dev.verbatim.ibverbs.abi.Layouts.msghdr;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.Errno;

/** Reading and writing. */
final class Streams {

    private static final int MSG_PEEK = 2, MSG_DONTWAIT = 0x40, MSG_WAITALL = 0x100;
    private static final int PROT_WRITE = 2;
    private static final int MOST_VECTORS = 1024;

    private Streams() {}

    static long rrecv(int socket, long to, long lengthBytes, int flags) {
        return RSocket.at(socket)
                .read(
                        to,
                        lengthBytes,
                        (flags & MSG_PEEK) != 0,
                        (flags & MSG_WAITALL) != 0,
                        (flags & MSG_DONTWAIT) != 0);
    }

    static long rrecvfrom(int socket, long to, long lengthBytes, int flags, long address, long addressLength) {
        long count = rrecv(socket, to, lengthBytes, flags);
        if (address != 0 && addressLength != 0) {
            Sockets.rgetpeername(socket, address, addressLength);
        }
        return count;
    }

    static long rread(int socket, long to, long lengthBytes) {
        return rrecv(socket, to, lengthBytes, 0);
    }

    static long rsend(int socket, long from, long lengthBytes, int flags) {
        return RSocket.at(socket).write(from, lengthBytes, (flags & MSG_DONTWAIT) != 0);
    }

    static long rsendto(int socket, long from, long lengthBytes, int flags, long address, int addressLength) {
        if (address != 0 || addressLength != 0) {
            throw new Refused(Errno.EISCONN.number(), "a stream has its peer");
        }
        return rsend(socket, from, lengthBytes, flags);
    }

    static long rwrite(int socket, long from, long lengthBytes) {
        return rsend(socket, from, lengthBytes, 0);
    }

    static long rreadv(int socket, long vectors, int count) {
        return receive(socket, vectors, count, 0);
    }

    static long rwritev(int socket, long vectors, int count) {
        return send(socket, vectors, count, 0);
    }

    static long rrecvmsg(int socket, long message, int flags) {
        return receive(socket, msghdr.msg_iov.get(message), vectorsOf(message), flags);
    }

    static long rsendmsg(int socket, long message, int flags) {
        return send(socket, msghdr.msg_iov.get(message), vectorsOf(message), flags);
    }

    private static int vectorsOf(long message) {
        if (msghdr.msg_control.get(message) != 0 && msghdr.msg_controllen.get(message) != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "control messages are not carried");
        }
        return (int) Math.min(Integer.MAX_VALUE, msghdr.msg_iovlen.get(message));
    }

    private static void requireFew(int count) {
        if (count < 0 || count > MOST_VECTORS) {
            throw new Refused(Errno.EINVAL.number(), "vectors=" + count + " is not in 0.." + MOST_VECTORS);
        }
    }

    private static long receive(int socket, long vectors, int count, int flags) {
        requireFew(count);
        long done = 0;
        for (int i = 0; i < count; i++) {
            long vector = vectors + (long) i * iovec.SIZE;
            long length = iovec.iov_len.get(vector);
            // Only the first waits: what has come by then is taken.
            int how = done == 0 || (flags & MSG_WAITALL) != 0 ? flags : flags | MSG_DONTWAIT;
            long read = length == 0 ? 0 : readOrNone(socket, iovec.iov_base.get(vector), length, how, done > 0);
            done += read;
            if (read < length) {
                break;
            }
        }
        return done;
    }

    private static long readOrNone(int socket, long to, long length, int flags, boolean hasSome) {
        try {
            return rrecv(socket, to, length, flags);
        } catch (Refused e) {
            if (hasSome) {
                return 0;
            }
            throw e;
        }
    }

    private static long send(int socket, long vectors, int count, int flags) {
        requireFew(count);
        long done = 0;
        for (int i = 0; i < count; i++) {
            long vector = vectors + (long) i * iovec.SIZE;
            long length = iovec.iov_len.get(vector);
            long written;
            try {
                written = rsend(socket, iovec.iov_base.get(vector), length, flags);
            } catch (Refused e) {
                if (done > 0) {
                    return done;
                }
                throw e;
            }
            done += written;
            if (written < length) {
                break;
            }
        }
        return done;
    }

    static long riomap(int socket, long address, long lengthBytes, int protection, int flags, long offset) {
        if ((protection & ~PROT_WRITE) != 0) {
            throw new Refused(Errno.EINVAL.number(), "prot=" + protection + " is neither PROT_WRITE nor PROT_NONE");
        }
        long at = offset == -1 ? address : offset;
        if (!RSocket.at(socket).map(address, lengthBytes, at, (protection & PROT_WRITE) != 0)) {
            throw new Refused(Errno.ENOMEM.number(), "the peer has no room for another mapping (RDMA_IOMAPSIZE)");
        }
        return at;
    }

    static int riounmap(int socket, long address, long lengthBytes) {
        if (!RSocket.at(socket).unmap(address, lengthBytes)) {
            throw new Refused(Errno.EINVAL.number(), "no such mapping");
        }
        return 0;
    }

    static long riowrite(int socket, long from, long lengthBytes, long offset, int flags) {
        return RSocket.at(socket).writeMapped(from, lengthBytes, offset, (flags & MSG_DONTWAIT) != 0);
    }
}
