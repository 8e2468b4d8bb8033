// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.studio;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask the studio: the browser that was given the token. The token is in a cookie that scripts cannot read and that other sites
 * do not send. A request names loopback as its host, so that no name that an attacker lets point here is answered, and its origin, where
 * it has one, is the studio's page.
 */
final class StudioGate {

    private static final int TOKEN_BYTES = 16;

    private final String token;
    private final String cookie;
    private final Set<String> hosts;

    StudioGate(int port) {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        this.token = HexFormat.of().formatHex(bytes);
        this.cookie = "verbatim-studio-" + port;
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
    }

    String token() {
        return token;
    }

    /** The cookie that a browser gets which has named the token. */
    String setCookie() {
        return cookie + "=" + token + "; HttpOnly; SameSite=Strict; Path=/";
    }

    /** Why a request is refused whatever it is; null if it may be looked at. */
    @Nullable
    String refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        List<String> host = headers.getOrDefault("Host", List.of());
        if (host.size() != 1 || !hosts.contains(host.get(0))) {
            return "this address answers to 127.0.0.1 and localhost only";
        }
        List<String> origin = headers.getOrDefault("Origin", List.of());
        boolean changes = !exchange.getRequestMethod().equals("GET");
        if ((changes && origin.isEmpty()) || !origin.stream().allMatch(("http://" + host.get(0))::equals)) {
            return "this request does not come from the page of the studio";
        }
        return null;
    }

    /** Whether the request has the cookie. */
    boolean isKnown(HttpExchange exchange) {
        for (String line : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String each : line.split(";", -1)) {
                String[] parts = each.trim().split("=", 2);
                if (parts.length == 2 && parts[0].equals(cookie) && isToken(parts[1])) {
                    return true;
                }
            }
        }
        return false;
    }

    boolean isToken(String candidate) {
        return MessageDigest.isEqual(
                candidate.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
