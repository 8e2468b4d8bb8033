// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Why calls and requests fail, told with the lines of the program's source. Begin with {@link dev.verbatim.ibverbs.cause.Causes}. */
@NullMarked
package dev.verbatim.ibverbs.cause;

import org.jspecify.annotations.NullMarked;
