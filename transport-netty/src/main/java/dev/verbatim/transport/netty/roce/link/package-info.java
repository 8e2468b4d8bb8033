// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0

/**
 * The links of a device to its peers over UDP: which address they lead to, their turns, what arrives over them. It sees datagrams and
 * sockets. Begin with {@link dev.verbatim.transport.netty.roce.link.RoceLinks}.
 */
@NullMarked
package dev.verbatim.transport.netty.roce.link;

import org.jspecify.annotations.NullMarked;
