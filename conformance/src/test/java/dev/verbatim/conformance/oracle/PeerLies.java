// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.oracle;

import dev.verbatim.conformance.oracle.report.Check;
import dev.verbatim.trace.PacketFields;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.trace.TraceEvent.Completed;
import dev.verbatim.trace.TraceEvent.KeyChanged;
import dev.verbatim.trace.TraceEvent.PacketReceived;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.wire.Octets;
import dev.verbatim.wire.Opcode;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PacketRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Lies of a peer: each changes what it sent, reported or left in its memory, at a place that a seed draws. */
final class PeerLies {

    /** Changes a run; returns whether there was a place for the lie. */
    interface Telling {
        boolean tell(OneSide side, SplittableRandom random);
    }

    /**
     * A lie.
     *
     * @param words what the peer says or does
     * @param expected the check that finds it
     */
    record Lie(String words, Check expected, Telling telling) {
        @Override
        public String toString() {
            return words;
        }
    }

    private PeerLies() {}

    static final List<Lie> TABLE = List.of(
            new Lie(
                    "acknowledges what was never sent",
                    Check.PEER_ANSWERS,
                    response(event -> isAck(event), packet -> packet.psn(packet.psn() + 1000 & 0xffffff))),
            new Lie(
                    "counts a message too many",
                    Check.PEER_MESSAGE_COUNT,
                    response(
                            event -> PacketFields.messageSequence(event) >= 0,
                            packet -> packet.messageSequence(packet.messageSequence() + 100 & 0xffffff))),
            new Lie(
                    "counts a message too few",
                    Check.PEER_MESSAGE_COUNT,
                    response(
                            event -> isAck(event) && PacketFields.messageSequence(event) > 0,
                            packet -> packet.messageSequence(0))),
            new Lie(
                    "has no receive for what takes none",
                    Check.PEER_SYNDROME,
                    response(event -> isAck(event), packet -> packet.syndrome(0x2e))),
            new Lie(
                    "refuses access to a SEND",
                    Check.PEER_SYNDROME,
                    response(event -> isAck(event), packet -> packet.syndrome(0x62))),
            new Lie("goes on behind a request that it refused", Check.PEER_SILENCE, PeerLies::goesOn),
            new Lie("returns other bytes for a READ", Check.PEER_READ_DATA, PeerLies::readsOtherwise),
            new Lie("returns too few bytes for a READ", Check.PEER_RESPONSE, PeerLies::readsLess),
            new Lie("answers a READ as an atomic", Check.PEER_RESPONSE, PeerLies::answersAsAtomic),
            new Lie("leaves another word than its atomics made", Check.PEER_MEMORY, PeerLies::leavesOtherWord),
            new Lie(
                    "returns what no atomic found",
                    Check.PEER_ATOMIC,
                    response(
                            event -> PacketFields.original(event) != null,
                            packet -> packet.originalData(packet.originalData() + 1))),
            new Lie("has no NAK for a wrong key", Check.PEER_KEY, PeerLies::hasNoKey),
            new Lie("writes outside of a region", Check.PEER_KEY, PeerLies::hasShorterKey),
            new Lie("places data where nobody wrote", Check.PEER_MEMORY, PeerLies::placesElsewhere),
            new Lie("acknowledges a WRITE that it did not do", Check.PEER_MEMORY, PeerLies::forgetsWrite),
            new Lie("completes what was not answered", Check.PEER_COMPLETION, PeerLies::losesAnswers),
            new Lie(
                    "receives with a wrong length",
                    Check.PEER_COMPLETION_FIELDS,
                    completion(
                            event -> event.status() == WcStatus.SUCCESS
                                    && event.opcode().isReceive(),
                            event -> completed(event, event.status(), event.opcode(), event.byteLength() + 1))),
            new Lie(
                    "receives as another operation",
                    Check.PEER_COMPLETION_FIELDS,
                    completion(
                            event -> event.status() == WcStatus.SUCCESS && event.opcode() == WcOpcode.RECV,
                            event ->
                                    completed(event, event.status(), WcOpcode.RECV_RDMA_WITH_IMM, event.byteLength()))),
            new Lie("completes a request twice", Check.PEER_COMPLETION_ONCE, PeerLies::completesTwice),
            new Lie("succeeds after a failure", Check.PEER_FLUSH, PeerLies::succeedsLater),
            new Lie("loses a message that it acknowledged", Check.PEER_RECEIVES, PeerLies::losesReceive),
            new Lie("ends a WRITE early", Check.PEER_REQUEST, PeerLies::endsEarly),
            new Lie("repeats a request with another length", Check.PEER_REPEATS, PeerLies::repeatsOtherwise),
            new Lie("takes a WRITE by a dead key", Check.PEER_INVALIDATED, PeerLies::takesDeadKey));

    private static boolean isAck(PacketReceived event) {
        return event.opcodeName().equals("ACKNOWLEDGE") && (event.syndrome() & 0xe0) == 0;
    }

    private static @Nullable Integer draw(OneSide side, SplittableRandom random, Predicate<TraceEvent> which) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < side.events.size(); i++) {
            if (which.test(side.events.get(i))) {
                places.add(i);
            }
        }
        return places.isEmpty() ? null : places.get(random.nextInt(places.size()));
    }

    private static Predicate<TraceEvent> received(OneSide side, Predicate<PacketReceived> which) {
        return event ->
                side.own.contains(event.device()) && event instanceof PacketReceived received && which.test(received);
    }

    private static Predicate<TraceEvent> reported(OneSide side, Predicate<Completed> which) {
        return event ->
                !side.own.contains(event.device()) && event instanceof Completed completed && which.test(completed);
    }

    private static PacketReceived with(PacketReceived event, Consumer<Packet> change) {
        Packet packet = event.packet().toPacket();
        change.accept(packet);
        return new PacketReceived(
                event.timeNanos(),
                event.device(),
                event.qp(),
                event.source(),
                event.destination(),
                PacketRecord.of(packet));
    }

    private static Completed completed(Completed event, WcStatus status, WcOpcode opcode, int byteLength) {
        return new Completed(
                event.timeNanos(),
                event.device(),
                event.qp(),
                event.cq(),
                event.workRequestId(),
                status,
                opcode,
                byteLength,
                null);
    }

    /** Another response than the one that came. */
    private static Telling response(Predicate<PacketReceived> which, Consumer<Packet> change) {
        return (side, random) -> {
            Integer at = draw(side, random, received(side, event -> event.isResponse() && which.test(event)));
            if (at != null) {
                side.events.set(at, with((PacketReceived) side.events.get(at), change));
            }
            return at != null;
        };
    }

    /** Another completion than the one that was reported. */
    private static Telling completion(Predicate<Completed> which, UnaryOperator<Completed> change) {
        return (side, random) -> {
            Integer at = draw(side, random, reported(side, which));
            if (at != null) {
                side.events.set(at, change.apply((Completed) side.events.get(at)));
            }
            return at != null;
        };
    }

    /** The first of two ACKs of a queue pair becomes a NAK. */
    private static boolean goesOn(OneSide side, SplittableRandom random) {
        for (int i = 0; i < side.events.size(); i++) {
            if (received(side, PeerLies::isAck).test(side.events.get(i))) {
                side.events.set(i, with((PacketReceived) side.events.get(i), packet -> packet.syndrome(0x61)));
                return true;
            }
        }
        return false;
    }

    private static boolean isReadResponse(PacketReceived event) {
        return event.opcodeName().startsWith("RDMA_READ_RESPONSE") && PacketFields.payload(event).length > 0;
    }

    private static boolean readsOtherwise(OneSide side, SplittableRandom random) {
        return changePayload(side, random, PeerLies::isReadResponse, bytes -> {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= (byte) 0x5a;
            }
            return bytes;
        });
    }

    private static boolean readsLess(OneSide side, SplittableRandom random) {
        return changePayload(side, random, PeerLies::isReadResponse, bytes -> Arrays.copyOf(bytes, bytes.length - 1));
    }

    private static boolean changePayload(
            OneSide side, SplittableRandom random, Predicate<PacketReceived> which, UnaryOperator<byte[]> change) {
        Integer at = draw(side, random, received(side, which));
        if (at == null) {
            return false;
        }
        PacketReceived event = (PacketReceived) side.events.get(at);
        byte[] bytes = change.apply(PacketFields.payload(event));
        side.events.set(
                at,
                new PacketReceived(
                        event.timeNanos(),
                        event.device(),
                        event.qp(),
                        event.source(),
                        event.destination(),
                        new PacketRecord(
                                event.packet().bth(),
                                event.packet().extensions(),
                                Octets.of(bytes),
                                event.packet().grh())));
        return true;
    }

    private static boolean answersAsAtomic(OneSide side, SplittableRandom random) {
        Integer at = draw(side, random, received(side, PeerLies::isReadResponse));
        if (at == null) {
            return false;
        }
        PacketReceived event = (PacketReceived) side.events.get(at);
        Packet packet = new Packet()
                .begin(Opcode.ATOMIC_ACKNOWLEDGE)
                .psn(event.psn())
                .destQp(event.qp())
                .syndrome(0x1f)
                .messageSequence(Math.max(0, PacketFields.messageSequence(event)));
        side.events.set(
                at,
                new PacketReceived(
                        0, event.device(), event.qp(), event.source(), event.destination(), PacketRecord.of(packet)));
        return true;
    }

    private static boolean leavesOtherWord(OneSide side, SplittableRandom random) {
        return changeMemoryOf(side, event -> event.request().opcode().name().startsWith("ATOMIC_FETCH"));
    }

    private static boolean forgetsWrite(OneSide side, SplittableRandom random) {
        return changeMemoryOf(side, event -> event.request().opcode().name().startsWith("RDMA_WRITE"));
    }

    private static boolean changeMemoryOf(OneSide side, Predicate<TraceEvent.SendPosted> which) {
        boolean found = false;
        for (TraceEvent event : side.events) {
            if (event instanceof TraceEvent.SendPosted posted
                    && side.own.contains(posted.device())
                    && which.test(posted)) {
                for (Map.Entry<Long, Byte> one : side.memory.entrySet()) {
                    long offset = one.getKey() - posted.request().remoteAddress();
                    if (offset >= 0 && offset < Math.max(8, posted.request().lengthBytes())) {
                        one.setValue((byte) (one.getValue() ^ 0x33));
                        found = true;
                    }
                }
            }
        }
        return found;
    }

    private static boolean placesElsewhere(OneSide side, SplittableRandom random) {
        side.memory.replaceAll((address, value) -> (byte) (value ^ 0x44));
        return !side.memory.isEmpty();
    }

    /** The peer never had the keys by which it did what it was asked. */
    private static boolean hasNoKey(OneSide side, SplittableRandom random) {
        return changeKeys(
                side,
                event -> new KeyChanged(
                        0,
                        event.device(),
                        event.key() ^ 0x7f000000,
                        event.valid(),
                        event.address(),
                        event.memoryAddress(),
                        event.lengthBytes(),
                        event.coherent(),
                        event.what()));
    }

    private static boolean hasShorterKey(OneSide side, SplittableRandom random) {
        return changeKeys(
                side,
                event -> new KeyChanged(
                        0,
                        event.device(),
                        event.key(),
                        event.valid(),
                        event.address(),
                        event.memoryAddress(),
                        1,
                        event.coherent(),
                        event.what()));
    }

    private static boolean changeKeys(OneSide side, UnaryOperator<KeyChanged> change) {
        side.events.replaceAll(event -> event instanceof KeyChanged changed && !side.own.contains(changed.device())
                ? change.apply(changed)
                : event);
        return true;
    }

    /** Its own device never answered. */
    private static boolean losesAnswers(OneSide side, SplittableRandom random) {
        return side.events.removeIf(event ->
                event instanceof TraceEvent.PacketSent sent && side.own.contains(sent.device()) && sent.isResponse());
    }

    private static boolean completesTwice(OneSide side, SplittableRandom random) {
        Integer at = draw(side, random, reported(side, event -> true));
        if (at != null) {
            side.events.add(at, side.events.get(at));
        }
        return at != null;
    }

    private static boolean succeedsLater(OneSide side, SplittableRandom random) {
        Integer at = draw(side, random, reported(side, event -> !event.opcode().isReceive()));
        if (at != null) {
            Completed event = (Completed) side.events.get(at);
            side.events.set(at, completed(event, WcStatus.WR_FLUSH_ERR, event.opcode(), 0));
        }
        return at != null;
    }

    private static boolean losesReceive(OneSide side, SplittableRandom random) {
        return side.events.removeIf(reported(side, event -> event.opcode().isReceive()));
    }

    private static boolean endsEarly(OneSide side, SplittableRandom random) {
        return changePayload(
                side,
                random,
                event -> event.opcodeName().equals("RDMA_WRITE_ONLY") && PacketFields.payload(event).length > 1,
                bytes -> Arrays.copyOf(bytes, bytes.length - 1));
    }

    private static boolean repeatsOtherwise(OneSide side, SplittableRandom random) {
        Integer at =
                draw(side, random, received(side, event -> event.opcodeName().equals("RDMA_WRITE_ONLY")));
        if (at == null) {
            return false;
        }
        side.events.add(at, side.events.get(at));
        PacketReceived event = (PacketReceived) side.events.get(at + 1);
        Packet packet = event.packet().toPacket().remoteKey(1).dmaLengthBytes(1 << 20);
        side.events.set(
                at + 1,
                new PacketReceived(
                        0, event.device(), event.qp(), event.source(), event.destination(), PacketRecord.of(packet)));
        return true;
    }

    /** What the own device did by a key it did in truth by one that its SEND_WITH_INV had invalidated. */
    private static boolean takesDeadKey(OneSide side, SplittableRandom random) {
        boolean found = false;
        int dead = 0;
        for (int i = 0; i < side.events.size(); i++) {
            if (side.events.get(i) instanceof TraceEvent.SendPosted posted
                    && side.own.contains(posted.device())
                    && posted.request().invalidateKey() != 0
                    && posted.request().opcode().name().equals("SEND_WITH_INV")) {
                dead = posted.request().invalidateKey();
            } else if (dead != 0
                    && side.events.get(i) instanceof TraceEvent.SendPosted posted
                    && side.own.contains(posted.device())
                    && posted.request().opcode().name().equals("RDMA_WRITE")) {
                found = true;
                side.events.set(
                        i,
                        new TraceEvent.SendPosted(
                                0,
                                posted.device(),
                                posted.qp(),
                                SendWorkRequest.write(
                                        posted.request().id(),
                                        posted.request().remoteAddress(),
                                        dead,
                                        posted.request().element(0)),
                                posted.signaled()));
            }
        }
        return found;
    }
}
