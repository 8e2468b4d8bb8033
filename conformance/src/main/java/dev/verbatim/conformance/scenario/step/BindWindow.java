// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.form.Mapping;
import dev.verbatim.conformance.scenario.spec.FlagWords;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WindowBind;
import org.jspecify.annotations.Nullable;

/**
 * Binds a window of type 1 by the verb.
 *
 * @param bind the window, and what it is bound to
 * @param qp queue pair; null for the only one
 * @param flags {@link SendFlags}
 * @param id number of the request; null for the next one
 * @param error how the verb must fail; null if it must succeed
 */
public record BindWindow(
        Bind bind,
        @Nullable String qp,
        int flags,
        @Nullable Long id,
        @Nullable Refused error) implements Step {

    static Mapping<BindWindow> word() {
        Mapping<BindWindow> mapping = new Mapping<>("bind_mw", "a bind_mw step");
        Key<BindWindow, String> head = mapping.required(
                "bind_mw",
                Forms.name("the name of a window"),
                step -> step.bind.window(),
                "Binds a window of type 1, by ibv_bind_mw.");
        Bind.Keys<BindWindow> bind = Bind.Keys.of(mapping, BindWindow::bind);
        Key<BindWindow, String> qp = mapping.perhaps(
                "qp", Forms.name("the name of a queue pair"), BindWindow::qp, "Queue pair, if there are several.");
        Key<BindWindow, Integer> flags = mapping.optional(
                "flags",
                FlagWords.SEND,
                SendFlags.SIGNALED,
                BindWindow::flags,
                "Send flags; a bind is signaled unless UNSIGNALED is among them.");
        Key<BindWindow, Long> id = mapping.perhaps(
                "wr_id", Forms.word(), BindWindow::id, "Number; 1, 2, 3 of the node's posts if left out.");
        Key<BindWindow, Refused> error = mapping.perhaps("error", Refused.FORM, BindWindow::error, "How it must fail.");
        return mapping.making(values -> new BindWindow(
                bind.read(values.get(head), values),
                values.orNull(qp),
                values.get(flags),
                values.orNull(id),
                values.orNull(error)));
    }

    @Override
    public void check(Scope scope) {
        scope.qp(qp);
        bind.check(scope, "bind_mw");
    }

    @Override
    public void run(Workbench bench) {
        long number = bench.freshId();
        long chosen = id == null ? number : id;
        MemoryWindow window = bench.window(bind.window());
        BindInfo info = bind.info(bench);
        if (window == null || info == null) {
            return;
        }
        if (bench.verb(error, () -> bench.qp(qp).bindWindow(window, new WindowBind(chosen, flags, info)))) {
            bench.bindPosted(bind.window(), window.rkey());
            bench.posted(qp, chosen, (flags & SendFlags.SIGNALED) != 0);
        }
    }
}
