// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Steps that make and end connections by the connection manager, as librdmacm has them. Begin with
 * {@link dev.verbatim.conformance.scenario.step.connect.CmConnect} and
 * {@link dev.verbatim.conformance.scenario.step.connect.CmAccept}. It sees {@code cm}, and no other package of steps but the
 * one above it.
 */
@NullMarked
package dev.verbatim.conformance.scenario.step.connect;

import org.jspecify.annotations.NullMarked;
