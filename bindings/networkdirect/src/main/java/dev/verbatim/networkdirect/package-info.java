// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
/**
 * The device in the words of NetworkDirect v2 ({@code IND2*}): adapters, overlapped requests and numeric statuses over
 * {@link dev.verbatim.verbs} and {@link dev.verbatim.cm}. Begin with {@link dev.verbatim.networkdirect.NdProvider}; inside, objects share
 * an {@code NdContext}.
 *
 * <p>A method that creates an object throws {@link dev.verbatim.networkdirect.NdException} if it cannot; every other method returns its
 * {@link dev.verbatim.networkdirect.NdStatus}, as the COM methods do. Send, Receive, Read, Write and GetResults allocate nothing once
 * they are warm. {@code docs/networkdirect.md} has the mapping, and what differs.
 */
@NullMarked
package dev.verbatim.networkdirect;

import org.jspecify.annotations.NullMarked;
