// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.cm.protocol.CmConnection;
import dev.verbatim.cm.protocol.ConnectionState;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.mad.CmAttribute;
import dev.verbatim.wire.mad.Mad;
import dev.verbatim.wire.mad.MadHeader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two devices whose applications call whatever comes to their mind, over links that lose, repeat and delay, among strangers who talk
 * nonsense: calls are done or refused, events come in an order that makes sense, everything ends, and nothing is left.
 */
class RandomCallsTest {

    private static final int CALLS = 400;
    private static final int MOST_IDS = 14;
    private static final int PORTS = 2;

    private static final Set<Errno> REFUSALS = EnumSet.of(
            Errno.EINVAL,
            Errno.EBUSY,
            Errno.ENOENT,
            Errno.ENODEV,
            Errno.ENOMEM,
            Errno.EADDRINUSE,
            Errno.EISCONN,
            Errno.ECONNABORTED);

    /** What may follow what; null stands for the beginning, of those who ask, and of those whom a request brought. */
    private static final Map<CmEventType, Set<CmEventType>> NEXT = new EnumMap<>(CmEventType.class);

    private static final Set<CmEventType> FIRST_OF_ASKING =
            EnumSet.of(CmEventType.ADDR_RESOLVED, CmEventType.ADDR_ERROR, CmEventType.DEVICE_REMOVAL);
    private static final Set<CmEventType> FIRST_OF_ASKED = EnumSet.of(
            CmEventType.ESTABLISHED,
            CmEventType.REJECTED,
            CmEventType.UNREACHABLE,
            CmEventType.DISCONNECTED,
            CmEventType.DEVICE_REMOVAL);

    static {
        follow(CmEventType.ADDR_ERROR, CmEventType.ADDR_RESOLVED, CmEventType.ADDR_ERROR);
        follow(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED);
        follow(
                CmEventType.ROUTE_RESOLVED,
                CmEventType.ESTABLISHED,
                CmEventType.CONNECT_RESPONSE,
                CmEventType.CONNECT_ERROR,
                CmEventType.REJECTED,
                CmEventType.UNREACHABLE);
        follow(CmEventType.CONNECT_RESPONSE, CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.DISCONNECTED);
        follow(CmEventType.CONNECT_ERROR, CmEventType.REJECTED, CmEventType.UNREACHABLE);
        follow(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.REJECTED);
        follow(CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
        follow(CmEventType.REJECTED);
        follow(CmEventType.UNREACHABLE);
        follow(CmEventType.TIMEWAIT_EXIT);
        NEXT.put(CmEventType.DEVICE_REMOVAL, EnumSet.noneOf(CmEventType.class));
    }

    private static void follow(CmEventType type, CmEventType... next) {
        Set<CmEventType> after = EnumSet.of(CmEventType.DEVICE_REMOVAL);
        after.addAll(List.of(next));
        NEXT.put(type, after);
    }

    static List<Long> seeds() {
        Long chosen = Long.getLong("verbatim.seed");
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; chosen == null && seed <= 12; seed++) {
            seeds.add(seed);
        }
        return chosen == null ? seeds : List.of(chosen);
    }

    @ParameterizedTest(name = "-Dverbatim.seed={0}")
    @MethodSource("seeds")
    void whateverIsCalledEverythingEndsAndNothingIsLeft(long seed) {
        LinkFaults faults = LinkFaults.NONE.dropping(100).duplicating(100).delaying(300, 5_000_000_000L);
        CmOptions options =
                CmOptions.USUAL.withMostIds(MOST_IDS).withMostHalfOpen(6).withRetries(4);
        try (CmWorld world = new CmWorld(seed, faults, options)) {
            new Play(world, seed).run();
        }
    }

    /** One run. */
    private static final class Play {
        private final CmWorld world;
        private final long seed;
        private final Random random;
        private final Player[] players;
        private final ScriptedPeer stranger;

        Play(CmWorld world, long seed) {
            this.world = world;
            this.seed = seed;
            this.random = new Random(seed);
            this.players = new Player[] {new Player(world.client), new Player(world.server)};
            this.stranger = new ScriptedPeer(world.fabric);
        }

        void run() {
            for (Player player : players) {
                player.listen();
            }
            for (int i = 0; i < CALLS; i++) {
                Player player = players[random.nextInt(2)];
                Player other = players[player == players[0] ? 1 : 0];
                int what = random.nextInt(100);
                if (what < 8) {
                    world.passMillis(random.nextInt(1_500));
                } else if (what < 10) {
                    babble(player.end.device.gid());
                } else if (what < 11) {
                    CmAgent agent = CmAgent.of(world.client.device);
                    agent.lane().call(() -> agent.carrierLost(world.server.device.gid(), false));
                } else {
                    player.act(random, other.end);
                }
            }
            if (seed % 5 == 0) {
                world.server.device.closeAll();
                players[1].isDead = true;
            }
            finish();
        }

        private void babble(Gid victim) {
            byte[] body = new byte[Mad.BODY_BYTES];
            random.nextBytes(body);
            CmAttribute attribute = CmAttribute.values()[random.nextInt(CmAttribute.values().length)];
            MadHeader header = new MadHeader(1, 7, 2, 3, 0, 0, random.nextLong(), attribute.number(), 0);
            Octets mad = new Mad(header, Octets.of(body)).emit();
            stranger.device
                    .context()
                    .lane()
                    .call(() -> assertThat(stranger.port.send(victim, mad)).isTrue());
        }

        /** All events are fetched, all ends answered; then what waits for a timer must be over. */
        private void finish() {
            for (int round = 0; round < 6; round++) {
                for (Player player : players) {
                    player.fetchAll();
                }
                world.passMillis(Duration.ofMinutes(10).toMillis());
            }
            for (Player player : players) {
                player.fetchAll();
                player.ids.keySet().forEach(Play::assertNothingWaitsForATimer);
                player.closeAll();
            }
            int steps = 0;
            while (world.fabric.step()) {
                assertThat(++steps).as("steps until nothing is left to happen").isLessThan(10_000);
            }
        }

        private static void assertNothingWaitsForATimer(CmId id) {
            CmConnection connection = id.identifier().exchange().connection();
            if (connection != null) {
                assertThat(connection.state())
                        .as("%s", id)
                        .isIn(
                                ConnectionState.IDLE,
                                ConnectionState.MRA_REQ_SENT,
                                ConnectionState.MRA_REP_SENT,
                                ConnectionState.ESTABLISHED,
                                ConnectionState.DREQ_RCVD);
            }
        }
    }

    /** An application without a plan. */
    private static final class Player {
        private final CmWorld.End end;
        private final EventChannel[] channels;
        private final Map<CmId, Set<CmEventType>> ids = new LinkedHashMap<>();
        private final List<CmEvent> unacknowledged = new ArrayList<>();
        private final List<QueuePair> queuePairs = new ArrayList<>();
        private boolean isDead;

        Player(CmWorld.End end) {
            this.end = end;
            this.channels = new EventChannel[] {end.channel, EventChannel.open(end.device, end.channel.options())};
        }

        void listen() {
            CmId listener = channels[0].createId();
            listener.bindAddress(end.address(1));
            listener.listen(2);
            ids.put(listener, FIRST_OF_ASKING);
        }

        void act(Random random, CmWorld.End other) {
            if (random.nextInt(3) == 0) {
                fetch(channels[random.nextInt(2)], random.nextBoolean());
                return;
            }
            try {
                call(random, other);
            } catch (VerbsException e) {
                assertThat(e.errno()).as("%s", e).isIn(REFUSALS);
                assertThat(e.refusal().rule()).isNotEmpty();
            }
        }

        private void call(Random random, CmWorld.End other) {
            List<CmId> all = List.copyOf(ids.keySet());
            if (all.isEmpty() || random.nextInt(8) == 0) {
                CmId made = channels[random.nextInt(2)].createId();
                ids.put(made, FIRST_OF_ASKING);
                return;
            }
            CmId id = all.get(random.nextInt(all.size()));
            CmWorld.End target = random.nextInt(5) == 0 ? end : other;
            InetSocketAddress there = target.address(1 + random.nextInt(PORTS));
            ConnectionParameters said = random.nextInt(9) == 0
                    ? ConnectionParameters.USUAL.withResponderResources(254)
                    : ConnectionParameters.USUAL;
            if (random.nextInt(3) > 0) {
                proceed(id, random, there);
                return;
            }
            switch (random.nextInt(18)) {
                case 0 -> {
                    id.bindAddress(end.address(1 + random.nextInt(PORTS)));
                    id.listen(1 + random.nextInt(3));
                }
                case 1 -> id.listen(1);
                case 2, 3 -> id.resolveAddress(there, CmWorld.SECOND);
                case 4, 5 -> id.resolveRoute(CmWorld.SECOND);
                case 6 -> queuePairs.add(end.createQp(id));
                case 7, 8 -> {
                    if (id.qp() == null && random.nextInt(4) > 0) {
                        queuePairs.add(end.createQp(id));
                    }
                    id.connect(said.withQpNumber(0x100 + random.nextInt(50)));
                }
                case 9, 10 -> {
                    if (id.qp() == null && random.nextInt(4) > 0) {
                        queuePairs.add(end.createQp(id));
                    }
                    id.accept(said.withQpNumber(0x200 + random.nextInt(50)));
                }
                case 11 -> id.reject((byte) 1);
                case 12 -> id.establish();
                case 13 -> id.notifyEstablished();
                case 14 -> id.disconnect();
                case 15 -> id.migrate(channels[random.nextInt(2)]);
                case 16 -> id.destroyQp();
                default -> close(id);
            }
        }

        /** What a program that wants a connection would call next. */
        private void proceed(CmId id, Random random, InetSocketAddress there) {
            String text = id.toString();
            CmConnection connection = id.identifier().exchange().connection();
            switch (text.substring(text.lastIndexOf(' ') + 1)) {
                case "IDLE" -> {
                    if (random.nextInt(4) == 0) {
                        id.bindAddress(end.address(1 + random.nextInt(PORTS)));
                        id.listen(1 + random.nextInt(3));
                    } else {
                        id.resolveAddress(there, CmWorld.SECOND);
                    }
                }
                case "ADDR_BOUND" -> id.resolveAddress(there, CmWorld.SECOND);
                case "ADDR_RESOLVED" -> {
                    if (random.nextInt(4) > 0) {
                        queuePairs.add(end.createQp(id));
                    }
                    id.resolveRoute(CmWorld.SECOND);
                }
                case "ROUTE_RESOLVED" -> id.connect(ConnectionParameters.USUAL.withQpNumber(0x300 + random.nextInt(5)));
                case "CONNECT", "DISCONNECT" -> converse(id, random, connection);
                default -> id.destroyQp();
            }
        }

        private void converse(CmId id, Random random, @Nullable CmConnection connection) {
            switch (connection == null ? ConnectionState.IDLE : connection.state()) {
                case MRA_REQ_SENT -> {
                    if (id.qp() == null && random.nextInt(4) > 0) {
                        queuePairs.add(end.createQp(id));
                    }
                    id.accept(ConnectionParameters.USUAL.withQpNumber(0x400 + random.nextInt(5)));
                }
                case MRA_REP_SENT -> id.establish();
                case ESTABLISHED -> {
                    if (random.nextInt(4) == 0) {
                        id.disconnect();
                    }
                }
                case DREQ_RCVD -> id.disconnect();
                case IDLE -> close(id);
                default -> id.destroyQp();
            }
        }

        private void close(CmId id) {
            id.close();
            ids.remove(id);
        }

        private void fetch(EventChannel channel, boolean acknowledges) {
            if (!channel.hasEvent()) {
                return;
            }
            CmEvent event = channel.pollEvent();
            assertThat(event).isNotNull();
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                assertThat(ids).containsKey(event.listenId()).doesNotContainKey(event.id());
                ids.put(event.id(), FIRST_OF_ASKED);
            } else {
                assertThat(ids.get(event.id()))
                        .as("%s of %s", event, event.id())
                        .contains(event.type());
                ids.put(event.id(), NEXT.get(event.type()));
            }
            if (event.type() == CmEventType.REJECTED || event.type() == CmEventType.CONNECT_ERROR) {
                QueuePair qp = event.id().qp();
                assertThat(qp == null || qp.state() == QpState.ERR).isTrue();
            }
            unacknowledged.add(event);
            if (acknowledges) {
                unacknowledged.forEach(CmEvent::acknowledge);
                unacknowledged.clear();
            }
        }

        void fetchAll() {
            for (EventChannel channel : channels) {
                while (channel.hasEvent()) {
                    fetch(channel, true);
                }
            }
        }

        void closeAll() {
            fetchAll();
            unacknowledged.forEach(CmEvent::acknowledge);
            unacknowledged.clear();
            for (CmId id : List.copyOf(ids.keySet())) {
                close(id);
            }
            for (EventChannel channel : channels) {
                channel.close();
            }
            if (!isDead) {
                queuePairs.forEach(Player::close);
                assertThat(end.leftovers()).isEmpty();
            }
        }

        private static void close(QueuePair qp) {
            try {
                qp.close();
            } catch (VerbsException destroyedBefore) {
                assertThat(destroyedBefore.errno()).isEqualTo(Errno.ENOENT);
            }
        }
    }
}
