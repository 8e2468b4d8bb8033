// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.bench.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A program that measures another RDMA-like library; optional, available in Debian. */
enum PeerProgram {
    UCX("ucx_perftest", "UCX", "ucx-utils"),
    LIBFABRIC("fi_pingpong", "libfabric", "libfabric-bin");

    /** Nothing but TCP, and nothing but loopback. */
    private static final Map<String, String> UCX_ENVIRONMENT = Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo");

    private static final int UCX_SHARE_OF_WARM_UP = 10;

    private final String command;
    private final String library;
    private final String debianPackage;

    PeerProgram(String command, String library, String debianPackage) {
        this.command = command;
        this.library = library;
        this.debianPackage = debianPackage;
    }

    String command() {
        return command;
    }

    /** What to say where it is missing. */
    String missing() {
        return command + " is not installed, so there is no " + library + " beside it; install the Debian package "
                + debianPackage;
    }

    Map<String, String> environment() {
        return this == UCX ? UCX_ENVIRONMENT : Map.of();
    }

    List<String> server(int port, int sizeBytes, int operations) {
        String at = String.valueOf(port);
        return switch (this) {
            case UCX -> List.of(command, "-p", at);
            case LIBFABRIC -> withFabricOptions("-B", at, sizeBytes, operations);
        };
    }

    List<String> client(int port, String test, int sizeBytes, int operations) {
        String at = String.valueOf(port);
        return switch (this) {
            case UCX ->
                List.of(
                        command,
                        "127.0.0.1",
                        "-p",
                        at,
                        "-t",
                        test,
                        "-s",
                        String.valueOf(sizeBytes),
                        "-n",
                        String.valueOf(operations),
                        "-w",
                        String.valueOf(Math.max(1, operations / UCX_SHARE_OF_WARM_UP)),
                        "-f",
                        "-v");
            case LIBFABRIC -> {
                List<String> options = new ArrayList<>(withFabricOptions("-P", at, sizeBytes, operations));
                options.add("127.0.0.1");
                yield options;
            }
        };
    }

    private List<String> withFabricOptions(String portOption, String port, int sizeBytes, int operations) {
        return List.of(
                command,
                "-p",
                "tcp",
                "-d",
                "lo",
                "-e",
                "msg",
                "-S",
                String.valueOf(sizeBytes),
                "-I",
                String.valueOf(operations),
                portOption,
                port);
    }
}
