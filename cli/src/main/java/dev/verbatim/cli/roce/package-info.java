// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The commands of {@code ./verbatim roce}: peers of programs on RoCEv2 devices, and their options. It sees
 * {@link dev.verbatim.interop}, which has the peers, the demo, and no other command. Begin with
 * {@link dev.verbatim.cli.roce.RoceCommand}.
 */
@NullMarked
package dev.verbatim.cli.roce;

import org.jspecify.annotations.NullMarked;
