// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import dev.verbatim.interop.InteropException;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** A node whose verbs an agent carries out ({@code lab/interop/agent.c}); each has a device of its own there. */
class AgentNode implements WalkNode {

    private static final int ANSWER_MILLIS = 30_000;
    private static final int PREFIX_DIGITS = 16;
    private static final int HEX = 16;
    private static final int LENGTH_VALUE = 3;
    private static final int KEY_VALUE = 4;
    private static final int COMPLETION_VALUES = 6;

    private final Socket socket;
    private final BufferedReader in;
    private final PrintStream out;
    private int regions;
    private int windows;
    private int pairs;
    private String[] values = {};
    private boolean isBroken;
    private final Deque<String> unanswered = new ArrayDeque<>();
    private final Map<String, Deque<Done>> completions = new HashMap<>();
    private @Nullable Gid gid;

    /**
     * Connects.
     *
     * @throws InteropException if nobody listens there
     */
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
        send(words);
        settle();
        return values;
    }

    /** Sends a line whose answer has no values, and does not wait for it. */
    private void send(Object... words) {
        StringJoiner line = new StringJoiner(" ");
        for (Object word : words) {
            line.add(
                    word instanceof Integer number
                            ? Integer.toUnsignedString(number)
                            : word instanceof Long number ? Long.toUnsignedString(number) : word.toString());
        }
        out.print(line + "\n");
        out.flush();
        unanswered.add(line.toString());
    }

    /** Passes over what was refused. */
    private void drain() {
        while (!unanswered.isEmpty() && !isBroken) {
            try {
                settle();
            } catch (InteropException theNodeThatAskedHasEnded) {
                // What is left is passed over as well.
            }
        }
    }

    @Override
    public void settle() {
        while (!unanswered.isEmpty()) {
            String line = unanswered.remove();
            try {
                String answer = in.readLine();
                if (answer == null) {
                    isBroken = true;
                    throw new InteropException("the agent ended at '" + line + "'");
                }
                if (!answer.startsWith("ok")) {
                    throw new InteropException("the agent answered '" + answer + "' to '" + line + "'");
                }
                values = answer.substring("ok".length()).trim().split(" ", -1);
            } catch (IOException e) {
                isBroken = true;
                throw new InteropException("the agent did not answer '" + line + "'", e);
            }
        }
    }

    private static String text(Gid gid) {
        return String.format("x%016x%016x", gid.prefix(), gid.interfaceId());
    }

    @Override
    public Gid gid() {
        Gid known = gid;
        if (known == null) {
            String digits = ask("gid")[0];
            known = new Gid(
                    Long.parseUnsignedLong(digits.substring(0, PREFIX_DIGITS), HEX),
                    Long.parseUnsignedLong(digits.substring(PREFIX_DIGITS), HEX));
            gid = known;
        }
        return known;
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
        send("dereg", region.number());
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
        send("srq");
    }

    @Override
    public Pair createQp(QpType type, boolean shared) {
        String[] values = ask("qp", pairs, shared ? 1 : 0, type.name().toLowerCase(Locale.ROOT));
        return new Pair(pairs++, Integer.parseInt(values[0]));
    }

    @Override
    public void connect(Pair pair, Connection connection) {
        send(
                "connect",
                pair.number(),
                connection.qpNumber(),
                0,
                0,
                connection.access(),
                connection.mtu().number(),
                connection.timeout(),
                connection.retries(),
                connection.rnrRetries(),
                text(connection.gid()));
    }

    @Override
    public void postReceive(Pair pair, long id, Sge element, boolean shared) {
        send("recv", pair.number(), id, element.address(), element.lengthBytes(), element.lkey(), shared ? 1 : 0);
    }

    @Override
    public void postSend(Pair pair, SendWorkRequest request) {
        Sge element = request.elementCount() > 0 ? request.element(0) : new Sge(0, 0, 0);
        boolean invalidates = Operation.of(request.opcode()).invalidates;
        send(
                "send",
                pair.number(),
                request.id(),
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
    public void postDatagram(Pair pair, SendWorkRequest request, Gid gid, int qpNumber, int queueKey) {
        Sge element = request.elementCount() > 0 ? request.element(0) : new Sge(0, 0, 0);
        send(
                "datagram",
                pair.number(),
                request.id(),
                request.opcode().number(),
                request.flags(),
                request.immediate(),
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
        Deque<Done> waiting = completions.computeIfAbsent(pair.number() + which, key -> new ArrayDeque<>());
        if (waiting.isEmpty()) {
            patientFor(patience);
            String[] answer = ask("wait", pair.number(), patience.toMillis(), which);
            for (int at = 0; at + COMPLETION_VALUES <= answer.length; at += COMPLETION_VALUES) {
                waiting.add(new Done(
                        Long.parseUnsignedLong(answer[at]),
                        status(Integer.parseInt(answer[at + 1])),
                        Integer.parseInt(answer[at + 2]),
                        Long.parseLong(answer[at + LENGTH_VALUE]),
                        Integer.parseUnsignedInt(answer[at + KEY_VALUE])));
            }
        }
        return Optional.ofNullable(waiting.poll());
    }

    private void patientFor(Duration patience) {
        try {
            socket.setSoTimeout((int) patience.toMillis() + ANSWER_MILLIS);
        } catch (IOException e) {
            throw new InteropException("the connection to the agent has ended", e);
        }
    }

    private static WcStatus status(int number) {
        for (WcStatus known : WcStatus.values()) {
            if (known.number() == number) {
                return known;
            }
        }
        throw new InteropException("the agent's completion has status " + number + ", which is none");
    }

    @Override
    public byte[] load(Region region, int offset, int lengthBytes) {
        return HexFormat.of().parseHex(ask("load", region.number(), offset, lengthBytes)[0]);
    }

    @Override
    public void store(Region region, int offset, byte[] bytes) {
        send("store", region.number(), offset, "x" + HexFormat.of().formatHex(bytes));
    }

    @Override
    public void fill(Region region, int lengthBytes, int first) {
        send("fill", region.number(), lengthBytes, first);
    }

    @Override
    public QpState state(Pair pair) {
        int number = Integer.parseInt(ask("state", pair.number())[0]);
        for (QpState state : QpState.values()) {
            if (state.number() == number) {
                return state;
            }
        }
        throw new InteropException("the agent's queue pair is in state " + number + ", which is none");
    }

    /** Closes all objects on the peer; numbers begin again. */
    void reset() {
        if (isBroken) {
            throw new InteropException("the connection to the agent has ended");
        }
        drain();
        ask("reset");
        completions.clear();
        regions = 0;
        windows = 0;
        pairs = 0;
    }

    @Override
    public void closeQp(Pair pair) {
        send("close", pair.number());
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
