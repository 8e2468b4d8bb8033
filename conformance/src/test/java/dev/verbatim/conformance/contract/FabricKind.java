// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.conformance.oracle.Oracle;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.fabric.InProcessFabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.sim.Fate;
import dev.verbatim.sim.FaultPolicy;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.sim.LossyFabric;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.LoopbackAddress;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.Tries;
import dev.verbatim.trace.Tap;
import dev.verbatim.transport.netty.NettyFabric;
import dev.verbatim.transport.netty.roce.RoceFabric;
import dev.verbatim.transport.netty.roce.RoceOptions;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.wire.Header;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.Syndrome;
import dev.verbatim.wire.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.OS;

/** The fabrics. What a contract test says holds on each of them. */
enum FabricKind {
    /** Two devices in one JVM, connected directly. */
    IN_PROCESS {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            Verbatim door = door(Verbatim.over(new InProcessFabric()), tap);
            return pair(profiles.left(door), profiles.right(door), capabilities, recorded, door::close);
        }
    },

    /** The same with nobody watching: plain requests take the fast path. */
    UNWATCHED {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            return IN_PROCESS.open(capabilities, profiles, null, RecordingTap.absent());
        }
    },

    /** The same without the fast path. */
    UNWATCHED_BY_PACKETS {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            Verbatim door = Verbatim.over(InProcessFabric.withoutFastPath());
            return pair(profiles.left(door), profiles.right(door), capabilities, RecordingTap.absent(), door::close);
        }
    },

    /** Two devices in virtual time, over links that lose, repeat and reorder packets. */
    LOSSY {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            LossyFabric fabric = new LossyFabric(SEED, FAULTS);
            FaultPolicy chance = fabric.faults();
            // Nobody repeats them. A test that wants them lost, loses them itself.
            fabric.decideBy((from, to, packet) ->
                    isLastWord(packet) || isUnacknowledged(packet) ? Fate.DELIVER : chance.decide(from, to, packet));
            Verbatim door = door(Verbatim.over(fabric), tap);
            return pair(profiles.left(door), profiles.right(door), capabilities, recorded, door::close);
        }

        @Override
        public String toString() {
            return name() + " seed=" + SEED;
        }
    },

    /** Two devices of one TCP fabric, on one event loop. */
    ONE_LOOP {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            Verbatim door = door(Verbatim.over(NettyFabric.open()), tap);
            return pair(profiles.left(door), profiles.right(door), capabilities, recorded, door::close);
        }
    },

    /** Two devices on two event loops, over a TCP connection. */
    TCP {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            NettyFabric near = NettyFabric.open();
            NettyFabric far = NettyFabric.open();
            Verbatim left = door(Verbatim.over(near), tap);
            Verbatim right = door(Verbatim.over(far), tap);
            RcPair pair = pair(profiles.left(left), profiles.right(right), capabilities, recorded, () -> {
                left.close();
                right.close();
            });
            near.dial(far.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            return pair;
        }
    },

    /** The same with nobody watching: plain requests take the fast path, unless that is turned off. In full runs. */
    TCP_UNWATCHED {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            return TCP.open(capabilities, profiles, null, RecordingTap.absent());
        }
    },

    /** Two devices on two event loops that exchange RoCEv2 datagrams; on Linux, where all of 127.0.0.0/8 is local. */
    ROCE {
        @Override
        RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded) {
            Assumptions.assumeTrue(OS.LINUX.isCurrentOs(), "addresses of 127.0.0.0/8 are not all local on this system");
            FirstDatagrams.haveBeenSent();
            Verbatim left = door(Verbatim.over(roce()), tap);
            Verbatim right = door(Verbatim.over(roce()), tap);
            return pair(profiles.left(left), profiles.right(right), capabilities, recorded, () -> {
                left.close();
                right.close();
            });
        }
    };

    /** Another one: {@code -Dverbatim.seed=...} in the JVM of the tests. */
    private static final long SEED = Long.getLong("verbatim.seed", 1);

    private static final LinkFaults FAULTS =
            LinkFaults.NONE.dropping(30).duplicating(20).delaying(50, 30_000);

    private static final int FIRST_ROCE_ADDRESS = 101;
    private static final int ROCE_ADDRESSES = 100;
    private static final AtomicInteger ROCE_ENDS = new AtomicInteger();

    /** What the first datagrams of a JVM need is loaded here: that takes longer than the retries of a test may last. */
    private static final class FirstDatagrams {

        private static final int SECOND = 18;

        static {
            try (Verbatim left = Verbatim.over(roce());
                    Verbatim right = Verbatim.over(roce())) {
                RcPeer near = RcPeer.open(left.open("left"), Long.BYTES);
                RcPeer far = RcPeer.open(right.open("right"), Long.BYTES);
                RcConnection.USUAL.withRetries(SECOND, 7, 7, 1).join(near.qp(), far.qp());
                near.qp().postSend(near.write(0, 0, Long.BYTES, far));
                near.sent().awaitCompletion(Await.LIMIT);
            }
        }

        private FirstDatagrams() {}

        static void haveBeenSent() {
            // The class has been initialized.
        }
    }

    private static RoceFabric roce() {
        int number = FIRST_ROCE_ADDRESS + Math.floorMod(ROCE_ENDS.getAndIncrement(), ROCE_ADDRESSES);
        return RoceFabric.open(RoceOptions.at(LoopbackAddress.of(number)).withPeers(RoceOptions.Peers.VERBATIM));
    }

    /** What the devices of the two sides are like. */
    private record Profiles(DeviceProfile ofLeft, DeviceProfile ofRight) {

        static final Profiles STRICT = new Profiles(DeviceProfile.STRICT_IBTA, DeviceProfile.STRICT_IBTA);

        Device left(Verbatim door) {
            return door.profile(ofLeft).open("left");
        }

        Device right(Verbatim door) {
            return door.profile(ofRight).open("right");
        }

        boolean keepOverReset() {
            return ofLeft.windows().keepOverReset() || ofRight.windows().keepOverReset();
        }
    }

    /**
     * A pair on a fabric of its own, not connected yet; its completion queues have a channel on each side. Closing it fails
     * if anything happened that is not permitted.
     */
    RcPair open(QpCapabilities capabilities) {
        return open(capabilities, Profiles.STRICT);
    }

    /** The same with devices that are not alike. */
    RcPair open(QpCapabilities capabilities, DeviceProfile left, DeviceProfile right) {
        return open(capabilities, new Profiles(left, right));
    }

    /** The same with two devices of a profile that means to break a rule: nobody judges them. */
    RcPair openUnjudged(QpCapabilities capabilities, DeviceProfile profile) {
        RecordingTap tap = new RecordingTap();
        return open(capabilities, new Profiles(profile, profile), tap, tap);
    }

    private RcPair open(QpCapabilities capabilities, Profiles profiles) {
        RecordingTap tap = new RecordingTap();
        Oracle oracle = profiles.keepOverReset() ? Oracle.ofDevices().keepingWindowsOverReset() : Oracle.ofDevices();
        RcPair pair = open(capabilities, profiles, tap.and(oracle), tap);
        return new RcPair(pair.left, pair.right, pair.tap, () -> {
            pair.close();
            oracle.verdict().check();
        });
    }

    /** The same with nobody watching, so that threads meet as they do in earnest. */
    RcPair openUnwatched(QpCapabilities capabilities) {
        return openUnwatched(capabilities, DeviceProfile.STRICT_IBTA);
    }

    /** The same with two devices of that profile. */
    RcPair openUnwatched(QpCapabilities capabilities, DeviceProfile profile) {
        return open(capabilities, new Profiles(profile, profile), null, new RecordingTap());
    }

    abstract RcPair open(QpCapabilities capabilities, Profiles profiles, @Nullable Tap tap, RecordingTap recorded);

    /** Those of this run: all of them in a full one, in a build one of each way that a packet may go. */
    static Stream<FabricKind> chosen() {
        if (!Tries.isLong()) {
            return Stream.of(IN_PROCESS, UNWATCHED, LOSSY, TCP);
        }
        return Stream.of(values()).filter(kind -> Tries.isFull() || kind != TCP_UNWATCHED);
    }

    /** Those for tests of what one device decides, which it does watched and unwatched. */
    static Stream<FabricKind> chosenForOneDevice() {
        return chosen().filter(kind -> Tries.isLong() || kind == IN_PROCESS || kind == UNWATCHED);
    }

    /** Whether a receiver sees traffic class, flow label and hop limit of a datagram: UDP sockets do not show them. */
    boolean showsGrh() {
        return this != ROCE;
    }

    /** Time on the device's fabric, which may be virtual. */
    static long nowNanos(Device device) {
        return ((EmulatedDevice) device).context().lane().clock().nanoTime();
    }

    private static Verbatim door(Verbatim door, @Nullable Tap tap) {
        return tap == null ? door : door.tap(tap);
    }

    private static RcPair pair(
            Device left, Device right, QpCapabilities capabilities, RecordingTap tap, Runnable closing) {
        return new RcPair(
                new Side(left, capabilities, left.createCompletionChannel()),
                new Side(right, capabilities, right.createCompletionChannel()),
                tap,
                closing);
    }

    private static boolean isUnacknowledged(Packet packet) {
        return packet.opcode().transport() == Transport.UC || packet.opcode().transport() == Transport.UD;
    }

    /** A responder that ends says so once. */
    private static boolean isLastWord(Packet packet) {
        return packet.opcode().has(Header.AETH)
                && Syndrome.isNak(packet.syndrome())
                && packet.syndrome() != Syndrome.NAK_PSN_SEQUENCE;
    }
}
