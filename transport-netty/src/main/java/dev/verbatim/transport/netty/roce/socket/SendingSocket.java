// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce.socket;

/** A socket that datagrams leave from, and what it writes into their IP headers. */
public interface SendingSocket {

    /** The hop limit that a socket has at first. */
    int USUAL_HOP_LIMIT = 64;

    /** Its UDP port, which the ICRC covers. */
    int port();

    /** Writes this traffic class and hop limit into what is sent from now on, where the system lets it; a system call if they change. */
    void path(int trafficClass, int hopLimit);
}
