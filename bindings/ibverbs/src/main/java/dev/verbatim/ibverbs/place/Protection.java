// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SharedSecret;
import dev.verbatim.transport.netty.Tls;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Which peers devices let in over TCP, and what they prove of themselves (docs/security.md). */
public final class Protection {

    private Protection() {}

    /**
     * What the settings say.
     *
     * @throws IllegalArgumentException if they contradict each other
     * @throws dev.verbatim.verbs.VerbsException if a file cannot be used
     */
    public static NettyOptions of(Settings settings) {
        NettyOptions options = NettyOptions.defaults().withListeningOpenly(settings.isOpen());
        Tls tls = tls(settings);
        if (tls != null) {
            options = options.withTls(tls);
        }
        Path secret = settings.secretFile();
        return secret == null ? options : options.withSecret(SharedSecret.read(secret));
    }

    private static @Nullable Tls tls(Settings settings) {
        Path trust = settings.tlsFile("TRUST");
        Path certificate = settings.tlsFile("CERT");
        Path key = settings.tlsFile("KEY");
        String host = settings.value("VERBATIM_TLS_HOST");
        boolean mutual = settings.value("VERBATIM_TLS_MUTUAL", "yes").equals("yes");
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--tls-cert and --tls-key must be specified together");
        }
        if (trust == null) {
            if (certificate != null || host != null || !mutual) {
                throw new IllegalArgumentException("TLS requires --tls-trust, the certificates to trust");
            }
            return null;
        }
        Tls tls = certificate == null || key == null ? Tls.trusting(trust) : Tls.of(certificate, key, trust);
        return (host == null ? tls : tls.withHost(host)).withMutual(mutual);
    }
}
