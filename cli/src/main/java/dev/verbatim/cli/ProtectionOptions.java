// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import dev.verbatim.transport.netty.NettyOptions;
import dev.verbatim.transport.netty.SharedSecret;
import dev.verbatim.transport.netty.Tls;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whom a command that talks over TCP lets in, and what it proves of itself. */
final class ProtectionOptions {

    @Option(
            names = "--tls-trust",
            paramLabel = "FILE",
            description = "Use TLS, and trust peers whose certificate was signed by one in FILE (PEM).")
    private @Nullable Path trust;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Certificate of this side (PEM).")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Private key of --tls-cert (PEM, not encrypted).")
    private @Nullable Path key;

    @Option(
            names = "--tls-host",
            paramLabel = "NAME",
            description = "Expect NAME in the server's certificate, instead of the address of the connection.")
    private @Nullable String host;

    @Option(names = "--no-tls-mutual", description = "Accept TLS peers without a client certificate.")
    private boolean oneSided;

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "Require the shared secret in FILE, at least 16 bytes.")
    private @Nullable Path secret;

    /** Whether the command line has any of them. */
    boolean areGiven() {
        return trust != null || certificate != null || key != null || host != null || oneSided || secret != null;
    }

    /** What the options say. */
    NettyOptions options(CommandLine command) {
        NettyOptions options = NettyOptions.defaults();
        Tls tls = tls(command);
        if (tls != null) {
            options = options.withTls(tls);
        }
        return secret == null ? options : options.withSecret(SharedSecret.read(secret));
    }

    private @Nullable Tls tls(CommandLine command) {
        if ((certificate == null) != (key == null)) {
            throw new ParameterException(command, "--tls-cert and --tls-key must be specified together");
        }
        if (trust == null) {
            if (certificate != null || host != null || oneSided) {
                throw new ParameterException(command, "TLS requires --tls-trust, the certificates to trust");
            }
            return null;
        }
        Tls tls = certificate == null || key == null ? Tls.trusting(trust) : Tls.of(certificate, key, trust);
        return (host == null ? tls : tls.withHost(host)).withMutual(!oneSided);
    }
}
