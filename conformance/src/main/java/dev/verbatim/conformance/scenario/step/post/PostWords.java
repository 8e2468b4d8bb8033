// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.form.PairForm;
import dev.verbatim.conformance.scenario.form.Values;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.conformance.scenario.step.window.Bind;
import dev.verbatim.operation.Atomic;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The words for {@link Post}: a short one for each usual operation, and {@code post} for all of them. */
public final class PostWords {

    private static final Form<Move> MOVE =
            new PairForm<>(Place.WORD, Element.LIST, Move::new, Move::remote, Move::local);

    private final Mapping<Post> mapping;
    private final Key<Post, String> qp;
    private final Key<Post, Destination> destination;
    private final Key<Post, SrqRef> srq;
    private @Nullable Key<Post, Long> compare;
    private @Nullable Key<Post, Long> add;
    private @Nullable Key<Post, Long> swap;
    private @Nullable Key<Post, Integer> immediate;
    private final Key<Post, Integer> flags;
    private final Key<Post, Long> id;
    private final Key<Post, ExpectedError> error;

    private record Move(Place remote, List<Element> local) {}

    /** The keys that follow the head. */
    private PostWords(Mapping<Post> mapping, Operation only, boolean any) {
        this.mapping = mapping;
        if (any || adds(only)) {
            long usual = any ? 0 : 1;
            add = mapping.optional(
                    "add", Forms.word(), usual, post -> adds(post) ? post.compareOrAdd() : usual, "What is added.");
        }
        if (any || compares(only)) {
            compare = mapping.optional(
                    "compare",
                    Forms.word(),
                    0L,
                    post -> adds(post) ? (Long) 0L : post.compareOrAdd(),
                    "What the word is compared with.");
            swap = mapping.optional("swap", Forms.word(), 0L, Post::swap, "What the word becomes if it is equal.");
        }
        if (any || only.hasImmediate) {
            immediate = mapping.optional("imm", Forms.halfWord(), 0, Post::immediate, "Immediate data.");
        }
        qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), Post::qp, "Queue pair, if there are several.");
        destination = mapping.perhaps(
                "dest",
                Destination.FORM,
                post -> post.extra().destination(),
                "Whom a datagram is for (UD), if not the peer of the connection.");
        srq = mapping.perhaps(
                "remote_srq",
                SrqRef.FORM,
                post -> post.extra().srq(),
                "The shared receive queue of the peer that it is for (XRC).");
        flags = mapping.optional(
                "flags",
                FlagWords.SEND,
                SendFlags.SIGNALED,
                Post::flags,
                "Send flags; a request is signaled unless UNSIGNALED is among them.");
        id = mapping.perhaps("wr_id", Forms.word(), Post::id, "Number; 1, 2, 3 of the node's posts if left out.");
        error = mapping.perhaps("error", ExpectedError.FORM, Post::error, "How posting must fail.");
    }

    /** The words. */
    public static List<StepWord<Post>> words() {
        List<StepWord<Post>> words = new ArrayList<>();
        Stream.of(Operation.values())
                .filter(operation -> operation.word != null)
                .sorted(Comparator.comparing((Operation operation) -> operation.effect == Effect.FLUSH)
                        .thenComparing(PostWords::isTwoSided)
                        .thenComparing(operation -> String.valueOf(operation.word)))
                .forEach(operation -> words.add(word(operation)));
        words.add(anything());
        return words;
    }

    private static StepWord<Post> word(Operation operation) {
        String word = Objects.requireNonNull(operation.word);
        return switch (operation.effect) {
            case WRITE, READ, ATOMIC, ATOMIC_WRITE -> oneSided(word, operation);
            case RECEIVE -> twoSided(word, operation);
            case FLUSH -> flush(word, operation);
            case BIND, INVALIDATE, NOTHING -> throw new IllegalStateException(operation + " has no word but post");
        };
    }

    private static boolean isTwoSided(Operation operation) {
        return operation.effect == Effect.RECEIVE;
    }

    private static boolean adds(Post post) {
        return adds(Operation.of(post.opcode()));
    }

    private static boolean adds(Operation operation) {
        Atomic atomic = operation.atomic;
        return atomic != null
                && switch (atomic) {
                    case FETCH_AND_ADD -> true;
                    case COMPARE_AND_SWAP -> false;
                };
    }

    private static boolean compares(Operation operation) {
        return operation.atomic != null && !adds(operation);
    }

    /** Whether nothing would be lost by the short word. */
    private static boolean fitsShort(Post post, Operation operation) {
        return post.opcode() == operation.opcode
                && (isTwoSided(operation)
                        ? post.remote() == null
                        : post.remote() != null && post.remote().name() != null)
                && (operation.atomic != null || post.compareOrAdd() == 0)
                && (compares(operation) || post.swap() == 0)
                && (operation.hasImmediate || post.immediate() == 0)
                && post.bind() == null
                && post.rkey() == null
                && post.extra().flush() == null
                && post.invalidates() == null;
    }

    private static boolean isShortFlush(Post post) {
        return post.opcode() == WrOpcode.FLUSH
                && post.local().isEmpty()
                && post.remote() != null
                && post.remote().name() != null
                && post.compareOrAdd() == 0
                && post.swap() == 0
                && post.immediate() == 0
                && post.extra().flush() != null;
    }

    private static StepWord<Post> flush(String word, Operation operation) {
        StepWord<Post> step = new StepWord<>(word, Post.class, PostWords::isShortFlush);
        Key<Post, Place> head = step.head(
                Place.WORD,
                post -> Objects.requireNonNull(post.remote()).bare(),
                "Remote place whose earlier WRITEs are to reach what type says.");
        Key<Post, KeyRef> rkey = step.perhaps(
                "rkey",
                KeyRef.FORM,
                post -> Objects.requireNonNull(post.remote()).key(),
                "Another key than that of the region: a number, or that of a region, window or register.");
        FlushWords.Keys<Post> target = FlushWords.keys(
                step.mapping(), post -> Objects.requireNonNull(post.extra().flush()));
        PostWords rest = new PostWords(step.mapping(), operation, false);
        return step.making(values -> {
            KeyRef key = values.orNull(rkey);
            Place place = key == null ? values.get(head) : values.get(head).with(key);
            Post plain = rest.make(values, operation, place, List.of());
            return plain.with(plain.extra().with(target.read(values)));
        });
    }

    private static StepWord<Post> oneSided(String word, Operation operation) {
        StepWord<Post> step = new StepWord<>(word, Post.class, post -> fitsShort(post, operation));
        Key<Post, Move> head = step.head(
                MOVE,
                post -> new Move(Objects.requireNonNull(post.remote()), post.local()),
                "Remote place: local places or numbers. Posts " + operation + ".");
        Key<Post, KeyRef> rkey = step.perhaps(
                "rkey",
                KeyRef.FORM,
                post -> Objects.requireNonNull(post.remote()).key(),
                "Another key than that of the region: a number, or that of a region, window or register.");
        PostWords rest = new PostWords(step.mapping(), operation, false);
        return step.making(values -> {
            Place place = values.get(head).remote();
            KeyRef key = values.orNull(rkey);
            return rest.make(
                    values,
                    operation,
                    key == null ? place : place.with(key),
                    values.get(head).local());
        });
    }

    private static StepWord<Post> twoSided(String word, Operation operation) {
        StepWord<Post> step = new StepWord<>(word, Post.class, post -> fitsShort(post, operation));
        Key<Post, List<Element>> head =
                step.head(Element.LIST, Post::local, "What is sent: places or numbers. Posts " + operation + ".");
        PostWords rest = new PostWords(step.mapping(), operation, false);
        return step.making(values -> rest.make(values, operation, null, values.get(head)));
    }

    private static StepWord<Post> anything() {
        StepWord<Post> step = new StepWord<>("post", Post.class);
        Key<Post, WrOpcode> opcode =
                step.head(Forms.constant("an opcode", WrOpcode.class), Post::opcode, "Posts a request of any opcode.");
        Key<Post, Place> remote = step.perhaps("remote", Place.FORM, Post::remote, "Where at the peer.");
        Key<Post, List<Element>> local =
                step.optional("local", Element.LIST, List.of(), Post::local, "Scatter/gather elements.");
        Key<Post, String> window = step.perhaps(
                "mw",
                Forms.name("the name of a window"),
                post -> post.bind() == null ? null : post.bind().window(),
                "The window that BIND_MW binds.");
        Bind.Keys<Post> bind = Bind.Keys.of(step.mapping(), Post::bind);
        Key<Post, KeyRef> rkey = step.perhaps(
                "rkey",
                KeyRef.FORM,
                Post::rkey,
                "Key whose low byte BIND_MW gives the window; the next variant if left out.");
        Key<Post, KeyRef> invalidates = step.perhaps(
                "invalidate_rkey",
                KeyRef.FORM,
                Post::invalidates,
                "The key that LOCAL_INV or SEND_WITH_INV invalidates.");
        FlushWords.Keys<Post> flush =
                FlushWords.keys(step.mapping(), post -> post.extra().flush());
        PostWords rest = new PostWords(step.mapping(), Operation.SEND, true);
        return step.making(values -> {
            Post unflushed =
                    rest.make(values, Operation.of(values.get(opcode)), values.orNull(remote), values.get(local));
            boolean flushes = values.get(opcode) == WrOpcode.FLUSH;
            if (!flushes && flush.areIn(values)) {
                throw new IllegalArgumentException(
                        "type and level are those of a FLUSH; leave them out of " + values.get(opcode));
            }
            Post plain = flushes ? unflushed.with(unflushed.extra().with(flush.read(values))) : unflushed;
            String named = values.orNull(window);
            if (named == null && (values.orNull(rkey) != null || bind.areIn(values))) {
                throw new IllegalArgumentException("to, access and rkey go with mw: name the window that is bound; the"
                        + " key of a remote place stands there, as remote: {at: PLACE, key: KEY}");
            }
            return withWindow(
                    plain,
                    named == null ? null : bind.read(named, values),
                    values.orNull(rkey),
                    values.orNull(invalidates));
        });
    }

    private static Post withWindow(
            Post plain, @Nullable Bind bind, @Nullable KeyRef rkey, @Nullable KeyRef invalidates) {
        Operation opcode = Operation.of(plain.opcode());
        boolean invalidating = opcode.invalidates;
        if ((bind != null) != (opcode.effect == Effect.BIND)) {
            throw new IllegalArgumentException(
                    opcode + (bind == null ? " needs mw: name the window that it binds" : " has no mw; leave it out"));
        }
        if ((invalidates != null) != invalidating) {
            throw new IllegalArgumentException(opcode
                    + (invalidating ? " needs invalidate_rkey; add it" : " has no invalidate_rkey; leave it out"));
        }
        if (invalidating && plain.immediate() != 0) {
            throw new IllegalArgumentException(opcode + " has no imm, but invalidate_rkey in its place; leave imm out");
        }
        return plain.binding(bind, rkey).invalidating(invalidates);
    }

    private Post make(Values values, Operation operation, @Nullable Place remote, List<Element> local) {
        boolean adds = adds(operation);
        long compareOrAdd = adds ? value(values, add) : value(values, compare);
        if (add != null && compare != null && (adds ? value(values, compare) : value(values, add)) != 0) {
            throw new IllegalArgumentException(
                    operation + " has no " + (adds ? "compare" : "add") + "; leave it out of the " + mapping.what());
        }
        return new Post(
                operation.opcode,
                values.orNull(qp),
                local,
                remote,
                compareOrAdd,
                value(values, swap),
                immediate == null ? 0 : values.get(immediate),
                null,
                null,
                null,
                new PostExtra(values.orNull(destination), values.orNull(srq), null),
                values.get(flags),
                values.orNull(id),
                values.orNull(error));
    }

    private static long value(Values values, @Nullable Key<Post, Long> key) {
        return key == null ? 0 : values.get(key);
    }
}
