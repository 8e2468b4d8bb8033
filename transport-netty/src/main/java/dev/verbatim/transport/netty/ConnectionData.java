// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty;

import dev.verbatim.transport.netty.socket.TransportLimits;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What two processes tell each other {@linkplain OutOfBand out of band}, such as GIDs, queue pair numbers and keys: names with
 * values; immutable.
 *
 * <pre>{@code
 * ConnectionData mine = ConnectionData.empty().with(ConnectionData.GID, gid).with(ConnectionData.QPN, qpn).with(ConnectionData.PSN, psn);
 * }</pre>
 *
 * <p>As text it is one line, {@code verbatim gid=fe80:... qpn=0x11 psn=0x5}, of at most 1024 ASCII characters.
 */
public final class ConnectionData {

    /** The device's GID. */
    public static final String GID = "gid";
    /** The queue pair's number. */
    public static final String QPN = "qpn";
    /** The first packet sequence number that the queue pair sends. */
    public static final String PSN = "psn";
    /** Address of the memory that may be accessed. */
    public static final String ADDRESS = "address";
    /** Its length in bytes. */
    public static final String LENGTH_BYTES = "length";
    /** Its R_Key. */
    public static final String RKEY = "rkey";
    /** The TCP port at which the sender's fabric listens. */
    public static final String FABRIC_PORT = "port";

    private static final String TITLE = "verbatim";
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Pattern VALUE = Pattern.compile("[!-~]+");
    private static final ConnectionData EMPTY = new ConnectionData(Map.of());

    private final Map<String, String> values;

    private ConnectionData(Map<String, String> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** Has no values. */
    public static ConnectionData empty() {
        return EMPTY;
    }

    /** A copy with a number of 64 bits. */
    public ConnectionData with(String name, long number) {
        return with(name, "0x" + Long.toHexString(number));
    }

    /** A copy with a GID. */
    public ConnectionData with(String name, Gid gid) {
        return with(name, gid.toString());
    }

    /**
     * A copy with a text.
     *
     * @throws IllegalArgumentException if the name is not {@code [a-z][a-z0-9_]*}, the text is empty or has a space or other than
     *     printable ASCII characters, or the line becomes too long
     */
    public ConnectionData with(String name, String text) {
        if (!NAME.matcher(name).matches() || !VALUE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    name + "=" + text + " is not name=value; names are " + NAME + ", values " + VALUE);
        }
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(name, text);
        ConnectionData result = new ConnectionData(more);
        int lengthBytes = result.toString().length();
        if (lengthBytes > TransportLimits.LONGEST_LINE_BYTES) {
            throw new IllegalArgumentException("lengthBytes=" + lengthBytes + " > " + TransportLimits.LONGEST_LINE_BYTES
                    + "; say less in one line");
        }
        return result;
    }

    /** Whether there is a value with that name. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /**
     * The value of that name.
     *
     * @throws VerbsException EINVAL if there is none
     */
    public String text(String name) {
        String text = values.get(name);
        if (text == null) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.N_05, "the peer's line [%s] lacks %s=; both must run alike", this, name);
        }
        return text;
    }

    /**
     * The number of that name, decimal or with 0x.
     *
     * @throws VerbsException EINVAL if there is none or it is no number of 64 bits
     */
    public long number(String name) {
        String text = text(name);
        try {
            return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw malformed(name, text, "a number");
        }
    }

    /**
     * The GID of that name.
     *
     * @throws VerbsException EINVAL if there is none or it is no GID
     */
    public Gid gid(String name) {
        String text = text(name);
        try {
            return Gid.parse(text);
        } catch (IllegalArgumentException e) {
            throw malformed(name, text, "a GID");
        }
    }

    /** Reads a line without its end. */
    static ConnectionData parse(String line) {
        String[] words = line.split(" ", -1);
        if (!words[0].equals(TITLE)) {
            throw VerbsException.of(
                    Errno.EINVAL,
                    Rule.N_05,
                    "[%s] does not begin with %s; who answers there is not Verbatim",
                    line,
                    TITLE);
        }
        ConnectionData data = EMPTY;
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            try {
                data = data.with(words[i].substring(0, Math.max(0, equals)), words[i].substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw VerbsException.of(
                        Errno.EINVAL,
                        Rule.N_05,
                        "[%s] has the word [%s]: %s",
                        line,
                        words[i],
                        String.valueOf(e.getMessage()));
            }
        }
        return data;
    }

    private static VerbsException malformed(String name, String text, String kind) {
        return VerbsException.of(
                Errno.EINVAL, Rule.N_05, "%s=%s is not %s; both ends must run alike", name, text, kind);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ConnectionData data && values.equals(data.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** The line, without its end. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(TITLE);
        values.forEach(
                (name, value) -> line.append(' ').append(name).append('=').append(value));
        return line.toString();
    }
}
