// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.transport.netty.SocketTransport;

/** Over those of Netty for Linux. */
class RoceOverEpollContractTest extends RoceContract {

    RoceOverEpollContractTest() {
        super(SocketTransport.EPOLL);
    }
}
