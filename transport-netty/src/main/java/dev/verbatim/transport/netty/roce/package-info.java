// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * RoCEv2: devices that exchange packets with devices in other JVMs, with Linux's soft-RoCE and with adapters, over UDP port 4791.
 * It sees the lanes of {@code transport.netty} and nothing of TCP. Begin with {@link dev.verbatim.transport.netty.roce.RoceFabric}.
 */
@NullMarked
package dev.verbatim.transport.netty.roce;

import org.jspecify.annotations.NullMarked;
