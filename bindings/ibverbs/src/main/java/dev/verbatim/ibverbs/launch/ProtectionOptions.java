// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which peers the devices of a program let in over TCP. They are those of the other commands. */
final class ProtectionOptions {

    @Option(
            names = {"--secret", "--secret-file"},
            paramLabel = "FILE",
            description =
                    "Require the shared secret in FILE, at least 16 bytes. Needed at an --address that other machines reach,"
                            + " or TLS, or --open (docs/security.md).")
    private @Nullable Path secret;

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
            description = "Expect NAME in the certificates of peers, instead of the address of the connection.")
    private @Nullable String host;

    @Option(names = "--no-tls-mutual", description = "Accept TLS peers without a client certificate.")
    private boolean oneSided;

    @Option(
            names = "--open",
            description =
                    "Accept peers without authentication at any --address. Any peer may then read and write the memory of the"
                            + " program.")
    private boolean open;

    /** The variables that say the same to the library; those of options that were not given are not in it. */
    Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        put(variables, "VERBATIM_SECRET_FILE", secret);
        put(variables, "VERBATIM_TLS_TRUST", trust);
        put(variables, "VERBATIM_TLS_CERT", certificate);
        put(variables, "VERBATIM_TLS_KEY", key);
        if (host != null) {
            variables.put("VERBATIM_TLS_HOST", host);
        }
        if (oneSided) {
            variables.put("VERBATIM_TLS_MUTUAL", "no");
        }
        if (open) {
            variables.put("VERBATIM_OPEN", "yes");
        }
        return variables;
    }

    /** What the user should know of them, in a line; null if nothing. */
    @Nullable
    String caution() {
        for (Path file : Arrays.asList(secret, key)) {
            if (file != null && isOpenToAll(file)) {
                return file + " may be read by every user of this machine: chmod 600 " + file;
            }
        }
        return null;
    }

    private static boolean isOpenToAll(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            return false; // what cannot be read is refused elsewhere
        }
    }

    private static void put(Map<String, String> variables, String name, @Nullable Path file) {
        if (file != null) {
            variables.put(name, file.toAbsolutePath().toString());
        }
    }
}
