// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What threads of a soak do: one table of verbs with their weights. It sees the shared objects. Begin with
 * {@link dev.verbatim.cli.soak.verb.Verbs}.
 */
@NullMarked
package dev.verbatim.cli.soak.verb;

import org.jspecify.annotations.NullMarked;
