// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.post;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Variants;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Posts several requests by one call of a verb. */
public record Chain(List<Step> posts, @Nullable ExpectedError error) implements Step {

    private static final Form<Step> PART = part();

    /** Checks that the requests can be one chain. */
    public Chain {
        posts = List.copyOf(posts);
        boolean sends = posts.stream().allMatch(Post.class::isInstance);
        boolean receives = posts.stream().allMatch(Receive.class::isInstance);
        if (posts.isEmpty() || (!sends && !receives)) {
            throw new IllegalArgumentException("a chain needs posts, or else recvs, but not both; split it");
        }
        if (posts.stream().map(Chain::qpOf).distinct().count() != 1) {
            throw new IllegalArgumentException("a chain goes to one queue; give all its posts the same qp or srq");
        }
    }

    private static Form<Step> part() {
        Variants<Step> variants = new Variants<>("a post");
        PostWords.words().forEach(word -> word.addTo(variants));
        Receive.word().addTo(variants);
        return variants;
    }

    /** How it is written. */
    public static StepWord<Chain> word() {
        StepWord<Chain> word = new StepWord<>("chain", Chain.class);
        Key<Chain, List<Step>> head = word.head(Forms.listOf(PART), Chain::posts, "Posts them by one call of a verb.");
        Key<Chain, ExpectedError> error =
                word.perhaps("error", ExpectedError.FORM, Chain::error, "How the call must fail.");
        return word.making(values -> new Chain(values.get(head), values.orNull(error)));
    }

    private static String qpOf(Step step) {
        return step instanceof Receive receive
                ? receive.qp() + " " + receive.srq()
                : String.valueOf(((Post) step).qp());
    }

    @Override
    public void check(NameScope scope) {
        posts.forEach(post -> post.check(scope));
    }

    @Override
    public List<Long> literals() {
        return posts.stream().flatMap(post -> post.literals().stream()).toList();
    }

    @Override
    public void run(StepContext context) {
        if (posts.get(0) instanceof Receive first) {
            List<ReceiveWorkRequest> chain = new ArrayList<>();
            posts.forEach(receive -> chain.add(((Receive) receive).request(context)));
            context.verb(error, () -> first.post(context, chain));
        } else if (posts.get(0) instanceof Post first) {
            List<SendWorkRequest> chain = new ArrayList<>();
            for (Step post : posts) {
                SendWorkRequest request = ((Post) post).request(context);
                if (request == null) {
                    return;
                }
                chain.add(request);
            }
            context.verb(error, () -> send(context, first.qp(), chain));
        }
    }

    private void send(StepContext context, @Nullable String qp, List<SendWorkRequest> chain) {
        int posted = chain.size();
        try {
            context.node().qp(qp).postSend(chain);
        } catch (VerbsException e) {
            posted = e.badRequest();
            throw e;
        } finally {
            for (int i = 0; i < posted; i++) {
                ((Post) posts.get(i)).posted(context, chain.get(i));
            }
        }
    }
}
