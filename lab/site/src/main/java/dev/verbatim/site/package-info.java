// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** The documentation as pages that need neither a server nor a network. Begin with {@link dev.verbatim.site.Site}. */
@NullMarked
package dev.verbatim.site;

import org.jspecify.annotations.NullMarked;
