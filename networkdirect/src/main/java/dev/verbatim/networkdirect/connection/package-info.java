// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Values of NetworkDirect connections: the states of a connector, the Read limits, the private data, the local ports. It sees {@code cm} and
 * {@code verbs}. Begin with {@link dev.verbatim.networkdirect.connection.ConnectorState}.
 */
@NullMarked
package dev.verbatim.networkdirect.connection;

import org.jspecify.annotations.NullMarked;
