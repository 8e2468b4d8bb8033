// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What this JVM has besides heap: threads, direct buffers, and what is open at the operating system.
 *
 * @param threads that are alive
 * @param directBuffers how many, Netty's not included
 * @param directBytes Netty's included
 * @param sockets open; 0 where the operating system does not say so in Linux's manner
 */
record Leftovers(Set<Thread> threads, long directBuffers, long directBytes, long sockets) {

    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int LOOKS_ALIKE = 4;
    private static final int MOST_LOOKS = 100;
    private static final long PAUSE_NANOS = 50_000_000;

    /** What there is when what goes by itself has gone. */
    static Leftovers atRest() {
        Leftovers last = now();
        for (int same = 0, i = 0; same < LOOKS_ALIKE && i < MOST_LOOKS; i++) {
            System.gc();
            LockSupport.parkNanos(PAUSE_NANOS);
            Leftovers next = now();
            same = next.equals(last) ? same + 1 : 0;
            last = next;
        }
        return last;
    }

    static Leftovers now() {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        return new Leftovers(
                new HashSet<>(Thread.getAllStackTraces().keySet()),
                direct.getCount(),
                direct.getMemoryUsed() + Math.max(0, PlatformDependent.usedDirectMemory()),
                countSockets());
    }

    private static long countSockets() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(Leftovers::isSocket).count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (IOException gone) {
            return false;
        }
    }

    /** What there is more now; what goes by itself is given time to. */
    List<String> awaitNone() {
        long beginNanos = System.nanoTime();
        List<String> more = since();
        while (!more.isEmpty() && System.nanoTime() - beginNanos < PATIENCE_NANOS) {
            System.gc();
            LockSupport.parkNanos(PAUSE_NANOS);
            more = since();
        }
        return more;
    }

    private List<String> since() {
        Leftovers now = now();
        List<String> more = new ArrayList<>();
        now.threads.stream()
                .filter(thread -> thread.isAlive() && !threads.contains(thread))
                .map(thread -> "thread " + thread.getName() + " is still alive")
                .forEach(more::add);
        note(more, "direct buffers", directBuffers, now.directBuffers);
        note(more, "bytes of direct memory", directBytes, now.directBytes);
        note(more, "open sockets", sockets, now.sockets);
        return more;
    }

    private static void note(List<String> more, String what, long before, long now) {
        if (now > before) {
            more.add(what + ": " + before + " before, " + now + " after");
        }
    }
}
