// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc;

import dev.verbatim.RcConnection;
import dev.verbatim.RcPair;
import dev.verbatim.RcPeer;
import dev.verbatim.Verbatim;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.Fabric;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceCounter;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributeMask;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A random program of two queue pairs, and what can be seen of it: what its verbs say, completions, events, memory and, by a tap that
 * comes when it is over, the state of both ends.
 *
 * <p>What READs read and bring lies apart from what is written, since the rules leave open in what order both happen.
 */
final class EitherPath {

    private static final int REGION_BYTES = 1 << 16;
    private static final int READ_FROM = 1 << 14;
    private static final int RETURNED_TO = 2 << 14;
    private static final int WORDS = 3 << 14;
    private static final int AREA_BYTES = 1 << 13;
    private static final int MOST_STEPS = 32;
    private static final int IDLE_TURNS = 3;
    private static final DeviceProfile[] PROFILES = {
        DeviceProfile.STRICT_IBTA,
        DeviceProfile.STRICT_IBTA,
        DeviceProfile.RXE_LIKE,
        DeviceProfile.MLX5_LIKE,
        DeviceProfile.IRDMA_LIKE
    };

    private final Random random;
    private final List<String> lines = new ArrayList<>();
    private final List<RcPeer> peers = new ArrayList<>();
    private final List<Integer> keys = new ArrayList<>();
    private final int[] receives = new int[2];
    private long id;
    private int requests;

    EitherPath(int seed) {
        this.random = new Random(seed);
    }

    /** What could be seen; how many requests were posted, and how many of them took the fast path. */
    record Seen(List<String> lines, int requests, long fastPathSent) {}

    Seen run(Fabric fabric) {
        new AddressSpace().enter();
        try (Verbatim rdma = Verbatim.over(fabric).profile(PROFILES[random.nextInt(PROFILES.length)])) {
            Device left = rdma.open("left");
            Device right = random.nextInt(4) == 0 ? left : rdma.open("right");
            peers.add(RcPeer.open(left, REGION_BYTES));
            peers.add(RcPeer.open(right, REGION_BYTES));
            for (RcPeer peer : peers) {
                fill(peer.memory().buffer());
                keys.add(peer.rkey());
            }
            new RcPair(peers.get(0), peers.get(1))
                    .join(RcConnection.USUAL
                            .withPathMtu(PathMtu.values()[random.nextInt(PathMtu.values().length)])
                            .withRetries(0, 1, 0, 1));
            int steps = 1 + random.nextInt(MOST_STEPS);
            for (int i = 0; i < steps; i++) {
                step(random.nextInt(2));
            }
            drain();
            long fast = contextOf(left).fastPathSent()
                    + (right == left ? 0 : contextOf(right).fastPathSent());
            watchTheEnd();
            return new Seen(lines, requests, fast);
        } finally {
            AddressSpace.leave();
        }
    }

    private void step(int side) {
        RcPeer from = peers.get(side);
        RcPeer to = peers.get(1 - side);
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> post(from, List.of(draw(from, to, keys.get(1 - side), true)));
            case 4, 5 -> {
                List<SendWorkRequest> chain = new ArrayList<>();
                int length = 2 + random.nextInt(random.nextInt(8) == 0 ? 80 : 6);
                for (int i = 0; i < length; i++) {
                    chain.add(draw(from, to, keys.get(1 - side), i == length - 1));
                }
                post(from, chain);
            }
            case 6, 7 -> receive(to, 4 + random.nextInt(16));
            case 8 -> poll(from, 1 + random.nextInt(16));
            case 9 -> ask(() -> from.received().requestNotify(random.nextBoolean()));
            case 10 -> changeKeys(side);
            default -> change(from);
        }
    }

    private void post(RcPeer from, List<SendWorkRequest> chain) {
        requests += chain.size();
        lines.add(peers.indexOf(from) + " posts " + chain);
        ask(() -> {
            if (chain.size() == 1) {
                from.qp().postSend(chain.get(0));
            } else {
                from.qp().postSend(chain);
            }
        });
    }

    private void receive(RcPeer at, int count) {
        receives[peers.indexOf(at)] = count + Math.max(0, receives[peers.indexOf(at)]);
        for (int i = 0; i < count; i++) {
            int room = random.nextInt(60) == 0 ? 4 : 4_200 + random.nextInt(1_000);
            Sge element = random.nextInt(60) == 0 ? new Sge(at.address(0), room, 0x77) : at.sge(offset(0, room), room);
            lines.add(peers.indexOf(at) + " receives " + element);
            ReceiveWorkRequest receive = random.nextInt(6) == 0
                    ? ReceiveWorkRequest.of(id++, element, at.sge(offset(0, 64), 64))
                    : ReceiveWorkRequest.of(id++, element);
            ask(() -> at.qp().postRecv(receive));
        }
    }

    /** A stop and go, or other rights for the peer. */
    private void change(RcPeer at) {
        int all = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
        switch (random.nextInt(16)) {
            case 0, 3, 4 -> modify(at, new QpAttributes().state(QpState.SQD), QpAttributeMask.STATE);
            case 1 ->
                modify(
                        at,
                        new QpAttributes().state(QpState.RTS).accessFlags(AccessFlags.REMOTE_WRITE),
                        QpAttributeMask.STATE | QpAttributeMask.ACCESS_FLAGS);
            case 2 ->
                modify(
                        at,
                        new QpAttributes().state(QpState.RTS).accessFlags(all),
                        QpAttributeMask.STATE | QpAttributeMask.ACCESS_FLAGS);
            default -> modify(at, new QpAttributes().state(QpState.RTS), QpAttributeMask.STATE);
        }
    }

    private void modify(RcPeer at, QpAttributes attributes, int mask) {
        ask(() -> at.qp().modify(attributes, mask));
    }

    /** Peers use a window from now on, or the region again; or the window is gone. */
    private void changeKeys(int side) {
        RcPeer owner = peers.get(side);
        if (owner.qp().state() == QpState.SQD) {
            // Behind a request that fails when it may go on, binds and invalidations may have been done, or not.
            return;
        }
        if (keys.get(side) != owner.rkey() || random.nextInt(20) == 0) {
            int key = keys.get(side);
            keys.set(side, owner.rkey());
            post(owner, List.of(SendWorkRequest.localInvalidate(id++, key)));
            return;
        }
        MemoryWindow window = owner.pd().allocateWindow(MemoryWindowType.TYPE_2);
        int rights = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ | AccessFlags.REMOTE_ATOMIC;
        SendWorkRequest bind = SendWorkRequest.bindWindow(
                id++,
                window,
                random.nextInt(256),
                new BindInfo(owner.region(), owner.region().address(), REGION_BYTES - 4096, rights));
        post(owner, List.of(bind));
        keys.set(side, bind.boundKey());
    }

    /**
     * A request.
     *
     * @param isLast whether none is posted behind it: what is executed behind a READ or an atomic that cannot return its data is open
     */
    private SendWorkRequest draw(RcPeer from, RcPeer to, int key, boolean isLast) {
        int rkey = random.nextInt(150) == 0 ? key + 1 : key;
        int[] lengths = {8, 8, 8, 8, 1, 7, 9, 64, 256, 257, 1024, 4096, 4097, 0};
        int length = lengths[random.nextInt(lengths.length)];
        int kind = random.nextInt(9);
        boolean takesReceive = kind >= 3 && kind <= 5;
        if (takesReceive && receives[peers.indexOf(to)]-- <= 0 && random.nextInt(10) != 0) {
            kind = 0;
        }
        boolean isAtomic = kind == 6 || kind == 7;
        boolean returns = kind == 2 || isAtomic;
        Sge local = from.sge(offset(returns ? RETURNED_TO : 0, length), isAtomic ? 8 : length);
        boolean isAlone = isLast && from.qp().state() == QpState.RTS;
        int least = returns && !isAlone ? 3 : 0;
        Sge[] elements = switch (Math.max(least, random.nextInt(90))) {
            case 0 -> new Sge[] {new Sge(local.address(), local.lengthBytes(), 0x77)};
            case 1 -> new Sge[] {local, from.sge(offset(returns ? RETURNED_TO : 0, 8), 8)};
            case 2 ->
                new Sge[] {
                    new Sge(
                            from.address(REGION_BYTES - 4),
                            local.lengthBytes(),
                            from.region().lkey())
                };
            default -> new Sge[] {local};
        };
        long at = to.address(offset(0, length)) + (random.nextInt(150) == 0 ? REGION_BYTES : 0);
        long word = to.address(WORDS + 8 * random.nextInt(8)) + (random.nextInt(100) == 0 ? 4 : 0);
        SendWorkRequest request = switch (kind) {
            case 0, 1, 8 -> SendWorkRequest.write(id++, at, rkey, elements);
            case 2 -> SendWorkRequest.read(id++, at + READ_FROM, rkey, elements);
            case 3, 4 -> SendWorkRequest.send(id++, elements);
            case 5 ->
                random.nextBoolean()
                        ? SendWorkRequest.writeWithImmediate(id++, at, rkey, 5, elements)
                        : SendWorkRequest.sendWithImmediate(id++, 6, elements);
            case 6 -> SendWorkRequest.fetchAndAdd(id++, word, rkey, random.nextInt(), elements);
            default -> SendWorkRequest.compareAndSwap(id++, word, rkey, random.nextInt(3), random.nextInt(3), elements);
        };
        int flags = random.nextInt(12) == 0 ? 1 << random.nextInt(4) : 0;
        if (returns && !isAlone) {
            // Some devices have what is posted that way return nothing.
            flags &= ~SendFlags.INLINE;
        }
        SendWorkRequest flagged = request.plus(flags & (SendFlags.FENCE | SendFlags.SOLICITED | SendFlags.INLINE));
        return random.nextInt(3) == 0 ? flagged.unsignaled() : flagged;
    }

    private int offset(int area, int length) {
        int room = AREA_BYTES - length;
        return area + (random.nextBoolean() ? random.nextInt(room) : random.nextInt(room) & -8);
    }

    private void poll(RcPeer peer, int most) {
        int side = peers.indexOf(peer);
        tell(side + " sent", peer.sent(), most);
        tell(side + " received", peer.received(), most);
    }

    private void tell(String queue, CompletionQueue cq, int most) {
        try {
            for (WorkCompletion completion : cq.poll(most)) {
                lines.add(queue + " " + completion);
            }
        } catch (VerbsException e) {
            lines.add(queue + " " + e.getMessage());
        }
    }

    /** What the verb says belongs to what is seen. */
    private void ask(Runnable verb) {
        try {
            verb.run();
        } catch (VerbsException e) {
            lines.add(e.getMessage());
        }
    }

    /** Until nothing is left to do: nothing waits for a timer, for queue pairs wait for ever or not at all. */
    private void drain() {
        for (int idle = 0; idle < IDLE_TURNS; idle++) {
            int before = lines.size();
            for (RcPeer peer : peers) {
                peer.qp().query();
                poll(peer, 1 << 10);
            }
            idle = lines.size() == before ? idle : 0;
        }
        for (RcPeer peer : peers) {
            CRC32C checksum = new CRC32C();
            checksum.update(peer.memory().buffer().duplicate().clear());
            lines.add(peer.qp() + " memory " + checksum.getValue());
            Map<DeviceCounter, Long> counted = new TreeMap<>(peer.device().counters());
            // How many acknowledgements are merged is open, and so is how long a timer runs.
            counted.keySet().removeAll(List.of(DeviceCounter.SENT_PKTS, DeviceCounter.RCVD_PKTS));
            lines.add(counted.toString());
            AsyncEvent event = peer.device().pollAsyncEvent();
            while (event != null) {
                lines.add(event.toString());
                event.acknowledge();
                event = peer.device().pollAsyncEvent();
            }
        }
    }

    /** A tap comes, and sees one request of each kind in both directions. */
    private void watchTheEnd() {
        for (RcPeer peer : peers) {
            DeviceContext context = contextOf(peer.device());
            context.lane().call(() -> context.watch(event -> lines.add(event.toString())));
        }
        for (int side = 0; side < 2; side++) {
            RcPeer from = peers.get(side);
            RcPeer to = peers.get(1 - side);
            ask(() -> to.qp().postRecv(to.receive(1, 0, 64)));
            ask(() -> from.qp().postSend(from.write(2, 0, 8, to)));
            ask(() -> from.qp().postSend(from.read(3, 0, 8, to)));
            ask(() -> from.qp().postSend(from.send(4, 0, 8)));
            ask(() -> from.qp()
                    .postSend(SendWorkRequest.fetchAndAdd(5, to.address(WORDS), to.rkey(), 1, from.sge(0, 8))));
            poll(from, 8);
            poll(to, 8);
        }
    }

    private static DeviceContext contextOf(Device device) {
        return ((EmulatedDevice) device).context();
    }

    private void fill(ByteBuffer memory) {
        for (int i = 0; i + Long.BYTES <= memory.capacity(); i += Long.BYTES) {
            memory.putLong(i, i >= WORDS ? random.nextInt(3) : random.nextLong());
        }
    }
}
