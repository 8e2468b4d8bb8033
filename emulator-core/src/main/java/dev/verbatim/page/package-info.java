// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Draws traces: one HTML file per page, which needs no network. A {@link RunRecorder} collects the events of a run, and a
 * {@link TracePage} writes the runs with the script that draws them, which is beside this package as a resource. Sees the
 * packages trace, fabric, page.resource and page.fold only; begin with {@link TracePage}.
 */
@NullMarked
package dev.verbatim.page;

import org.jspecify.annotations.NullMarked;
