// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WindowBind;
import org.jspecify.annotations.Nullable;

/** Binds a window of type 1 by the verb. */
public record BindWindow(
        Bind bind,
        @Nullable String qp,
        int flags,
        @Nullable Long id,
        @Nullable ExpectedError error) implements Step {

    /** How it is written. */
    public static StepWord<BindWindow> word() {
        StepWord<BindWindow> word = new StepWord<>("bind_mw", BindWindow.class);
        Key<BindWindow, String> head = word.head(
                Forms.name("the name of a window"),
                step -> step.bind.window(),
                "Binds a window of type 1, by ibv_bind_mw.");
        Bind.Keys<BindWindow> bind = Bind.Keys.of(word.mapping(), BindWindow::bind);
        Key<BindWindow, String> qp = word.qp(BindWindow::qp);
        Key<BindWindow, Integer> flags = word.optional(
                "flags",
                FlagWords.SEND,
                SendFlags.SIGNALED,
                BindWindow::flags,
                "Send flags; a bind is signaled unless UNSIGNALED is among them.");
        Key<BindWindow, Long> id =
                word.perhaps("wr_id", Forms.word(), BindWindow::id, "Number; 1, 2, 3 of the node's posts if left out.");
        Key<BindWindow, ExpectedError> error = word.error(BindWindow::error);
        return word.making(values -> new BindWindow(
                bind.read(values.get(head), values),
                values.orNull(qp),
                values.get(flags),
                values.orNull(id),
                values.orNull(error)));
    }

    @Override
    public void check(NameScope scope) {
        scope.qp(qp);
        bind.check(scope, "bind_mw");
    }

    @Override
    public void run(StepContext context) {
        long number = context.node().freshId();
        long chosen = id == null ? number : id;
        MemoryWindow window = context.window(bind.window());
        BindInfo info = bind.info(context);
        if (window == null || info == null) {
            return;
        }
        if (context.verb(error, () -> context.node().qp(qp).bindWindow(window, new WindowBind(chosen, flags, info)))) {
            context.node().bindPosted(bind.window(), window.rkey());
            context.node().posted(qp, chosen, (flags & SendFlags.SIGNALED) != 0);
        }
    }
}
