// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import dev.verbatim.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * RoCEv2 datagrams of one address as they pass the loopback interface, from the IP header on. Java has no packet sockets, so a
 * process of Python reads one, which takes Linux and the capability CAP_NET_RAW, as root has.
 */
final class LoopbackCapture implements AutoCloseable {

    private static final String READY = "ready";
    private static final String END = "";
    private static final String PROGRAM = String.join(
            "\n",
            "import ctypes, socket, struct, sys",
            "source = bytes.fromhex(sys.argv[1])",
            "at, udp = (12, 20) if len(source) == 4 else (8, 40)",
            "packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))",
            "packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)",
            // The kernel drops what does not fit the buffer, and others have much to say: it passes on only what is
            // wanted.
            "steps = [(0x20, 0, 0, 0xfffff004), (0x15, 6, 0, 4), (0x30, 0, 0, 0), (0x54, 0, 0, 0xf0),",
            "        (0x15, 0, 3, 0x40 if len(source) == 4 else 0x60), (0x28, 0, 0, udp + 2), (0x15, 0, 1, 4791),",
            "        (0x06, 0, 0, 0x40000), (0x06, 0, 0, 0)]",
            "code = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *step) for step in steps))",
            "packets.setsockopt(socket.SOL_SOCKET, 26, struct.pack('HL', len(steps), ctypes.addressof(code)))",
            "packets.bind(('lo', 3))",
            "print('" + READY + "', flush=True)",
            "while True:",
            "    data, where = packets.recvfrom(1 << 16)",
            "    outgoing = where[2] == 4",
            "    version = data[0] >> 4",
            "    if not outgoing and (version == 4) == (len(source) == 4) and data[at:at + len(source)] == source \\",
            "            and data[udp + 2:udp + 4] == b'\\x12\\xb7':",
            "        print(data.hex(), flush=True)");

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private LoopbackCapture(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "loopback-capture");
        reader.setDaemon(true);
        reader.start();
    }

    /** By a thread of its own, since a read of a pipe cannot be given up. */
    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            // It was closed.
        }
        lines.add(END);
    }

    private String line() throws IOException {
        try {
            String line = lines.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new IOException("nothing was captured within " + Await.LIMIT);
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while nothing was captured", e);
        }
    }

    /** Begins; the test is skipped where that is not possible. */
    static LoopbackCapture of(InetAddress source) {
        LoopbackCapture capture = null;
        try {
            String address = HexFormat.of().formatHex(source.getAddress());
            capture = new LoopbackCapture(new ProcessBuilder("python3", "-c", PROGRAM, address)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
            if (READY.equals(capture.line())) {
                return capture;
            }
            capture.close();
        } catch (IOException e) {
            // There is no Python.
        }
        return Assumptions.abort(
                "packets of the loopback interface cannot be captured: that takes Linux, python3 and CAP_NET_RAW");
    }

    /** The next datagram. */
    ByteBuffer next() throws IOException {
        String line = line();
        if (line.equals(END)) {
            throw new IOException("the capture ended");
        }
        return ByteBuffer.wrap(HexFormat.of().parseHex(line));
    }

    @Override
    public void close() {
        // Its output is closed by the thread that reads it.
        process.toHandle().destroyForcibly();
    }
}
