// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that allocate, bind, inspect and deallocate memory windows. {@link
 * dev.verbatim.conformance.scenario.step.window.Bind} is what a window is bound to, for the verb and for BIND_MW. It
 * sees no other package of steps but the one above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.window;

import org.jspecify.annotations.NullMarked;
