// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.rsocket;

import dev.verbatim.ibverbs.abi.Layouts.pollfd;
import dev.verbatim.ibverbs.abi.Layouts.timeval;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.cause.Waits;
import dev.verbatim.ibverbs.wait.Wake;
import dev.verbatim.verbs.Errno;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Waiting for several sockets: rpoll, rselect and repoll, for rsockets and for other descriptors together. */
final class Polls {

    private static final long SPIN_NANOS = 20_000;
    private static final int SLICE_MILLIS = 20;
    private static final long MILLI = 1_000_000;
    private static final int MOST_DESCRIPTORS = 1 << 16;
    private static final int POLLPRI = 2;

    private static final Map<Integer, Interest> EPOLLS = new ConcurrentHashMap<>();

    private Polls() {}

    static int rpoll(long descriptors, long count, int timeoutMillis) {
        if (count < 0 || count > MOST_DESCRIPTORS) {
            throw new Refused(Errno.EINVAL.number(), "nfds=" + count + " is not in 0.." + MOST_DESCRIPTORS);
        }
        int size = (int) count;
        long copy = Native.allocate(Math.max(1, count) * pollfd.SIZE);
        try {
            return during("rpoll or rselect", timeoutMillis, () -> await(descriptors, copy, size, timeoutMillis));
        } finally {
            Native.free(copy);
        }
    }

    /** What waits for ever says so. */
    private static int during(String call, int timeoutMillis, IntSupplier poll) {
        if (timeoutMillis >= 0) {
            return poll.getAsInt();
        }
        int[] ready = new int[1];
        Waits.during(
                call,
                () -> Waits.Wait.inVain("has waited for events, and none of its descriptors has any"),
                () -> ready[0] = poll.getAsInt());
        return ready[0];
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding lets a peer on a busy machine answer
    private static int await(long descriptors, long copy, int size, int timeoutMillis) {
        long startNanos = System.nanoTime();
        while (true) {
            int ready = look(descriptors, copy, size, 0);
            long leftMillis =
                    timeoutMillis < 0 ? Long.MAX_VALUE : timeoutMillis - (System.nanoTime() - startNanos) / MILLI;
            if (ready != 0 || leftMillis <= 0) {
                return ready;
            }
            if (System.nanoTime() - startNanos > SPIN_NANOS) {
                prepareToWait(descriptors, size);
                ready = look(descriptors, copy, size, 0);
                if (ready != 0) {
                    return ready;
                }
                look(descriptors, copy, size, (int) Math.min(SLICE_MILLIS, leftMillis));
            } else {
                Thread.yield();
            }
        }
    }

    /** How many are ready; of other descriptors than ours the system says so. */
    private static int look(long descriptors, long copy, int count, int waitMillis) {
        int ready = 0;
        for (int i = 0; i < count; i++) {
            long entry = descriptors + (long) i * pollfd.SIZE;
            long asked = copy + (long) i * pollfd.SIZE;
            RSocket socket = RSocket.find(pollfd.fd.get(entry));
            int revents = socket == null ? 0 : socket.ready(pollfd.events.get(entry));
            pollfd.revents.set(entry, revents);
            ready += revents != 0 ? 1 : 0;
            // A socket of ours is asked of the system only while we wait: its descriptor says that something happened.
            pollfd.fd.set(asked, socket != null && waitMillis == 0 ? -1 : pollfd.fd.get(entry));
            pollfd.events.set(asked, socket == null ? pollfd.events.get(entry) : RSocket.POLLIN);
        }
        int result = Native.poll(copy, count, ready > 0 ? 0 : waitMillis);
        if (result < 0) {
            throw new Refused(-result, "poll failed");
        }
        for (int i = 0; i < count && result > 0; i++) {
            long entry = descriptors + (long) i * pollfd.SIZE;
            int revents = pollfd.revents.get(copy + (long) i * pollfd.SIZE);
            if (revents != 0 && RSocket.find(pollfd.fd.get(entry)) == null) {
                pollfd.revents.set(entry, revents);
                ready++;
            }
        }
        return ready;
    }

    private static void prepareToWait(long descriptors, int count) {
        for (int i = 0; i < count; i++) {
            RSocket socket = RSocket.find(pollfd.fd.get(descriptors + (long) i * pollfd.SIZE));
            if (socket != null) {
                socket.prepareToWait();
            }
        }
    }

    // ---- select

    static int rselect(int count, long reads, long writes, long exceptions, long timeout) {
        if (count < 0 || count > MOST_DESCRIPTORS) {
            throw new Refused(Errno.EINVAL.number(), "nfds=" + count + " is not in 0.." + MOST_DESCRIPTORS);
        }
        long descriptors = Native.allocate(Math.max(1L, count) * pollfd.SIZE);
        try {
            int used = 0;
            for (int fd = 0; fd < count; fd++) {
                int events = (isSet(reads, fd) ? RSocket.POLLIN : 0)
                        | (isSet(writes, fd) ? RSocket.POLLOUT : 0)
                        | (isSet(exceptions, fd) ? POLLPRI : 0);
                if (events != 0) {
                    long entry = descriptors + (long) used++ * pollfd.SIZE;
                    pollfd.fd.set(entry, fd);
                    pollfd.events.set(entry, events);
                }
            }
            rpoll(descriptors, used, timeout == 0 ? -1 : millis(timeout));
            int ready = 0;
            for (int i = 0; i < used; i++) {
                long entry = descriptors + (long) i * pollfd.SIZE;
                int fd = pollfd.fd.get(entry);
                int revents = pollfd.revents.get(entry);
                int over = revents & (RSocket.POLLERR | RSocket.POLLHUP);
                ready += keep(reads, fd, (revents & RSocket.POLLIN) != 0 || over != 0);
                ready += keep(writes, fd, (revents & RSocket.POLLOUT) != 0 || (over & RSocket.POLLERR) != 0);
                ready += keep(exceptions, fd, (revents & POLLPRI) != 0);
            }
            return ready;
        } finally {
            Native.free(descriptors);
        }
    }

    private static int millis(long timeout) {
        long micros = Math.max(0, timeval.tv_usec.get(timeout));
        return (int) Math.min(Integer.MAX_VALUE, timeval.tv_sec.get(timeout) * 1000 + (micros + 999) / 1000);
    }

    private static boolean isSet(long set, int fd) {
        return set != 0 && (Native.getByte(set + fd / Byte.SIZE) & 1 << fd % Byte.SIZE) != 0;
    }

    /** Leaves a descriptor in a set if it is ready; 1 if it is. */
    private static int keep(long set, int fd, boolean ready) {
        if (!isSet(set, fd)) {
            return 0;
        }
        if (!ready) {
            long at = set + fd / Byte.SIZE;
            Native.putByte(at, Native.getByte(at) & ~(1 << fd % Byte.SIZE));
        }
        return ready ? 1 : 0;
    }

    // ---- epoll

    /** What is asked for of each descriptor, and the value that the program gets with it. */
    private record Interest(Wake wake, Map<Integer, long[]> descriptors) {}

    private static final int CTL_ADD = 1, CTL_DEL = 2, CTL_MOD = 3;

    /** {@code struct epoll_event} is packed on x86-64 only. */
    private static final int DATA_OFFSET = System.getProperty("os.arch").equals("amd64") ? Integer.BYTES : Long.BYTES;

    private static final int EVENT_BYTES = DATA_OFFSET + Long.BYTES;
    private static final int EEXIST = 17;

    static int repoll_create(int flags) {
        Interest fresh = new Interest(new Wake(), new LinkedHashMap<>());
        EPOLLS.put(fresh.wake().descriptor(), fresh);
        return fresh.wake().descriptor();
    }

    private static Interest interest(int epoll) {
        Interest interest = EPOLLS.get(epoll);
        if (interest == null) {
            throw new Refused(Refused.EBADF, "no repoll has descriptor=" + epoll);
        }
        return interest;
    }

    static int repoll_ctl(int epoll, int operation, int descriptor, long event) {
        Interest interest = interest(epoll);
        synchronized (interest) {
            Map<Integer, long[]> all = interest.descriptors();
            boolean known = all.containsKey(descriptor);
            if (operation == CTL_ADD && known) {
                throw new Refused(EEXIST, "descriptor=" + descriptor + " was added before");
            }
            if (operation != CTL_ADD && !known) {
                throw new Refused(Errno.ENOENT.number(), "descriptor=" + descriptor + " was not added");
            }
            switch (operation) {
                case CTL_ADD, CTL_MOD ->
                    all.put(descriptor, new long[] {Native.getInt(event), Native.getLong(event + DATA_OFFSET)});
                case CTL_DEL -> all.remove(descriptor);
                default -> throw new Refused(Errno.EINVAL.number(), "op=" + operation + " is not known");
            }
        }
        interest.wake().raise();
        return 0;
    }

    static int repoll_wait(int epoll, long events, int most, int timeoutMillis) {
        Interest interest = interest(epoll);
        if (most <= 0) {
            throw new Refused(Errno.EINVAL.number(), "maxevents=" + most + " is less than 1");
        }
        return during("repoll_wait", timeoutMillis, () -> await(interest, events, most, timeoutMillis));
    }

    private static int await(Interest interest, long events, int most, int timeoutMillis) {
        long startNanos = System.nanoTime();
        while (true) {
            long leftMillis =
                    timeoutMillis < 0 ? SLICE_MILLIS : timeoutMillis - (System.nanoTime() - startNanos) / MILLI;
            int count = poll(interest, events, most, Math.clamp(leftMillis, 0, SLICE_MILLIS));
            if (count > 0 || (timeoutMillis >= 0 && leftMillis <= 0)) {
                return count;
            }
        }
    }

    /** For a short time, since descriptors may be added meanwhile. */
    private static int poll(Interest interest, long events, int most, int timeoutMillis) {
        Map<Integer, long[]> all;
        synchronized (interest) {
            all = new LinkedHashMap<>(interest.descriptors());
        }
        long list = Native.allocate((all.size() + 1L) * pollfd.SIZE);
        try {
            int i = 0;
            for (Map.Entry<Integer, long[]> one : all.entrySet()) {
                long entry = list + (long) i++ * pollfd.SIZE;
                pollfd.fd.set(entry, one.getKey());
                pollfd.events.set(entry, (int) one.getValue()[0] & 0xffff);
            }
            rpoll(list, i, timeoutMillis);
            int count = 0;
            for (int j = 0; j < i && count < most; j++) {
                long entry = list + (long) j * pollfd.SIZE;
                long @Nullable [] wanted = all.get(pollfd.fd.get(entry));
                if (pollfd.revents.get(entry) != 0 && wanted != null) {
                    Native.putInt(events + (long) count * EVENT_BYTES, pollfd.revents.get(entry));
                    Native.putLong(events + (long) count++ * EVENT_BYTES + DATA_OFFSET, wanted[1]);
                }
            }
            return count;
        } finally {
            Native.free(list);
        }
    }

    /** Closes what repoll_create made; false if it was something else. */
    static boolean close(int descriptor) {
        Interest gone = EPOLLS.remove(descriptor);
        if (gone != null) {
            gone.wake().close();
        }
        return gone != null;
    }
}
