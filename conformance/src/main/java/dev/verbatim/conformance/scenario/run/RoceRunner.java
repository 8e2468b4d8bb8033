// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.run;

import dev.verbatim.Verbatim;
import dev.verbatim.conformance.scenario.PacketFault;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Packet;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A RoCEv2 fabric for each node, at an address of its own of 127.0.0.0/8. The sender's fabric does to packets what is named. */
final class RoceRunner extends ThreadedRunner {

    /** Addresses 127.64.0.0 to 127.127.255.255, of which each JVM begins elsewhere. */
    private static final int FIRST_ADDRESS = 127 << 24 | 64 << 16;

    private static final int ADDRESSES_MASK = (1 << 22) - 1;
    private static final int MOST_TRIES = 64;
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) ProcessHandle.current().pid() * 7919);

    /** Two nodes between which nothing passes, in either direction. */
    private record Cut(Gid a, Gid b) {}

    private final Tap tap;
    private final Map<String, Verbatim> doors = new LinkedHashMap<>();
    private final Set<Cut> cuts = new HashSet<>();
    private FaultPolicy named = (from, to, packet) -> Fate.DELIVER;

    RoceRunner(Tap tap, long patienceNanos) {
        super(tap, patienceNanos);
        this.tap = tap;
    }

    @Override
    public Device open(String node, DeviceProfile profile) {
        for (int tries = 1; ; tries++) {
            InetAddress[] addresses = Stream.generate(RoceRunner::nextAddress)
                    .limit(profile.limits().physicalPorts())
                    .toArray(InetAddress[]::new);
            Set<Gid> own = Arrays.stream(addresses).map(Gid::of).collect(Collectors.toUnmodifiableSet());
            RoceOptions options = RoceOptions.at(addresses)
                    .withPeers(RoceOptions.Peers.VERBATIM)
                    .withFaults((from, to, packet) -> own.contains(from) ? decide(from, to, packet) : Fate.DELIVER);
            Verbatim door = Verbatim.over(RoceFabric.open(options)).tap(tap).profile(profile);
            try {
                Device device = door.open(node);
                doors.put(node, door);
                return device;
            } catch (VerbsException e) {
                door.close();
                if (e.errno() != Errno.EADDRINUSE || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Java binds no datagram socket on Linux to an address that ends in 255. */
    private static InetAddress nextAddress() {
        int number;
        do {
            number = FIRST_ADDRESS | (NEXT.getAndIncrement() & ADDRESSES_MASK);
        } while ((number & 0xff) == 0xff);
        byte[] bytes = {(byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address of 4 bytes is refused", impossible);
        }
    }

    /** The lanes of all fabrics ask. */
    private synchronized Fate decide(Gid from, Gid to, Packet packet) {
        boolean isCut = cuts.contains(new Cut(from, to)) || cuts.contains(new Cut(to, from));
        return isCut ? Fate.DROP : named.decide(from, to, packet);
    }

    @Override
    public void join(String a, String b) {
        // All devices reach each other by their addresses.
    }

    @Override
    synchronized void disconnect(Gid a, Gid b, boolean cut) {
        if (cut) {
            cuts.add(new Cut(a, b));
        } else {
            cuts.remove(new Cut(a, b));
            cuts.remove(new Cut(b, a));
        }
    }

    @Override
    public synchronized void fail(List<PacketFault> faults, Map<String, Device> devices) {
        named = new NamedFaults(faults, devices, (from, to, packet) -> Fate.DELIVER, counter -> {});
    }

    @Override
    public void close() {
        doors.values().forEach(Verbatim::close);
    }
}
