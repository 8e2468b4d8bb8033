// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** There is one loopback address of IPv6: builds that run at the same time take turns. */
final class Ipv6Turn implements AutoCloseable {

    private static final Path TURNS = Path.of(System.getProperty("java.io.tmpdir"), "verbatim-test-ipv6-loopback");

    private final FileChannel file;
    private final FileLock turn;

    private Ipv6Turn(FileChannel file, FileLock turn) {
        this.file = file;
        this.turn = turn;
    }

    /** Waits for its turn. */
    static Ipv6Turn take() throws IOException {
        FileChannel file = FileChannel.open(TURNS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return new Ipv6Turn(file, file.lock());
    }

    @Override
    public void close() throws IOException {
        turn.release();
        file.close();
    }
}
