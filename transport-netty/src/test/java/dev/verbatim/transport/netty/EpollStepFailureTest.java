// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import static org.assertj.core.api.Assumptions.assumeThat;

/** The same on the lanes of sockets of epoll. */
class EpollStepFailureTest extends TcpStepFailureTest {

    @Override
    NettyOptions options() {
        assumeThat(SocketTransport.EPOLL.isAvailable()).isTrue();
        return NettyOptions.defaults().withTransport(SocketTransport.EPOLL);
    }
}
