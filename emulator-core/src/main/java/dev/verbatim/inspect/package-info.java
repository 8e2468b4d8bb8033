// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The seam at which tools watch programs and devices without copies: an {@link dev.verbatim.inspect.Inspector} is called where
 * something happens, on the thread that does it. It sees verbs only, and decides nothing. Begin with
 * {@link dev.verbatim.inspect.Inspector}; the sanitizer is the tool that uses it.
 */
@NullMarked
package dev.verbatim.inspect;

import org.jspecify.annotations.NullMarked;
