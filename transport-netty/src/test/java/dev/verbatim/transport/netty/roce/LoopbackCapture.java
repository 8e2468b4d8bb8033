// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.transport.netty.roce;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Assumptions;

/**
 * RoCEv2 datagrams of one address as they pass the loopback interface, from the IP header on. Java has no packet sockets, so a
 * process of Python reads one, which takes Linux and the capability CAP_NET_RAW, as root has.
 */
final class LoopbackCapture implements AutoCloseable {

    private static final String READY = "ready";
    private static final String PROGRAM = String.join(
            "\n",
            "import socket, sys",
            "source = bytes.fromhex(sys.argv[1])",
            "at, udp = (12, 20) if len(source) == 4 else (8, 40)",
            "packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))",
            "packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)",
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
    private final BufferedReader lines;

    private LoopbackCapture(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** Begins; the test is skipped where that is not possible. */
    static LoopbackCapture of(InetAddress source) {
        LoopbackCapture capture = null;
        try {
            String address = HexFormat.of().formatHex(source.getAddress());
            capture = new LoopbackCapture(new ProcessBuilder("python3", "-c", PROGRAM, address)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start());
            if (READY.equals(capture.lines.readLine())) {
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
        String line = lines.readLine();
        if (line == null) {
            throw new IOException("the capture ended");
        }
        return ByteBuffer.wrap(HexFormat.of().parseHex(line));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
