// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.cli.Main;
import dev.verbatim.page.RunRecorder;
import dev.verbatim.page.TracePage;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The pages that the tests open; each is made once in a run. */
enum Scenes {
    DEMO("demo", "--fabric", "in-process"),
    LOST_PACKET("run", "TR-6"),
    WINDOW("run", "TR-1"),
    OUTCOMES("litmus", "LT-02"),
    SEVERAL_FILES("litmus", "LT-02", "LT-03"),
    REFUSED_KEY("run", "TR-2"),
    /** Two adapters register one memory of a GPU. */
    TWO_ADAPTERS("run", "VL-31"),
    PERSISTENT("run", "VL-44"),
    LARGE();

    /** Events of {@link #LARGE}. */
    static final int MANY = 100_000;

    private static final Path DIRECTORY = Path.of("target", "scenes");

    private final String[] command;

    /** Pages of an earlier run may have another script. */
    private boolean isMade;

    Scenes(String... command) {
        this.command = command;
    }

    Path page() throws IOException, InterruptedException {
        Path page = DIRECTORY.resolve(name() + ".html").toAbsolutePath();
        if (!isMade) {
            isMade = true;
            Files.createDirectories(DIRECTORY);
            if (this == LARGE) {
                writeLarge(page);
            } else {
                run(page);
            }
        }
        return page;
    }

    private void run(Path page) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path") + File.pathSeparator,
                Main.class.getName()));
        words.addAll(List.of(command));
        words.addAll(List.of("--html", page.toString()));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /** WRITEs of one queue pair, as a trace has them; every hundredth packet is lost and sent again. */
    private static void writeLarge(Path page) throws IOException {
        RunRecorder run = new RunRecorder();
        for (int id = 0; run.size() < MANY; id++) {
            long nanos = id * 1000L;
            String left = "\"timeNanos\":" + nanos + ",\"device\":\"left\",\"qp\":17";
            String right = "\"timeNanos\":" + (nanos + 400) + ",\"device\":\"right\",\"qp\":17";
            String there = "\"source\":\"fe80::1\",\"destination\":\"fe80::2\"";
            String back = "\"source\":\"fe80::2\",\"destination\":\"fe80::1\"";
            String write = "\"packet\":{\"opcode\":\"RDMA_WRITE_ONLY\",\"psn\":" + id
                    + ",\"destQp\":17,\"reth\":{\"remoteAddress\":\"0x3000\",\"remoteKey\":\"0x00000102\",\"dmaLengthBytes\":8},\"payloadBytes\":8}";
            String ack = "\"packet\":{\"opcode\":\"ACKNOWLEDGE\",\"psn\":" + id
                    + ",\"destQp\":17,\"aeth\":{\"syndrome\":31,\"meaning\":\"ACK\",\"messageSequence\":1}}";
            run.line("{\"kind\":\"posted\"," + left + ",\"request\":\"RDMA_WRITE wr_id=" + id
                    + " length=8\",\"signaled\":true}");
            run.line("{\"kind\":\"started\"," + left + ",\"workRequestId\":" + id + ",\"firstPsn\":" + id
                    + ",\"packets\":1}");
            run.line("{\"kind\":\"sent\"," + left + "," + there + "," + write + "}");
            if (id % 100 == 99) {
                run.line("{\"kind\":\"fault\"," + left + "," + there + "," + write + ",\"fault\":\"loses\"}");
                run.line("{\"kind\":\"sent\"," + left + "," + there + "," + write + "}");
            }
            run.line("{\"kind\":\"received\"," + right + "," + there + "," + write + "}");
            run.line("{\"kind\":\"memory\"," + right + ",\"effect\":\"PLACED\",\"key\":\"0x00000102\",\"psn\":" + id
                    + ",\"address\":\"0x" + Long.toHexString(0x3000 + id % 64 * 8)
                    + "\",\"lengthBytes\":8,\"offset\":0,\"held\":false,\"data\":\"0100000000000000\"}");
            run.line("{\"kind\":\"sent\"," + right + "," + back + "," + ack + "}");
            run.line("{\"kind\":\"received\"," + left + "," + back + "," + ack + "}");
            run.line("{\"kind\":\"completed\"," + left + ",\"cq\":1,\"workRequestId\":" + id
                    + ",\"status\":\"SUCCESS\",\"opcode\":\"RDMA_WRITE\",\"byteLength\":0,\"refusal\":null}");
            run.line("{\"kind\":\"polled\"," + left + ",\"cq\":1,\"workRequestId\":" + id + ",\"left\":0}");
        }
        new TracePage("A hundred thousand events").add(run).write(page);
    }
}
