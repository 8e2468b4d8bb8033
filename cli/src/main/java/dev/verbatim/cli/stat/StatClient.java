// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.stat;

import dev.verbatim.cli.output.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what a {@link dev.verbatim.live.StatServer} shows, and checks that it is that. */
final class StatClient {

    private static final int PATIENCE_MILLIS = 5_000;
    private static final int MOST_BYTES = 1 << 20;
    private static final String PORT = "/1";

    private StatClient() {}

    /**
     * The counters of a device.
     *
     * @param device its name
     */
    record Counters(String device, Map<String, Long> values) {}

    /**
     * The devices of the process at an address.
     *
     * @throws CommandFailure if nobody answers there, or something else does
     */
    static List<Counters> read(InetSocketAddress address) {
        String text;
        try (Socket socket = new Socket()) {
            socket.connect(address, PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            text = read(socket.getInputStream());
        } catch (IOException e) {
            throw new CommandFailure("no counters from " + address + ": " + e.getMessage()
                    + "; start the process with -Dverbatim.stat=PORT");
        }
        return parse(address.toString(), text);
    }

    /**
     * The devices that a text shows.
     *
     * @param from who sent it
     */
    static List<Counters> parse(String from, String text) {
        List<Counters> devices = new ArrayList<>();
        text.lines().forEach(line -> devices.add(ofLine(from, line)));
        return devices;
    }

    private static String read(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new IOException("it sends more than " + MOST_BYTES + " bytes");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** {@code link NAME/1 counter value ...}. */
    static Counters ofLine(String from, String line) {
        String[] words = line.split(" ", -1);
        try {
            if (words.length >= 2 && words.length % 2 == 0 && words[0].equals("link") && words[1].endsWith(PORT)) {
                Map<String, Long> values = new LinkedHashMap<>();
                for (int i = 2; i < words.length; i += 2) {
                    values.put(words[i], Long.parseLong(words[i + 1]));
                }
                String name = words[1].substring(0, words[1].length() - PORT.length());
                return new Counters(URLDecoder.decode(name, StandardCharsets.UTF_8), values);
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new CommandFailure(from + " shows no counters but \"" + line.substring(0, Math.min(40, line.length()))
                + "\"; name the port of -Dverbatim.stat");
    }
}
