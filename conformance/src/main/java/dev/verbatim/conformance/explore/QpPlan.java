// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.conformance.scenario.spec.LinkSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Destination;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.PostExtra;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.verbs.Grh;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What one queue pair of a random program is to send, and what its peer is to receive from it. */
final class QpPlan {

    /** Far more receives than a queue pair may hold are never needed. */
    private static final int MOST_REQUESTS = 14;

    private final String name;
    private final PairType type;
    private final NodePlan own;
    private final NodePlan peer;
    private final RequestMaker requests;
    private final List<Post> posts = new ArrayList<>();
    private final List<Step> use = new ArrayList<>();
    private final List<Step> afterUse = new ArrayList<>();
    private int messages;

    QpPlan(String name, PairType type, NodePlan own, NodePlan peer, LinkSpec link, Draw draw) {
        this.name = name;
        this.type = type;
        this.own = own;
        this.peer = peer;
        this.requests = new RequestMaker(name, type, own, peer, link.pathMtu().bytes());
        own.addQueuePair(name, type, true, draw);
    }

    /** Its queue pair. */
    QpRef end() {
        return new QpRef(own.name(), name);
    }

    PairType type() {
        return type;
    }

    /** One more request, unless it has many; a datagram may be for another queue pair than the peer. */
    void addRequest(Draw draw, List<QpRef> datagramEnds) {
        if (posts.size() < MOST_REQUESTS) {
            posts.add(addressed(requests.make(draw), draw, datagramEnds).on(name));
        }
    }

    private Post addressed(Post post, Draw draw, List<QpRef> datagramEnds) {
        if (type == PairType.XRC) {
            return post.with(toSrq(post));
        }
        if (type != PairType.UD || draw.percent(60)) {
            return post;
        }
        QpRef to = draw.of(datagramEnds);
        Integer wrongKey = draw.percent(25) ? (Integer) (QpSpec.USUAL_QUEUE_KEY - draw.between(1, 9)) : null;
        return post.with(new PostExtra(new Destination(to, null, null, wrongKey), null, null));
    }

    private static PostExtra toSrq(Post post) {
        return new PostExtra(
                null,
                SrqRef.of(Objects.requireNonNull(PairType.XRC.srq())),
                post.extra().flush());
    }

    /** The peer learns that one of its windows was used or invalidated, and goes on with it; so it must not be the earlier. */
    void tellOfUse(Draw draw) {
        if (!type.invalidates()) {
            return;
        }
        Place used = peer.windows().ofQueuePair(name);
        KeyRef gift = used == null || draw.percent(40) ? peer.windows().takeGift(name) : null;
        List<Step> reaction;
        Post post;
        if (gift != null) {
            post = Post.sendWithInvalidate(gift);
            messages++;
            reaction = peer.windows().afterGift(name);
        } else if (used != null) {
            post = Post.write(used, own.place(draw, draw.between(1, RequestMaker.LONGEST_BYTES), 1));
            reaction = peer.windows().afterUse(draw, name);
        } else {
            return;
        }
        String signal = "used_" + name;
        use.add(post.on(name));
        if (draw.percent(50)) {
            use.add(new AwaitCompletion(WantedCompletion.ANY, own.sendCq(name), Map.of()));
        }
        use.add(new Signal(signal));
        afterUse.add(new AwaitSignal(signal));
        afterUse.addAll(reaction);
    }

    /** Puts everything into the programs of both nodes. */
    void plan(Draw draw) {
        Post last = draw.percent(30) ? requests.makeLast(draw) : null;
        if (last != null) {
            posts.add((type == PairType.XRC ? last.with(toSrq(last)) : last).on(name));
        }
        own.add(sends(draw));
        long needed =
                messages + posts.stream().filter(RequestMaker::takesReceive).count();
        int posted = (int) Math.max(0, needed + draw.of(List.of(-1, 0, 0, 0, 0, 1)));
        List<Step> receives = new ArrayList<>();
        for (int i = 0; i < posted; i++) {
            receives.add(receive(draw));
        }
        int early = draw.percent(60) ? posted : draw.below(posted + 1);
        peer.begin(receives.subList(0, early));
        peer.add(receives.subList(early, posted));
        if (draw.percent(60)) {
            // Before much else can have gone wrong.
            own.begin(use);
            peer.begin(afterUse);
        } else {
            own.add(use);
            peer.add(afterUse);
        }
    }

    private List<Step> sends(Draw draw) {
        List<Step> steps = new ArrayList<>();
        int next = 0;
        while (next < posts.size()) {
            int together = draw.percent(20) ? Math.min(draw.between(2, 4), posts.size() - next) : 1;
            List<Step> chain = new ArrayList<>(posts.subList(next, next + together));
            steps.add(together == 1 ? chain.get(0) : new Chain(chain, null));
            next += together;
        }
        return steps;
    }

    private Receive receive(Draw draw) {
        boolean isShort = draw.perMille(12);
        int room = RequestMaker.LONGEST_BYTES + (type == PairType.UD ? Grh.BYTES : 0);
        Place place = peer.placeToReceive(draw, isShort ? draw.below(16) : room);
        Receive receive = Receive.into(draw.perMille(12) ? place.with(RequestMaker.wrongKey(draw, place)) : place);
        String shared = type.srq();
        return shared == null ? receive.on(name) : receive.onShared(shared);
    }
}
