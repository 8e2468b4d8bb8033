// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/** Devices in different JVMs joined over TCP. */
@NullMarked
package dev.verbatim.transport.netty;

import org.jspecify.annotations.NullMarked;
