// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbatim.RcConnection;
import dev.verbatim.device.EmulatedDevice;
import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.fabric.carrier.FastPath;
import dev.verbatim.testing.Await;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.testing.Tries;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random chains of requests, plain ones and others, without and with frames: completions and memory of both sides are those of the same
 * program by packets. A chain waits until the one before it has ended.
 */
@Timeout(600)
class FastPathProgramsTest {

    private static final int FIRST_SEED = 1;
    private static final int PROGRAMS = Tries.of("fastpath.tcp.programs", 8, 60, 20_000);
    private static final int CHAINS = 12;
    private static final int RECEIVES = 16;
    private static final int AREA_BYTES = 8192;
    private static final int WORDS = 2 * AREA_BYTES;

    /** What could be seen, and how many requests and answers took the fast path. */
    private record Seen(List<String> lines, long fast, long answers) {}

    @ParameterizedTest
    @EnumSource(names = {"UNWATCHED", "TCP_UNWATCHED"})
    void programsCannotTell(FabricKind fabric) {
        assumeTrue(FastPath.isOn(), "the fast path is turned off");
        long fast = 0;
        long answers = 0;
        for (int seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
            Seen expected = run(FabricKind.UNWATCHED_BY_PACKETS, new Random(seed));
            Seen actual = run(fabric, new Random(seed));
            assertThat(actual.lines()).as("seed=%d", seed).isEqualTo(expected.lines());
            assertThat(expected.fast() + expected.answers()).isZero();
            fast += actual.fast();
            answers += actual.answers();
        }
        assertThat(fast).isGreaterThan(PROGRAMS);
        if (fabric == FabricKind.TCP_UNWATCHED) {
            assertThat(answers).isGreaterThan(PROGRAMS);
        }
    }

    private static Seen run(FabricKind fabric, Random random) {
        List<String> lines = new ArrayList<>();
        try (RcPair pair = fabric.openUnwatched(QpCapabilities.USUAL).connect(RcConnection.USUAL)) {
            for (Side side : List.of(pair.left, pair.right)) {
                for (int i = 0; i < 2 * AREA_BYTES; i += Long.BYTES) {
                    side.bytes().putLong(i, random.nextLong());
                }
                for (int i = 0; i < RECEIVES; i++) {
                    side.qp.postRecv(ReceiveWorkRequest.of(i, side.sge(AREA_BYTES + 256 * i, 256)));
                }
            }
            Map<Side, Integer> receives = new HashMap<>(Map.of(pair.left, RECEIVES, pair.right, RECEIVES));
            boolean goesOn = true;
            for (int chain = 0; goesOn && chain < CHAINS; chain++) {
                boolean fromLeft = random.nextBoolean();
                Side from = fromLeft ? pair.left : pair.right;
                Side to = fromLeft ? pair.right : pair.left;
                List<SendWorkRequest> requests = new ArrayList<>();
                int length = 1 + random.nextInt(6);
                for (int i = 1; i <= length; i++) {
                    SendWorkRequest request = draw(i, from, to, random, receives);
                    requests.add(i < length && random.nextBoolean() ? request.unsignaled() : request);
                }
                goesOn = post(from, requests, lines);
            }
            long fast = 0;
            long answers = 0;
            for (Side side : List.of(pair.left, pair.right)) {
                DeviceContext context = ((EmulatedDevice) side.device).context();
                fast += context.onLane(context::fastPathSent);
                answers += context.onLane(context::fastPathAnswersTaken);
                tell(side.recvCq, lines);
                CRC32C checksum = new CRC32C();
                checksum.update(side.bytes().duplicate().clear());
                lines.add("memory " + checksum.getValue());
            }
            return new Seen(lines, fast, answers);
        }
    }

    /** Posts a chain and waits for its last completion; false if it failed. */
    private static boolean post(Side from, List<SendWorkRequest> chain, List<String> lines) {
        from.qp.postSend(chain);
        WorkCompletion last;
        do {
            last = from.sendCq.awaitCompletion(Await.LIMIT);
            lines.add(last.id() + " " + last.status() + " " + (last.isSuccess() ? last.opcode() : ""));
        } while (last.id() < chain.size());
        return last.status() == WcStatus.SUCCESS;
    }

    private static SendWorkRequest draw(long id, Side from, Side to, Random random, Map<Side, Integer> receives) {
        int[] lengths = {8, 8, 1, 7, 64, 255, 256};
        int length = lengths[random.nextInt(lengths.length)];
        int rkey = random.nextInt(60) == 0 ? to.rkey() + 1 : to.rkey();
        Sge local = from.sge(random.nextInt(AREA_BYTES / 2 - length), length);
        // What comes lies apart from what goes: in what order both happen within a chain is open.
        Sge returned = from.sge(AREA_BYTES / 2 + random.nextInt(AREA_BYTES / 4), length);
        long word = to.address(WORDS + 8 * random.nextInt(8));
        int at = AREA_BYTES - 1024 + random.nextInt(512);
        int kind = random.nextInt(7);
        if (kind > 4 && receives.merge(to, -1, Integer::sum) < 0) {
            kind = 0;
        }
        SendWorkRequest request = switch (kind) {
            case 0, 1 -> SendWorkRequest.write(id, to.address(at), rkey, local);
            case 2 -> SendWorkRequest.read(id, to.address(random.nextInt(AREA_BYTES / 2 - length)), rkey, returned);
            case 3 -> SendWorkRequest.fetchAndAdd(id, word, rkey, random.nextInt(), from.sge(AREA_BYTES / 2, 8));
            case 4 ->
                SendWorkRequest.compareAndSwap(
                        id, word, rkey, random.nextInt(3), random.nextInt(), from.sge(AREA_BYTES / 2 + 8, 8));
            default -> SendWorkRequest.send(id, local);
        };
        return random.nextInt(8) == 0 ? request.plus(SendFlags.FENCE) : request;
    }

    private static void tell(CompletionQueue cq, List<String> lines) {
        List<WorkCompletion> completions = cq.poll(2 * RECEIVES);
        for (WorkCompletion completion : completions) {
            lines.add("received " + completion.id() + " " + completion.status() + " "
                    + (completion.isSuccess() ? completion.byteLength() : 0));
        }
    }
}
