// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.transport.netty.SocketTransport;

/** Over sockets of the JDK. */
class RoceOverNioContractTest extends RoceContract {

    RoceOverNioContractTest() {
        super(SocketTransport.NIO);
    }
}
