// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What fabrics are built of and programs do not see: GUIDs and addresses where all devices are known, the thread that runs timers,
 * and a generator of pseudorandom numbers. Sees {@code verbs} only; for {@code fabric}, {@code sim} and other carriers.
 */
@NullMarked
package dev.verbatim.fabric.carrier;

import org.jspecify.annotations.NullMarked;
