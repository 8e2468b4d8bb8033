// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The certificates that {@code src/test/resources/tls/make} made, and options that have them. */
final class Pem {

    static final Path TRUSTED = of("trusted.pem");

    private Pem() {}

    static Path of(String file) {
        URL url = Objects.requireNonNull(Pem.class.getResource("/tls/" + file), file);
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** An end that listens on this machine. */
    static Tls server() {
        return Tls.of(of("server.pem"), of("server.key"), TRUSTED);
    }

    /** An end that dials. */
    static Tls client() {
        return Tls.of(of("client.pem"), of("client.key"), TRUSTED);
    }

    static NettyOptions with(Tls tls) {
        return NettyOptions.defaults().withTls(tls);
    }

    /** The ways to sockets that are here, for tests of what all of them carry. */
    static Stream<Arguments> transports() {
        return Stream.of(SocketTransport.NIO, SocketTransport.EPOLL)
                .filter(SocketTransport::isAvailable)
                .map(Arguments::of);
    }
}
