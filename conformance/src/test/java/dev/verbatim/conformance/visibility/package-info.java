// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Programs about who sees what, and a model of the rules that is walked through apart from the device. */
@NullMarked
package dev.verbatim.conformance.visibility;

import org.jspecify.annotations.NullMarked;
