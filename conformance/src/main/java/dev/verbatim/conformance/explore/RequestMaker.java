// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes random requests of one queue pair. */
final class RequestMaker {

    /** The longest message: four packets of 256 bytes. */
    static final int LONGEST_BYTES = 800;

    private static final int WORD_BYTES = 8;
    private static final int WORDS = 6;
    private static final int INLINE_BYTES = 64;

    private final String queuePair;
    private final PairType type;
    private final NodePlan own;
    private final NodePlan peer;
    private final int mtuBytes;
    private boolean ownIsBound;

    RequestMaker(String queuePair, PairType type, NodePlan own, NodePlan peer, int mtuBytes) {
        this.queuePair = queuePair;
        this.type = type;
        this.own = own;
        this.peer = peer;
        this.mtuBytes = mtuBytes;
    }

    /** Whether the message needs a receive at the peer. */
    static boolean takesReceive(Post post) {
        return Operation.of(post.opcode()).takesReceive;
    }

    static boolean isAtomic(WrOpcode opcode) {
        return Operation.of(opcode).effect == Effect.ATOMIC;
    }

    Post make(Draw draw) {
        if (type.binds() && draw.percent(11)) {
            // Now and then once more what was done last, which fails.
            ownIsBound ^= !draw.perMille(15);
            return flagged(draw, WindowPlan.ownRequest(draw, queuePair, !ownIsBound));
        }
        KeyRef gift = type.invalidates() && draw.percent(8) ? peer.windows().keyToInvalidate(draw, queuePair) : null;
        if (gift != null) {
            return flagged(draw, Post.sendWithInvalidate(gift, source(draw, length(draw))));
        }
        WrOpcode opcode = draw.of(type.opcodes());
        Post post = switch (opcode) {
            case RDMA_READ -> Post.of(opcode, remote(draw, opcode), answer(draw, length(draw)));
            case ATOMIC_CMP_AND_SWP ->
                Post.of(opcode, remote(draw, opcode), answer(draw, WORD_BYTES))
                        .operands(draw.percent(50) ? 0 : peer.initialWord(), draw.between(1, 1_000_000));
            case ATOMIC_FETCH_AND_ADD ->
                Post.of(opcode, remote(draw, opcode), answer(draw, WORD_BYTES)).operands(draw.between(1, 1_000_000), 0);
            case ATOMIC_WRITE -> Post.of(opcode, remote(draw, opcode), source(draw, WORD_BYTES));
            case FLUSH -> flush(draw);
            case RDMA_WRITE -> message(draw, opcode, remote(draw, opcode));
            case RDMA_WRITE_WITH_IMM ->
                message(draw, opcode, remote(draw, opcode)).immediate(draw.below(1_000));
            case SEND_WITH_IMM -> message(draw, opcode, null).immediate(draw.below(1_000));
            case SEND -> message(draw, opcode, null);
            case SEND_WITH_INV, BIND_MW, LOCAL_INV, TSO, DRIVER1 ->
                throw new IllegalStateException(opcode + " is not drawn as one of the opcodes of " + type);
        };
        return flagged(draw, post);
    }

    /** Past windows, whose regions have the right to it. */
    private Post flush(Draw draw) {
        int offset = draw.below(WORDS) * WORD_BYTES;
        Place place = Place.of(peer.region(draw), offset, length(draw));
        Place named = draw.perMille(8) ? place.with(wrongKey(draw, place)) : place;
        int level = draw.percent(30) ? FlushTarget.REGION : FlushTarget.RANGE;
        return Post.flush(named, new FlushTarget(FlushTarget.GLOBAL, level, 0));
    }

    /** The last request of the queue pair, which may well end it; null if it comes to nothing. */
    @Nullable
    Post makeLast(Draw draw) {
        if (type == PairType.UD) {
            return null;
        }
        if (type.binds() && draw.percent(40)) {
            Post last = own.windows().lastRequest(draw, queuePair);
            return last == null ? null : flagged(draw, last);
        }
        Place place = peer.windows().misuse(draw, draw.below(WORDS) * WORD_BYTES);
        if (place == null) {
            return null;
        }
        return flagged(
                draw,
                switch (type == PairType.UC ? 2 : draw.below(3)) {
                    case 0 -> Post.of(WrOpcode.RDMA_READ, place, answer(draw, WORD_BYTES));
                    case 1 -> Post.fetchAndAdd(place, answer(draw, WORD_BYTES), 1);
                    default -> Post.of(WrOpcode.RDMA_WRITE, place, source(draw, draw.between(1, LONGEST_BYTES)));
                });
    }

    private static Post flagged(Draw draw, Post post) {
        Post flagged = draw.percent(25) ? post.plus(SendFlags.FENCE) : post;
        flagged = draw.percent(5) ? flagged.plus(SendFlags.SOLICITED) : flagged;
        return draw.percent(35) ? flagged.unsignaled() : flagged;
    }

    private Post message(Draw draw, WrOpcode opcode, @Nullable Place remote) {
        int kind = draw.below(10);
        if (kind < 5) {
            Element[] words = new Element[draw.between(1, 3)];
            for (int i = 0; i < words.length; i++) {
                words[i] = new Literal((long) draw.below(1_000_000_000));
            }
            Post post = Post.of(opcode, remote, words);
            return draw.percent(30) ? post.plus(SendFlags.INLINE) : post;
        }
        List<Element> pieces = new ArrayList<>();
        int left = length(draw);
        boolean inline = left <= INLINE_BYTES && draw.percent(40);
        while (left > 0 && pieces.size() < 2) {
            int piece = draw.percent(50) ? left : draw.between(1, left);
            pieces.add(source(draw, piece));
            left -= piece;
        }
        Post post = Post.of(opcode, remote, pieces.toArray(Element[]::new));
        return inline ? post.plus(SendFlags.INLINE) : post;
    }

    private int length(Draw draw) {
        int kind = draw.below(20);
        if (kind == 0) {
            return 0;
        }
        boolean isLong = kind >= 14 && mtuBytes < LONGEST_BYTES;
        return isLong ? draw.between(mtuBytes + 1, LONGEST_BYTES) : draw.between(1, 6 * WORD_BYTES);
    }

    private Place source(Draw draw, int lengthBytes) {
        Place place = own.place(draw, lengthBytes, 1);
        return draw.perMille(6) ? place.with(wrongKey(draw, place)) : place;
    }

    private Place answer(Draw draw, int lengthBytes) {
        Place place = own.place(draw, lengthBytes, 1);
        return draw.percent(3) ? place.with(wrongKey(draw, place)) : place;
    }

    private Place remote(Draw draw, WrOpcode opcode) {
        boolean atomic = isAtomic(opcode) || opcode == WrOpcode.ATOMIC_WRITE;
        String region = peer.region(draw);
        int offset = atomic
                ? draw.below(WORDS) * WORD_BYTES + (draw.perMille(8) ? 4 : 0)
                : draw.percent(60) ? draw.below(WORDS) * WORD_BYTES : draw.below(4 * WORDS * WORD_BYTES);
        if (draw.perMille(4)) {
            offset = NodePlan.REGION_BYTES - draw.below(WORD_BYTES);
        }
        Place throughWindow = peer.windows().use(draw, queuePair, offset);
        if (throughWindow != null) {
            return throughWindow;
        }
        Place place = new Place(region, offset, null, null);
        int wrong = opcode == WrOpcode.RDMA_WRITE_WITH_IMM ? 90 : 8;
        return draw.perMille(wrong) ? place.with(wrongKey(draw, place)) : place;
    }

    /** A key that is unknown, or of the other class. */
    static KeyRef wrongKey(Draw draw, Place place) {
        String name = Objects.requireNonNull(place.name(), "name");
        return switch (draw.below(3)) {
            case 0 -> KeyRef.of(draw.between(1, 0xffffff));
            case 1 -> KeyRef.of(name, KeyRef.Which.LKEY);
            default -> KeyRef.of(name, KeyRef.Which.RKEY);
        };
    }
}
