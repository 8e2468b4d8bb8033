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
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The words for {@link Post}: a short one for each usual operation, and {@code post} for all of them. */
public final class PostWords {

    private static final SortedMap<String, WrOpcode> ONE_SIDED = new TreeMap<>(Map.of(
            "write", WrOpcode.RDMA_WRITE,
            "write_imm", WrOpcode.RDMA_WRITE_WITH_IMM,
            "read", WrOpcode.RDMA_READ,
            "atomic_write", WrOpcode.ATOMIC_WRITE,
            "cas", WrOpcode.ATOMIC_CMP_AND_SWP,
            "faa", WrOpcode.ATOMIC_FETCH_AND_ADD));

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
    private PostWords(Mapping<Post> mapping, WrOpcode only, boolean any) {
        this.mapping = mapping;
        if (any || only == WrOpcode.ATOMIC_FETCH_AND_ADD) {
            long usual = any ? 0 : 1;
            add = mapping.optional(
                    "add",
                    Forms.word(),
                    usual,
                    post -> post.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD ? post.compareOrAdd() : usual,
                    "What is added.");
        }
        if (any || only == WrOpcode.ATOMIC_CMP_AND_SWP) {
            compare = mapping.optional(
                    "compare",
                    Forms.word(),
                    0L,
                    post -> post.opcode() == WrOpcode.ATOMIC_FETCH_AND_ADD ? (Long) 0L : post.compareOrAdd(),
                    "What the word is compared with.");
            swap = mapping.optional("swap", Forms.word(), 0L, Post::swap, "What the word becomes if it is equal.");
        }
        if (any || only == WrOpcode.SEND_WITH_IMM || only == WrOpcode.RDMA_WRITE_WITH_IMM) {
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
        ONE_SIDED.forEach((word, opcode) -> words.add(oneSided(word, opcode)));
        words.add(twoSided("send", WrOpcode.SEND));
        words.add(twoSided("send_imm", WrOpcode.SEND_WITH_IMM));
        words.add(flush());
        words.add(anything());
        return words;
    }

    /** Whether nothing would be lost by the short word. */
    private static boolean fitsShort(Post post, WrOpcode opcode) {
        boolean twoSided = opcode == WrOpcode.SEND || opcode == WrOpcode.SEND_WITH_IMM;
        boolean atomic = opcode == WrOpcode.ATOMIC_CMP_AND_SWP || opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        boolean withImmediate = opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
        return post.opcode() == opcode
                && (twoSided
                        ? post.remote() == null
                        : post.remote() != null && post.remote().name() != null)
                && (atomic || post.compareOrAdd() == 0)
                && (opcode == WrOpcode.ATOMIC_CMP_AND_SWP || post.swap() == 0)
                && (withImmediate || post.immediate() == 0)
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

    private static StepWord<Post> flush() {
        StepWord<Post> step = new StepWord<>("flush", Post.class, PostWords::isShortFlush);
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
        PostWords rest = new PostWords(step.mapping(), WrOpcode.FLUSH, false);
        return step.making(values -> {
            KeyRef key = values.orNull(rkey);
            Place place = key == null ? values.get(head) : values.get(head).with(key);
            Post plain = rest.make(values, WrOpcode.FLUSH, place, List.of());
            return plain.with(plain.extra().with(target.read(values)));
        });
    }

    private static StepWord<Post> oneSided(String word, WrOpcode opcode) {
        StepWord<Post> step = new StepWord<>(word, Post.class, post -> fitsShort(post, opcode));
        Key<Post, Move> head = step.head(
                MOVE,
                post -> new Move(Objects.requireNonNull(post.remote()), post.local()),
                "Remote place: local places or numbers. Posts " + opcode + ".");
        Key<Post, KeyRef> rkey = step.perhaps(
                "rkey",
                KeyRef.FORM,
                post -> Objects.requireNonNull(post.remote()).key(),
                "Another key than that of the region: a number, or that of a region, window or register.");
        PostWords rest = new PostWords(step.mapping(), opcode, false);
        return step.making(values -> {
            Place place = values.get(head).remote();
            KeyRef key = values.orNull(rkey);
            return rest.make(
                    values,
                    opcode,
                    key == null ? place : place.with(key),
                    values.get(head).local());
        });
    }

    private static StepWord<Post> twoSided(String word, WrOpcode opcode) {
        StepWord<Post> step = new StepWord<>(word, Post.class, post -> fitsShort(post, opcode));
        Key<Post, List<Element>> head =
                step.head(Element.LIST, Post::local, "What is sent: places or numbers. Posts " + opcode + ".");
        PostWords rest = new PostWords(step.mapping(), opcode, false);
        return step.making(values -> rest.make(values, opcode, null, values.get(head)));
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
        PostWords rest = new PostWords(step.mapping(), WrOpcode.SEND, true);
        return step.making(values -> {
            Post unflushed = rest.make(values, values.get(opcode), values.orNull(remote), values.get(local));
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
        WrOpcode opcode = plain.opcode();
        boolean invalidating = opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.SEND_WITH_INV;
        if ((bind != null) != (opcode == WrOpcode.BIND_MW)) {
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

    private Post make(Values values, WrOpcode opcode, @Nullable Place remote, List<Element> local) {
        boolean adds = opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
        long compareOrAdd = adds ? value(values, add) : value(values, compare);
        if (add != null && compare != null && (adds ? value(values, compare) : value(values, add)) != 0) {
            throw new IllegalArgumentException(
                    opcode + " has no " + (adds ? "compare" : "add") + "; leave it out of the " + mapping.what());
        }
        return new Post(
                opcode,
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
