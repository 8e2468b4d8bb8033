// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Judges a peer whose device is not in the trace: by the packets that come from it, by the posts, completions and keys that it
 * reports, and by its memory at the end. It sees verbs, traces and what the oracle reports. Begin with
 * {@link dev.verbatim.conformance.oracle.peer.PeerJudge}.
 */
@NullMarked
package dev.verbatim.conformance.oracle.peer;

import org.jspecify.annotations.NullMarked;
