// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The soak: random legal and illegal verbs from many threads on two devices for a bounded time, after which every
 * request is accounted for and nothing is left open. It sees the packages below it. Begin with
 * {@link dev.verbatim.cli.soak.Soak}.
 */
@NullMarked
package dev.verbatim.cli.soak;

import org.jspecify.annotations.NullMarked;
