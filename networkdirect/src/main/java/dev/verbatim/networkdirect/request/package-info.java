// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The outstanding requests of NetworkDirect queues: the numbers that verbs echo, and the tables that find a request by its number. It
 * does not know what a request is. Begin with {@link dev.verbatim.networkdirect.request.Requests}.
 */
@NullMarked
package dev.verbatim.networkdirect.request;

import org.jspecify.annotations.NullMarked;
