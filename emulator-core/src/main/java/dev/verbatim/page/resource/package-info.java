// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The parts of a web page that lie beside a class as resources. Needs nothing but the JDK; begin with
 * {@link dev.verbatim.page.resource.PageResources}.
 */
@NullMarked
package dev.verbatim.page.resource;

import org.jspecify.annotations.NullMarked;
