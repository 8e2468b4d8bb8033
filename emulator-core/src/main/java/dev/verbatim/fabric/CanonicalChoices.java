// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.fabric;

/** What a simple device does. */
enum CanonicalChoices implements Choices {
    INSTANCE;

    @Override
    public int choose(ChoicePoint point, int alternatives) {
        return 0;
    }

    @Override
    public boolean isOpen(ChoicePoint point) {
        return false;
    }
}
