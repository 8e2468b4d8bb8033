// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.testing;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Lets a build try an eighth of what a property of jqwik says; see {@link Tries}. jqwik finds it as a service. */
public final class FewerTries implements AroundPropertyHook {

    private static final int USUAL_TRIES = 1_000;
    private static final int PART = 8;
    private static final int FEWEST = 10;

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        int tries = context.attributes().tries().orElse(USUAL_TRIES);
        if (!Tries.isLong() && tries > FEWEST) {
            context.attributes().setTries(Math.max(FEWEST, tries / PART));
        }
        return property.execute();
    }
}
