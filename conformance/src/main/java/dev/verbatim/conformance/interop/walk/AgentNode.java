// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.interop.walk;

import dev.verbatim.conformance.interop.InteropException;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** A node whose verbs an agent carries out ({@code interop/agent.c}); each has a device of its own there. */
final class AgentNode implements WalkNode {

    private static final int ANSWER_MILLIS = 30_000;
    private static final int PREFIX_DIGITS = 16;
    private static final int HEX = 16;
    private static final int LENGTH_VALUE = 3;
    private static final int KEY_VALUE = 4;

    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;
    private int regions;
    private int windows;
    private int pairs;

    AgentNode(InetSocketAddress agent) {
        try {
            socket = new Socket();
            socket.connect(agent, ANSWER_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(ANSWER_MILLIS);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new InteropException("the agent at " + agent + " cannot be reached", e);
        }
    }

    /** Sends a line and returns the values of the answer. */
    private String[] ask(Object... words) {
        StringJoiner line = new StringJoiner(" ");
        for (Object word : words) {
            line.add(
                    word instanceof Integer number
                            ? Integer.toUnsignedString(number)
                            : word instanceof Long number ? Long.toUnsignedString(number) : word.toString());
        }
        try {
            out.print(line + "\n");
            out.flush();
            String answer = in.readLine();
            if (answer == null) {
                throw new InteropException("the agent ended at '" + line + "'");
            }
            if (!answer.startsWith("ok")) {
                throw new InteropException("the agent answered '" + answer + "' to '" + line + "'");
            }
            return answer.substring("ok".length()).trim().split(" ", -1);
        } catch (IOException e) {
            throw new InteropException("the agent did not answer '" + line + "'", e);
        }
    }

    private static String text(Gid gid) {
        return String.format("x%016x%016x", gid.prefix(), gid.interfaceId());
    }

    @Override
    public Gid gid() {
        String gid = ask("gid")[0];
        return new Gid(
                Long.parseUnsignedLong(gid.substring(0, PREFIX_DIGITS), HEX),
                Long.parseUnsignedLong(gid.substring(PREFIX_DIGITS), HEX));
    }

    @Override
    public Region register(int lengthBytes, int access) {
        String[] values = ask("reg", regions, lengthBytes, access);
        return new Region(
                regions++,
                Long.parseUnsignedLong(values[0]),
                Integer.parseUnsignedInt(values[1]),
                Integer.parseUnsignedInt(values[2]));
    }

    @Override
    public void deregister(Region region) {
        ask("dereg", region.number());
    }

    @Override
    public int allocateWindow(int type) {
        ask("window", windows, type);
        return windows++;
    }

    @Override
    public int bind(Pair pair, int window, Region region, int offset, int lengthBytes, int access) {
        return Integer.parseUnsignedInt(
                ask("bind", pair.number(), window, region.number(), offset, lengthBytes, access)[0]);
    }

    @Override
    public void createSrq() {
        ask("srq");
    }

    @Override
    public Pair createQp(QpType type, boolean shared) {
        String[] values = ask("qp", pairs, shared ? 1 : 0, type.name().toLowerCase(Locale.ROOT));
        return new Pair(pairs++, Integer.parseInt(values[0]));
    }

    @Override
    public void connect(Pair pair, Connection connection) {
        ask(
                "connect",
                pair.number(),
                connection.qpNumber(),
                0,
                0,
                connection.access(),
                PathMtu.MTU_1024.number(),
                connection.timeout(),
                connection.retries(),
                connection.rnrRetries(),
                text(connection.gid()));
    }

    @Override
    public void postReceive(Pair pair, Sge element, boolean shared) {
        ask("recv", pair.number(), 0, element.address(), element.lengthBytes(), element.lkey(), shared ? 1 : 0);
    }

    @Override
    public void postSend(Pair pair, SendWorkRequest request) {
        Sge element = request.elementCount() > 0 ? request.element(0) : new Sge(0, 0, 0);
        boolean invalidates = request.opcode() == WrOpcode.LOCAL_INV || request.opcode() == WrOpcode.SEND_WITH_INV;
        ask(
                "send",
                pair.number(),
                request.opcode().number(),
                request.flags(),
                element.address(),
                element.lengthBytes(),
                element.lkey(),
                request.remoteAddress(),
                request.remoteKey(),
                request.compareOrAdd(),
                request.swap(),
                invalidates ? request.invalidateKey() : request.immediate());
    }

    @Override
    public void postDatagram(Pair pair, Sge element, Gid gid, int qpNumber, int queueKey) {
        ask(
                "datagram",
                pair.number(),
                element.address(),
                element.lengthBytes(),
                element.lkey(),
                qpNumber,
                queueKey,
                text(gid));
    }

    @Override
    public Optional<Done> awaitSend(Pair pair, Duration patience) {
        return await(pair, patience, "s");
    }

    @Override
    public Optional<Done> awaitReceive(Pair pair, Duration patience) {
        return await(pair, patience, "r");
    }

    private Optional<Done> await(Pair pair, Duration patience, String which) {
        String[] values = ask("wait", pair.number(), patience.toMillis(), which);
        if (values[0].equals("none")) {
            return Optional.empty();
        }
        int status = Integer.parseInt(values[1]);
        for (WcStatus known : WcStatus.values()) {
            if (known.number() == status) {
                return Optional.of(new Done(
                        known, Long.parseLong(values[LENGTH_VALUE]), Integer.parseUnsignedInt(values[KEY_VALUE])));
            }
        }
        throw new InteropException("the agent's completion has status " + status + ", which is none");
    }

    @Override
    public byte[] load(Region region, int offset, int lengthBytes) {
        return HexFormat.of().parseHex(ask("load", region.number(), offset, lengthBytes)[0]);
    }

    @Override
    public void store(Region region, int offset, byte[] bytes) {
        ask("store", region.number(), offset, "x" + HexFormat.of().formatHex(bytes));
    }

    @Override
    public void closeQp(Pair pair) {
        ask("close", pair.number());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new InteropException("the connection to the agent cannot be closed", e);
        }
    }
}
