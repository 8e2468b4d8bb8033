// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop;

import java.net.InetSocketAddress;

/** The opposite side of a program of rdma-core that exchanges messages with a peer, as server or client. */
public interface MessageProgram {

    /** Serves one peer at this address, and returns when all is done. */
    void serve(InetSocketAddress at);

    /** Exchanges messages with the server at that address. */
    void connect(InetSocketAddress server);
}
