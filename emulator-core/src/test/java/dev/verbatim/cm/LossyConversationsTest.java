// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm;

import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cm.protocol.CmAgent;
import dev.verbatim.sim.LinkFaults;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two devices on a fabric that loses, doubles, delays and reorders whatever it carries, and in storms is cut for minutes: programs
 * connect, are accepted or refused, say something, and end it. Both sides come to ends that fit together, each identifier to exactly
 * one, nobody is asked in the name of who has left, and nothing is left.
 */
class LossyConversationsTest {

    private static final int ROUGH_SEEDS = 80;
    private static final int STORM_SEEDS = 60;
    private static final int TALKS = 4;
    private static final int AT_A_TIME = 2;
    private static final int MOST_STEPS = 20_000;
    private static final int BYTES = 8;

    private static final Set<CmEventType> FINAL = EnumSet.of(
            CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.DISCONNECTED, CmEventType.CONNECT_ERROR);

    /** What the side that is asked does with a request. */
    private enum Plan {
        ACCEPT,
        ACCEPT_LATER,
        ACCEPT_AND_END,
        REJECT,
        CLOSE
    }

    /** Everything arrives in the end. */
    private static final LinkFaults ROUGH = LinkFaults.NONE
            .dropping(150)
            .duplicating(150)
            .delaying(300, Duration.ofSeconds(3).toNanos());

    /** Nobody knows what arrives. */
    private static final LinkFaults STORM =
            ROUGH.dropping(250).cutting(40, Duration.ofMinutes(2).toNanos());

    @Test
    @Rule({"CM-07", "CM-08", "CM-10", "CM-12", "CM-13"})
    void whateverIsLostOrDoubledBothSidesComeToTheSameEnd() {
        for (long seed = 1; seed <= ROUGH_SEEDS; seed++) {
            Conversation conversation = new Conversation(seed, ROUGH, CmOptions.USUAL);
            conversation.run();
            for (int i = 0; i < TALKS; i++) {
                conversation.assertAsPlanned(i);
            }
        }
        asserted();
    }

    @Test
    @Rule({"CM-07", "CM-08", "CM-12", "CM-15"})
    void whateverDoesNotArriveTheEndsFitTogether() {
        Set<String> ends = new TreeSet<>();
        for (long seed = 1; seed <= STORM_SEEDS; seed++) {
            Conversation conversation =
                    new Conversation(seed, STORM, CmOptions.USUAL.withRetries(3).withResponseTimeout(17));
            conversation.run();
            for (int i = 0; i < TALKS; i++) {
                ends.add(conversation.ends(i));
            }
        }
        // Who asks, and who was asked, if he was. Nobody has lost a connection that the other believes he never had.
        // He may have given up before, and have been asked again.
        assertThat(ends)
                .allMatch(each -> each.matches("DISCONNECTED \\[(UNREACHABLE, )*(UNREACHABLE|DISCONNECTED)]"
                        + "|(REJECTED|UNREACHABLE) \\[(UNREACHABLE, )*(UNREACHABLE)?]"))
                .contains(
                        "DISCONNECTED [DISCONNECTED]",
                        "DISCONNECTED [UNREACHABLE]",
                        "REJECTED []",
                        "UNREACHABLE []",
                        "UNREACHABLE [UNREACHABLE]");
        asserted();
    }

    /** One end of a connection. */
    private static final class Talk {
        final CmId id;
        final int number;
        final Plan plan;
        final List<CmEventType> events = new ArrayList<>();
        int status;
        boolean carried;
        boolean isClosed;

        Talk(CmId id, int number, Plan plan) {
            this.id = id;
            this.number = number;
            this.plan = plan;
        }

        boolean stands() {
            return events.contains(CmEventType.ESTABLISHED) && !hasEnded();
        }

        boolean hasEnded() {
            return events.stream().anyMatch(FINAL::contains);
        }

        void close() {
            id.destroyQp();
            id.close();
            isClosed = true;
        }

        @Override
        public String toString() {
            return number + " " + plan + " " + events + " " + status;
        }
    }

    private static final class Conversation {
        private final CmWorld world;
        private final Random random;
        private final String name;
        private final MemoryRegion near;
        private final MemoryRegion far;
        private final Map<CmId, Talk> talks = new LinkedHashMap<>();
        private final Talk[] asking = new Talk[TALKS];
        private final List<List<Talk>> asked = new ArrayList<>();
        private final TreeMap<Long, Talk> undecided = new TreeMap<>();
        private int begun;
        private boolean isAskedForNobody;

        Conversation(long seed, LinkFaults faults, CmOptions options) {
            world = new CmWorld(seed, faults, options);
            random = new Random(seed);
            name = "seed " + seed;
            near = world.client.pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE);
            far = world.server.pd.register(Memory.allocate(BYTES), AccessFlags.LOCAL_WRITE);
            for (int i = 0; i < TALKS; i++) {
                asked.add(new ArrayList<>());
            }
        }

        void run() {
            CmId listener = world.server.listen(0);
            int steps = 0;
            while (begun < TALKS || talks.values().stream().anyMatch(talk -> !talk.isClosed)) {
                assertThat(++steps).as(name).isLessThan(MOST_STEPS);
                beginWhatMay();
                boolean isQuiet = !world.fabric.step();
                fetchAll(world.client);
                fetchAll(world.server);
                decide();
                take(world.client);
                take(world.server);
                if (isQuiet && !world.fabric.step()) {
                    endWhatStands();
                }
            }
            listener.close();
            while (world.fabric.step()) {
                assertThat(++steps).as(name).isLessThan(MOST_STEPS);
            }
            assertNothingIsLeft();
        }

        private void beginWhatMay() {
            long open = 0;
            for (int i = 0; i < begun; i++) {
                open += asking[i].isClosed ? 0 : 1;
            }
            if (begun < TALKS && open < AT_A_TIME) {
                Plan plan = Plan.values()[random.nextInt(Plan.values().length)];
                CmId id = world.client.channel.createId();
                Talk talk = new Talk(id, begun, plan);
                talks.put(id, talk);
                asking[begun++] = talk;
                id.resolveAddress(world.server.address(CmWorld.PORT), CmWorld.SECOND);
            }
        }

        private void fetchAll(CmWorld.End end) {
            while (end.hasEvent()) {
                CmEvent event = end.poll();
                assertThat(event).isNotNull();
                event.acknowledge();
                handle(end, event);
            }
        }

        private void handle(CmWorld.End end, CmEvent event) {
            CmId id = event.id();
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                Talk asker = asking[event.privateData()[0]];
                Talk talk = new Talk(id, asker.number, asker.plan);
                talks.put(id, talk);
                asked.get(asker.number).add(talk);
                isAskedForNobody |= asker.hasEnded();
                answer(talk);
                return;
            }
            Talk talk = talks.get(id);
            assertThat(talk).isNotNull();
            assertThat(talk.isClosed).as("%s %s", name, talk).isFalse();
            talk.events.add(event.type());
            switch (event.type()) {
                case ADDR_RESOLVED -> {
                    end.createQp(id);
                    id.resolveRoute(CmWorld.SECOND);
                }
                case ROUTE_RESOLVED -> id.connect(ConnectionParameters.USUAL.withPrivateData((byte) talk.number));
                case ESTABLISHED -> established(end, talk);
                case DISCONNECTED -> {
                    talk.status = event.status();
                    id.disconnect();
                }
                case TIMEWAIT_EXIT -> talk.close();
                default -> {
                    talk.status = event.status();
                    talk.close();
                }
            }
        }

        private void established(CmWorld.End end, Talk talk) {
            QueuePair qp = talk.id.qp();
            assertThat(qp).isNotNull();
            if (end.equals(world.client)) {
                qp.postSend(SendWorkRequest.send(talk.number, near.sge(0, BYTES)));
            } else if (talk.carried && talk.plan == Plan.ACCEPT_AND_END) {
                talk.id.disconnect();
            }
        }

        private void answer(Talk talk) {
            switch (talk.plan) {
                case REJECT -> {
                    talk.id.reject((byte) 1);
                    talk.close();
                }
                case CLOSE -> talk.close();
                case ACCEPT_LATER ->
                    undecided.put(
                            world.fabric.clock().nanoTime()
                                    + Duration.ofSeconds(1 + random.nextInt(20)).toNanos(),
                            talk);
                default -> accept(talk);
            }
        }

        private void accept(Talk talk) {
            try {
                QueuePair qp = world.server.createQp(talk.id);
                qp.postRecv(ReceiveWorkRequest.of(talk.number, far.sge(0, BYTES)));
                talk.id.accept(ConnectionParameters.USUAL);
            } catch (VerbsException withdrawn) {
                assertThat(withdrawn.errno().name()).isEqualTo("ECONNABORTED");
                talk.close();
            }
        }

        private void decide() {
            Map<Long, Talk> due = undecided.headMap(world.fabric.clock().nanoTime(), /* inclusive= */ true);
            List<Talk> talksOfNow = List.copyOf(due.values());
            due.clear();
            talksOfNow.forEach(this::accept);
        }

        /** Completions; the side that the plan says ends the connection when the message has arrived, or cannot. */
        private void take(CmWorld.End end) {
            List<WorkCompletion> completions = end.cq.poll(16);
            fetchAll(end);
            for (WorkCompletion completion : completions) {
                int number = (int) completion.id();
                Talk talk = end.equals(world.client) ? asking[number] : lastAsked(number);
                if (talk == null) {
                    continue;
                }
                talk.carried |= completion.isSuccess();
                if (talk.isClosed || talk.hasEnded()) {
                    continue;
                }
                if (end.equals(world.server) && !talk.stands()) {
                    // The message was quicker than the word that the peer is ready for it.
                    talk.id.notifyEstablished();
                } else if (end.equals(world.server)
                        ? talk.plan == Plan.ACCEPT_AND_END
                        : talk.plan != Plan.ACCEPT_AND_END || !completion.isSuccess()) {
                    talk.id.disconnect();
                }
            }
        }

        private @Nullable Talk lastAsked(int number) {
            List<Talk> all = asked.get(number);
            return all.isEmpty() ? null : all.get(all.size() - 1);
        }

        /** Nothing is under way any more, and no timer runs: what stands is ended by whoever is left. */
        private void endWhatStands() {
            boolean anything = !undecided.isEmpty();
            for (Talk talk : List.copyOf(talks.values())) {
                if (talk.stands() && !talk.isClosed) {
                    talk.id.disconnect();
                    anything = true;
                }
            }
            if (!anything && begun == TALKS && talks.values().stream().anyMatch(talk -> !talk.isClosed)) {
                assertThat(talks.values())
                        .as("%s: nothing happens any more", name)
                        .isEmpty();
            }
            world.passMillis(1_000);
        }

        private void assertNothingIsLeft() {
            for (CmWorld.End end : new CmWorld.End[] {world.client, world.server}) {
                assertThat(end.hasEvent()).as(name).isFalse();
                assertThat(end.leftovers()).as(name).isEmpty();
                end.channel.close();
            }
            near.close();
            far.close();
            world.passMillis(Duration.ofMinutes(1).toMillis());
            for (CmWorld.End end : new CmWorld.End[] {world.client, world.server}) {
                assertThat(CmAgent.of(end.device).ended().count()).as(name).isZero();
                // A queue pair that somebody forgot would keep these.
                end.cq.close();
                end.pd.close();
            }
            for (Talk talk : talks.values()) {
                assertThat(talk.events.stream().filter(FINAL::contains).count())
                        .as("%s %s", name, talk)
                        .isLessThanOrEqualTo(1);
            }
            for (Talk talk : asking) {
                assertThat(talk.hasEnded()).as("%s %s", name, talk).isTrue();
            }
            world.close();
        }

        void assertAsPlanned(int number) {
            String what = name + " " + asking[number] + " " + asked.get(number);
            assertThat(asked.get(number)).as(what).isNotEmpty();
            assertThat(isAskedForNobody).as(what).isFalse();
            Talk far = asked.get(number).get(0);
            if (far.plan == Plan.REJECT || far.plan == Plan.CLOSE) {
                assertThat(asking[number].events).as(what).endsWith(CmEventType.REJECTED);
                assertThat(asking[number].status).as(what).isEqualTo(RejectReason.CONSUMER_DEFINED.number());
                assertThat(far.events).as(what).isEmpty();
                return;
            }
            assertThat(asked.get(number)).as(what).hasSize(1);
            for (Talk each : new Talk[] {asking[number], far}) {
                assertThat(each.events)
                        .as(what)
                        .endsWith(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT);
                assertThat(each.status).as(what).isZero();
            }
            assertThat(far.carried).as(what).isTrue();
        }

        /** The final events of both. */
        String ends(int number) {
            List<CmEventType> theirs = new ArrayList<>();
            asked.get(number).forEach(talk -> theirs.addAll(talk.events));
            theirs.retainAll(FINAL);
            List<CmEventType> ours = new ArrayList<>(asking[number].events);
            ours.retainAll(FINAL);
            return ours.get(0) + " " + theirs;
        }
    }
}
