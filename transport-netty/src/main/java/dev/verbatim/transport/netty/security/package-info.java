// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Files of certificates, keys and secrets, and what went wrong when TLS failed. Sees no other package of the module but the limits.
 */
@NullMarked
package dev.verbatim.transport.netty.security;

import org.jspecify.annotations.NullMarked;
