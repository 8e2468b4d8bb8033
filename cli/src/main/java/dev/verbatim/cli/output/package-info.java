// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What a command says, and in which form. A command makes a {@link Result}, a record; the {@link Output} that it has as a mixin, with the
 * option {@code --json}, prints it as text or as JSON. Nothing else asks for the form.
 */
@NullMarked
package dev.verbatim.cli.output;

import org.jspecify.annotations.NullMarked;
