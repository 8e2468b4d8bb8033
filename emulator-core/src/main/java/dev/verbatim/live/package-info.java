// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Live figures of devices: their counters as an MXBean ({@link dev.verbatim.live.DeviceMXBean}) and over a socket
 * ({@link dev.verbatim.live.StatServer}), and events of Flight Recorder. Devices of {@code Verbatim.over} and
 * {@code Verbatim.inProcess} are known here as long as they are open; simulated ones are not, since only programs of a simulation
 * may call them.
 */
@NullMarked
package dev.verbatim.live;

import org.jspecify.annotations.NullMarked;
