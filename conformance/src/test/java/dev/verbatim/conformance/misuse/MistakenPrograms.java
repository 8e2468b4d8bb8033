// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.misuse;

import java.util.Random;

/**
 * Draws small programs whose accesses are all ordered, each of one to three exchanges between two nodes, and removes one edge. What is
 * left need not be a mistake: a later completion may cover the removed one. So the label of both is computed, not assumed.
 */
final class MistakenPrograms {

    /** How many exchanges there are, each as likely: more take long to walk through. */
    private static final int[] EXCHANGES = {1, 1, 1, 1, 2, 2, 2, 2, 2, 3};

    private static final String[] QPS = {"left", "right"};

    private final Random random;
    private final ProgramSketch sketch = new ProgramSketch();
    private int exchanges;
    private int values = 10;

    /** The node that posts, and the other, and the queue pair of the present exchange. */
    private int active;

    private int passive;
    private String qp = QPS[0];

    private MistakenPrograms(long seed) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    }

    /** The program of that seed. */
    static MistakenProgram draw(long seed) {
        return new MistakenPrograms(seed).program(seed);
    }

    private MistakenProgram program(long seed) {
        int count = EXCHANGES[random.nextInt(EXCHANGES.length)];
        for (exchanges = 0; exchanges < count; exchanges++) {
            active = random.nextInt(2);
            passive = 1 - active;
            qp = QPS[random.nextInt(QPS.length)];
            exchange();
            barrier();
        }
        int removed = random.nextInt(sketch.edges().size());
        return new MistakenProgram(
                seed,
                sketch.scenario(-1),
                sketch.scenario(removed),
                sketch.edges().get(removed));
    }

    /** Each program goes on only when the other has ended the exchange, too. */
    private void barrier() {
        for (int node = 0; node < 2; node++) {
            sketch.step(node, "tell: done" + exchanges + node);
        }
        for (int node = 0; node < 2; node++) {
            sketch.step(node, "await: done" + exchanges + (1 - node));
        }
    }

    private void exchange() {
        switch (random.nextInt(11)) {
            case 0 -> reusedSource();
            case 1 -> readResult();
            case 2 -> fencedWrite();
            case 3 -> fencedMessage();
            case 4 -> message();
            case 5 -> notifiedWrite();
            case 6 -> atomicResult();
            case 7 -> boundWindow();
            case 8 -> revokedWindow();
            case 9 -> twoQueuePairs();
            default -> selective();
        }
    }

    /** Words are used again by later exchanges now and then. */
    private String word(int node, String stem) {
        int variant = random.nextInt(4) == 0 ? 0 : exchanges + 1;
        return sketch.word(node, stem + variant, values++);
    }

    private String post(String body) {
        return "{" + body + ", qp: " + qp + "}";
    }

    private String sent(String queuePair) {
        return "{completion: any, cq: " + queuePair.charAt(0) + "}";
    }

    private String sent() {
        return sent(qp);
    }

    private String received() {
        return "{completion: any, cq: to" + qp + "}";
    }

    private String register(int node) {
        return "seen" + exchanges + node;
    }

    private void load(int node, String word) {
        sketch.step(node, "load: {" + word + ": " + register(node) + "}");
    }

    private void store(int node, String word) {
        sketch.step(node, "store: {" + word + ": " + values++ + "}");
    }

    private void reusedSource() {
        String source = word(active, "s");
        sketch.step(active, post("write: {" + word(passive, "x") + ": " + source + "}"));
        sketch.edge(active, sent(), "the completion of a WRITE is not awaited");
        store(active, source);
    }

    private void readResult() {
        String result = word(active, "r");
        sketch.step(active, post("read: {" + word(passive, "x") + ": " + result + "}"));
        sketch.edge(active, sent(), "the completion of a READ is not awaited");
        if (random.nextBoolean()) {
            load(active, result);
        } else {
            store(active, result);
        }
    }

    private void fencedWrite() {
        String far = word(passive, "x");
        sketch.step(active, post("read: {" + far + ": " + word(active, "r") + "}"));
        String write = "write: {" + far + ": " + word(active, "s") + "}";
        sketch.edge(
                active, post(write + ", flags: FENCE"), post(write), "the fence of a WRITE behind a READ is dropped");
        sketch.step(active, sent());
        sketch.step(active, sent());
    }

    private void fencedMessage() {
        String result = word(active, "r");
        receive(word(passive, "g"));
        sketch.step(active, post("read: {" + word(passive, "x") + ": " + result + "}"));
        sketch.edge(
                active,
                post("send: " + result + ", flags: FENCE"),
                post("send: " + result),
                "the fence of a SEND behind a READ is dropped");
        sketch.step(active, sent());
        sketch.step(active, sent());
        sketch.step(passive, received());
    }

    private void receive(String buffer) {
        sketch.step(passive, post("recv: " + buffer));
        sketch.step(passive, "tell: ready" + exchanges);
        sketch.step(active, "await: ready" + exchanges);
    }

    private void message() {
        String buffer = word(passive, "g");
        receive(buffer);
        sketch.step(active, post("send: " + word(active, "s")));
        sketch.edge(passive, received(), "the completion of a receive is not awaited");
        load(passive, buffer);
        sketch.step(active, sent());
    }

    private void notifiedWrite() {
        String far = word(passive, "x");
        receive("[]");
        sketch.step(active, post("write: {" + far + ": " + word(active, "s") + "}"));
        sketch.step(active, post("post: RDMA_WRITE_WITH_IMM, imm: 1"));
        sketch.edge(passive, received(), "the completion of immediate data is not awaited");
        load(passive, far);
        sketch.step(active, sent());
        sketch.step(active, sent());
    }

    private void atomicResult() {
        String result = word(active, "o");
        sketch.step(active, post("faa: {" + word(passive, "x") + ": " + result + "}, add: 3"));
        sketch.edge(active, sent(), "the completion of a FETCH_ADD is not awaited");
        load(active, result);
    }

    private void boundWindow() {
        String far = sketch.windowedWord(passive, "v" + (exchanges + 1));
        sketch.step(passive, post("post: BIND_MW, mw: " + far + "w, to: " + far + ", access: REMOTE_WRITE"));
        sketch.edge(passive, sent(), "the completion of a bind is not awaited");
        sketch.step(passive, "tell: ready" + exchanges);
        sketch.step(active, "await: ready" + exchanges);
        sketch.step(active, post("write: {" + far + ": " + word(active, "s") + "}, rkey: " + far + "w"));
        sketch.step(active, "{completion: any, cq: " + qp.charAt(0) + ", into: " + register(active) + "}");
    }

    private void revokedWindow() {
        String far = sketch.windowedWord(passive, "v" + (exchanges + 1));
        String revoke = post("post: LOCAL_INV, invalidate_rkey: " + far + "w");
        sketch.step(passive, post("recv: []"));
        sketch.step(passive, post("post: BIND_MW, mw: " + far + "w, to: " + far + ", access: REMOTE_WRITE"));
        sketch.step(passive, sent());
        sketch.step(passive, "tell: ready" + exchanges);
        sketch.step(active, "await: ready" + exchanges);
        sketch.step(active, post("write: {" + far + ": " + word(active, "s") + "}, rkey: " + far + "w"));
        sketch.step(active, post("send: []"));
        sketch.earlier(passive, revoke);
        sketch.step(passive, received());
        sketch.edge(passive, revoke, "an invalidation is moved before the peer's message");
        sketch.step(passive, sent());
        sketch.step(active, "{completion: any, cq: " + qp.charAt(0) + ", into: " + register(active) + "}");
        sketch.step(active, sent());
    }

    private void twoQueuePairs() {
        String far = word(passive, "x");
        sketch.step(active, "{write: {" + far + ": " + word(active, "s") + "}, qp: left}");
        sketch.edge(active, sent("left"), "the completion of a WRITE on another queue pair is not awaited");
        sketch.step(active, "{write: {" + far + ": " + word(active, "t") + "}, qp: right}");
        sketch.step(active, sent("right"));
    }

    private void selective() {
        String source = word(active, "s");
        sketch.step(active, post("write: {" + word(passive, "x") + ": " + source + "}, flags: UNSIGNALED"));
        sketch.step(active, post("write: {" + word(passive, "y") + ": " + word(active, "t") + "}"));
        sketch.edge(active, sent(), "the completion that covers an unsignaled WRITE is not awaited");
        store(active, source);
    }
}
