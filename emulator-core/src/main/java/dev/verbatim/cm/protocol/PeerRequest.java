// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cm.protocol;

import dev.verbatim.verbs.Gid;
import dev.verbatim.wire.mad.Req;

/**
 * A request for a connection, as it came. A copy is one byte for byte: the two are equal.
 *
 * @param source the device that sent it
 */
public record PeerRequest(Gid source, Req request, long transactionId) {}
