// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import dev.verbatim.cli.soak.world.Worker;
import dev.verbatim.verbs.VerbsException;
import java.util.List;

/** Verbs that are wrong whatever state things are in. */
final class IllegalVerbs {

    private IllegalVerbs() {}

    /** It is found wrong if the device does it. */
    static void refusal(Worker worker, String what, Runnable verb) {
        try {
            verb.run();
        } catch (VerbsException refused) {
            worker.world()
                    .figures()
                    .refusals
                    .add("wrong verb " + refused.errno() + " "
                            + refused.refusal().rule());
            return;
        }
        worker.world().failures().add(List.of(), "%s was not refused", what);
    }
}
