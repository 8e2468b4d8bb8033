// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Which code is the program of a user, so that messages name a line of it. Needs the JDK alone; for {@code fabric}, {@code sim}, the
 * sanitizer, {@code verbatim-junit} and extensions like it.
 */
@NullMarked
package dev.verbatim.place;

import org.jspecify.annotations.NullMarked;
