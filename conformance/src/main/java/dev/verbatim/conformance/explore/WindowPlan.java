// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.window.Bind;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.SendFlags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The windows of one node of a random program. Some are bound first, for peers to use or to invalidate; perhaps they are bound
 * again, invalidated or deallocated later, whoever uses them then. Others only the node itself binds and invalidates.
 */
final class WindowPlan {

    private static final int VARIANTS = 3;
    private static final List<Integer> FEWER_RIGHTS =
            List.of(0, AccessFlags.REMOTE_READ, AccessFlags.REMOTE_WRITE, AccessFlags.REMOTE_ATOMIC);
    private static final List<String> REGIONS = List.of(NodePlan.HEAP, NodePlan.HEAP, NodePlan.HEAP, NodePlan.SPARE);

    /**
     * A window that peers use.
     *
     * @param queuePair over which; null for any
     * @param bind how it is bound at first
     */
    private record Open(@Nullable String queuePair, Bind bind) {

        boolean isZeroBased() {
            return (bind.access() & AccessFlags.ZERO_BASED) != 0;
        }

        /** A place so far behind its first byte, as the window counts. */
        Place place(KeyRef key, int offset) {
            Place to = Objects.requireNonNull(bind.to());
            return isZeroBased() ? Place.at(offset, null, key) : new Place(to.name(), to.offset() + offset, null, key);
        }
    }

    private final String node;
    private final boolean isUsed;
    private final boolean isRevoking;
    private final boolean tells;
    private final Map<String, WindowSpec> specs = new LinkedHashMap<>();
    private final List<Open> open = new ArrayList<>();
    private final List<String> gifts = new ArrayList<>();
    private final List<Step> binds = new ArrayList<>();

    WindowPlan(String node, Draw draw) {
        this.node = node;
        this.isUsed = draw.percent(60);
        this.isRevoking = isUsed && draw.percent(50);
        this.tells = draw.percent(85);
    }

    /** Makes windows for a queue pair of the node. */
    void addQueuePair(String queuePair, Draw draw) {
        specs.put(own(queuePair), WindowSpec.of(MemoryWindowType.TYPE_2));
        if (!isUsed) {
            return;
        }
        if (open.isEmpty() || draw.percent(30)) {
            String name = "one_" + queuePair;
            specs.put(name, WindowSpec.of(MemoryWindowType.TYPE_1));
            Bind bind = bind(name, draw, false);
            open.add(new Open(null, bind));
            binds.add(new BindWindow(bind, queuePair, SendFlags.SIGNALED, null, null));
        }
        if (draw.percent(70)) {
            String name = "two_" + queuePair;
            specs.put(name, WindowSpec.of(MemoryWindowType.TYPE_2));
            Bind bind = bind(name, draw, draw.percent(30));
            open.add(new Open(queuePair, bind));
            binds.add(Post.bind(bind, variant(name, draw)).on(queuePair));
        }
        if (draw.percent(50)) {
            String name = gift(queuePair);
            specs.put(name, WindowSpec.of(MemoryWindowType.TYPE_2));
            gifts.add(name);
            binds.add(Post.bind(bind(name, draw, false), variant(name, draw)).on(queuePair));
        }
    }

    /** The window that only the queue pair itself uses. */
    private static String own(String queuePair) {
        return "own_" + queuePair;
    }

    private static String gift(String queuePair) {
        return "gift_" + queuePair;
    }

    private static KeyRef variant(String window, Draw draw) {
        return KeyRef.of(window).twisted(KeyRef.Twist.VARIANT, draw.below(VARIANTS));
    }

    private static Bind bind(String window, Draw draw, boolean zeroBased) {
        String region = draw.of(REGIONS);
        Place to = draw.percent(75)
                ? Place.of(region, 0, NodePlan.REGION_BYTES)
                : Place.of(region, draw.below(8) * 8, draw.between(1, NodePlan.REGION_BYTES - 64));
        int access = draw.percent(8) ? draw.of(FEWER_RIGHTS) : Bind.USUAL_ACCESS;
        return new Bind(window, to, zeroBased ? access | AccessFlags.ZERO_BASED : access);
    }

    /** The windows in the node's specification. */
    Map<String, WindowSpec> specs() {
        return specs;
    }

    /** What is bound first, and awaited unless peers are to use it whether it is bound or not. */
    List<Step> beginning(UnaryOperator<String> sendCqOf) {
        List<Step> steps = new ArrayList<>(binds);
        if (tells) {
            for (Step bind : binds) {
                String queuePair = bind instanceof Post post ? post.qp() : ((BindWindow) bind).qp();
                steps.add(
                        new AwaitCompletion(WantedCompletion.ANY, sendCqOf.apply(String.valueOf(queuePair)), Map.of()));
            }
        }
        return steps;
    }

    /** The signal that says that windows are bound; null if nobody says so. */
    @Nullable
    String signal() {
        return tells && !binds.isEmpty() ? "bound_" + node : null;
    }

    /** Some place of a window that the peer of that queue pair uses, as bytes of the region are otherwise; null for none. */
    @Nullable
    Place use(Draw draw, String queuePair, int offset) {
        List<Open> usable = open.stream()
                .filter(each -> each.queuePair == null || each.queuePair.equals(queuePair))
                .toList();
        if (usable.isEmpty() || draw.percent(55)) {
            return null;
        }
        Open chosen = draw.of(usable);
        return chosen.place(KeyRef.of(chosen.bind.window()), offset);
    }

    /** Some place that is likely refused: of any window of the node, perhaps with a key that it had or may have. */
    @Nullable
    Place misuse(Draw draw, int offset) {
        if (open.isEmpty()) {
            return null;
        }
        Open chosen = draw.of(open);
        KeyRef key = KeyRef.of(chosen.bind.window());
        return switch (draw.below(4)) {
            case 0 -> chosen.place(key.twisted(KeyRef.Twist.XOR, draw.of(List.of(1, 2, 0x100))), offset);
            case 1 -> chosen.place(key.twisted(KeyRef.Twist.PLUS, -1), offset);
            case 2 -> chosen.place(key, NodePlan.REGION_BYTES - draw.between(1, 64));
            default -> chosen.place(key, offset);
        };
    }

    /** The last request of a queue pair, which likely ends it: something that its windows do not permit, or seldom do. */
    @Nullable
    Post lastRequest(Draw draw, String queuePair) {
        String gift = gift(queuePair);
        String any = draw.of(List.copyOf(specs.keySet()));
        return switch (draw.below(4)) {
            // With the same key: whoever invalidates it now asks a second time.
            case 0 -> specs.containsKey(gift) ? Post.bind(bind(gift, draw, false), KeyRef.of(gift)) : null;
            case 1 -> Post.localInvalidate(KeyRef.of(any));
            case 2 -> ownRequest(draw, queuePair, false);
            default -> Post.send(Place.of(NodePlan.HEAP, 0, 8).with(KeyRef.of(any)));
        };
    }

    /** A key for the peer of that queue pair to invalidate: its gift, or seldom what it should not; null for none. */
    @Nullable
    KeyRef keyToInvalidate(Draw draw, String queuePair) {
        return isRevoking && !open.isEmpty() && draw.percent(25)
                ? KeyRef.of(draw.of(open).bind.window())
                : takeGift(queuePair);
    }

    /** The key that is there for the peer of that queue pair to invalidate, once; null if there is none any more. */
    @Nullable
    KeyRef takeGift(String queuePair) {
        return gifts.remove(gift(queuePair)) ? KeyRef.of(gift(queuePair)) : null;
    }

    /** A bind of the queue pair's own window, or its invalidation, whichever is due. */
    static Post ownRequest(Draw draw, String queuePair, boolean isBound) {
        String window = own(queuePair);
        return isBound
                ? Post.localInvalidate(KeyRef.of(window))
                : Post.bind(bind(window, draw, draw.percent(20)), variant(window, draw));
    }

    /** A place of the window that only the peer of that queue pair uses; null if there is none. */
    @Nullable
    Place ofQueuePair(String queuePair) {
        return open.stream()
                .filter(each -> queuePair.equals(each.queuePair))
                .map(each -> each.place(KeyRef.of(each.bind.window()), 0))
                .findFirst()
                .orElse(null);
    }

    /** What follows when the peer of that queue pair has used its window: it is invalidated, and perhaps bound again. */
    List<Step> afterUse(Draw draw, String queuePair) {
        Open used = open.stream()
                .filter(each -> queuePair.equals(each.queuePair))
                .findFirst()
                .orElseThrow();
        open.remove(used);
        String window = used.bind.window();
        List<Step> steps = new ArrayList<>();
        steps.add(flagged(draw, Post.localInvalidate(KeyRef.of(window))).on(queuePair));
        if (draw.percent(50)) {
            steps.add(Post.bind(used.bind, KeyRef.of(window)).on(queuePair));
        }
        return steps;
    }

    /** What follows when the peer has invalidated what it was given: the same key once more. */
    List<Step> afterGift(String queuePair) {
        String gift = gift(queuePair);
        Place all = Place.of(NodePlan.HEAP, 0, NodePlan.REGION_BYTES);
        return List.of(Post.bind(new Bind(gift, all, Bind.USUAL_ACCESS), KeyRef.of(gift))
                .on(queuePair));
    }

    /** What revokes windows that peers use. */
    List<Step> revocations(Draw draw) {
        List<Step> steps = new ArrayList<>();
        if (!isRevoking || open.isEmpty()) {
            return steps;
        }
        for (Open each : open) {
            if (draw.percent(60)) {
                revoke(each, steps, draw);
            }
        }
        return steps;
    }

    private void revoke(Open each, List<Step> steps, Draw draw) {
        String window = each.bind.window();
        int times = draw.between(1, 3);
        for (int i = 0; i < times; i++) {
            String queuePair = each.queuePair;
            if (queuePair == null) {
                Bind again = draw.percent(20) ? new Bind(window, null, 0) : bind(window, draw, false);
                steps.add(new BindWindow(again, ownerOf(window), flags(draw), null, null));
            } else if (i % 2 == 0 && draw.percent(30)) {
                Post again = Post.bind(each.bind, KeyRef.of(window)).on(queuePair);
                Post before =
                        flagged(draw, Post.localInvalidate(KeyRef.of(window))).on(queuePair);
                steps.add(new Chain(List.of(before, again), null));
            } else if (i % 2 == 0) {
                steps.add(flagged(draw, Post.localInvalidate(KeyRef.of(window))).on(queuePair));
            } else {
                steps.add(flagged(draw, Post.bind(bind(window, draw, each.isZeroBased()), variant(window, draw)))
                        .on(queuePair));
            }
        }
        if (draw.percent(30)) {
            steps.add(new DeallocateWindow(window, null));
        }
    }

    /** A window of type 1 is named after the queue pair that binds it. */
    private static String ownerOf(String window) {
        return window.substring(window.indexOf('_') + 1);
    }

    private static int flags(Draw draw) {
        return (draw.percent(50) ? SendFlags.SIGNALED : 0) | (draw.percent(25) ? SendFlags.FENCE : 0);
    }

    private static Post flagged(Draw draw, Post post) {
        Post flagged = draw.percent(25) ? post.plus(SendFlags.FENCE) : post;
        return draw.percent(50) ? flagged : flagged.unsignaled();
    }
}
