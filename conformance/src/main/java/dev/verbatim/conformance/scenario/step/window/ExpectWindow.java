// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.window;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Form;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.WindowBinding;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks at a window; what is null does not matter. */
public record ExpectWindow(
        String window,
        @Nullable KeyRef rkey,
        @Nullable KeyRef currentRkey,
        @Nullable List<WantedBinding> life,
        Map<String, String> into)
        implements Step {

    private static final String RKEY = "rkey";
    private static final String CURRENT_RKEY = "current_rkey";

    private static final Map<String, Function<MemoryWindow, Integer>> FIELDS = Map.of(
            RKEY,
            MemoryWindow::rkey,
            CURRENT_RKEY,
            MemoryWindow::currentRkey,
            "handle",
            MemoryWindow::handle,
            "bindings",
            window -> window.life().size());

    /** Copies the collections. */
    public ExpectWindow {
        life = life == null ? null : List.copyOf(life);
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<ExpectWindow> word() {
        StepWord<ExpectWindow> word = new StepWord<>("expect_mw", ExpectWindow.class);
        Key<ExpectWindow, String> head = word.head(
                Forms.name("the name of a window"), ExpectWindow::window, "What the window has at this moment.");
        Key<ExpectWindow, KeyRef> rkey =
                word.perhaps(RKEY, KeyRef.FORM, ExpectWindow::rkey, "The key that its handle has.");
        Key<ExpectWindow, KeyRef> currentRkey = word.perhaps(
                CURRENT_RKEY, KeyRef.FORM, ExpectWindow::currentRkey, "The key of its last bind that succeeded.");
        Key<ExpectWindow, List<WantedBinding>> life = word.perhaps(
                "life", Forms.listOf(WantedBinding.FORM), ExpectWindow::life, "All its bindings, oldest first.");
        Key<ExpectWindow, Map<String, String>> into = word.optional(
                "into",
                intoForm(),
                Map.of(),
                ExpectWindow::into,
                "Registers for rkey, current_rkey, handle, bindings.");
        return word.making(values -> new ExpectWindow(
                values.get(head),
                values.orNull(rkey),
                values.orNull(currentRkey),
                values.orNull(life),
                values.get(into)));
    }

    private static Form<Map<String, String>> intoForm() {
        Map<String, String> words = new LinkedHashMap<>();
        FIELDS.keySet().stream().sorted().forEach(word -> words.put(word, word));
        return Forms.mapOf(Forms.oneOf("something of a window", words), Forms.name("the name of a register"));
    }

    @Override
    public void check(NameScope scope) {
        scope.window("expect_mw", window);
        if (rkey != null) {
            scope.key(RKEY, rkey);
        }
        if (currentRkey != null) {
            scope.key(CURRENT_RKEY, currentRkey);
        }
        if (life != null) {
            life.forEach(binding -> binding.check(scope, "life"));
        }
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(StepContext context) {
        MemoryWindow found = context.window(window);
        if (found == null) {
            return;
        }
        // What the device knows is asked for first, by a verb: so a simulation takes notice of the step.
        compare(context, CURRENT_RKEY, currentRkey, found.currentRkey());
        compare(context, RKEY, rkey, found.rkey());
        List<WindowBinding> bindings = found.life();
        if (life != null && !fits(life, bindings, context)) {
            context.fail("the life of " + window + " is another: " + bindings);
        }
        into.forEach((word, register) -> context.node()
                .registers()
                .put(
                        register,
                        Integer.toUnsignedString(
                                Objects.requireNonNull(FIELDS.get(word)).apply(found))));
    }

    private static void compare(StepContext context, String word, @Nullable KeyRef wanted, int found) {
        int key = wanted == null ? found : context.key(wanted, context.node(), true);
        if (key != found) {
            context.fail(String.format(Locale.ROOT, "%s=0x%08x, not 0x%08x, which is %s", word, found, key, wanted));
        }
    }

    private static boolean fits(List<WantedBinding> wanted, List<WindowBinding> found, StepContext context) {
        boolean good = wanted.size() == found.size();
        for (int i = 0; good && i < wanted.size(); i++) {
            good = wanted.get(i).fits(found.get(i), context);
        }
        return good;
    }
}
