// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.rc.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.testing.Packets;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** What one stream of a run came to, held against its {@link Expectation}. */
final class StreamOutcome {

    private final RequestStream stream;
    private final List<Operation> operations;
    private final Expectation expected;
    private final List<WorkCompletion> sent;
    private final List<WorkCompletion> received;
    private final byte[] asking;
    private final byte[] answering;

    StreamOutcome(RequestStream stream) {
        this.stream = stream;
        this.operations = stream.operations;
        this.expected = new Expectation(operations, stream.index);
        this.sent = stream.sent();
        this.received = stream.received();
        this.asking = Ground.bytes(stream.source().memory());
        this.answering = Ground.bytes(stream.target().memory());
    }

    /** Every request succeeded exactly once, in order, and did what it should and nothing else. */
    void isExactlyOnce() {
        assertThat(sent).allMatch(WorkCompletion::isSuccess);
        assertThat(sent.stream().map(WorkCompletion::id))
                .containsExactlyElementsOf(places(operation -> operation.signaled(), operations.size()));
        hasReceived(operations.size());
        assertThat(received).hasSameSizeAs(places(Operation::takesReceive, operations.size()));
        assertThat(answering).isEqualTo(answeringAfter(operations.size()));
        hasLanded(operations.size());
    }

    /** Some succeeded, then at most one failed for want of retries, and the rest was flushed; nothing was done twice. */
    void isExactlyOnceUpToAFailure() {
        int failed = firstFailure();
        assertThat(sent.stream().filter(WorkCompletion::isSuccess).map(WorkCompletion::id))
                .containsExactlyElementsOf(places(Operation::signaled, failed));
        List<WorkCompletion> errors =
                sent.stream().filter(completion -> !completion.isSuccess()).toList();
        assertThat(errors.stream().map(WorkCompletion::id))
                .containsExactlyElementsOf(
                        places(operation -> true, operations.size()).subList(failed, operations.size()));
        for (int i = 1; i < errors.size(); i++) {
            assertThat(errors.get(i).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        if (!errors.isEmpty()) {
            // WR_FLUSH_ERR first means that the queue pair failed as a responder, which over such links it never does.
            assertThat(errors.get(0).status()).isIn(WcStatus.RETRY_EXC_ERR, WcStatus.RNR_RETRY_EXC_ERR);
        }
        List<Integer> possible = IntStream.rangeClosed(failed, operations.size())
                .filter(this::isStateAfter)
                .boxed()
                .toList();
        assertThat(possible)
                .as("numbers of operations after which memory is as it is; %d completed", failed)
                .isNotEmpty();
        hasLanded(failed);
    }

    private int firstFailure() {
        return sent.stream()
                .filter(completion -> !completion.isSuccess())
                .mapToInt(completion -> (int) completion.id())
                .findFirst()
                .orElse(operations.size());
    }

    /** Whether exactly so many operations were executed, and perhaps the next in part. */
    private boolean isStateAfter(int count) {
        long successes = received.stream().filter(WorkCompletion::isSuccess).count();
        if (successes != places(Operation::takesReceive, count).size()) {
            return false;
        }
        hasReceived(count);
        byte[] before = answeringAfter(count);
        byte[] after = answeringAfter(Math.min(count + 1, operations.size()));
        boolean mayBePartial = count < operations.size()
                && (operations.get(count).isSend() || operations.get(count).isWrite());
        for (int i = 0; i < answering.length; i++) {
            if (answering[i] != before[i] && !(mayBePartial && answering[i] == after[i])) {
                return false;
            }
        }
        return true;
    }

    /** The receives of the first {@code count} operations came, in the order of the messages; the rest was flushed. */
    private void hasReceived(int count) {
        List<Long> messages = places(Operation::takesReceive, count);
        for (int i = 0; i < received.size(); i++) {
            WorkCompletion completion = received.get(i);
            if (i >= messages.size()) {
                assertThat(completion.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
                continue;
            }
            Operation operation = operations.get(messages.get(i).intValue());
            boolean immediate = operation.kind() != Operation.Kind.SEND;
            assertThat(completion.id()).isEqualTo(messages.get(i));
            assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
            assertThat(completion.byteLength()).isEqualTo(operation.lengthBytes());
            assertThat(completion.opcode()).isEqualTo(operation.isSend() ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM);
            assertThat(completion.flags()).isEqualTo(immediate ? WcFlags.WITH_IMM : 0);
            if (immediate) {
                assertThat(completion.immediate()).isEqualTo((int) completion.id() << 16 | operation.operand());
            }
        }
    }

    private byte[] answeringAfter(int count) {
        byte[] bytes = Packets.pattern(stream.index * 1000 + 500, answering.length);
        System.arraycopy(expected.targetAfter(count), 0, bytes, 0, Program.TARGET_BYTES);
        for (int i = 0; i < count; i++) {
            if (operations.get(i).isSend()) {
                System.arraycopy(
                        expected.inbox(),
                        Ground.slot(i),
                        bytes,
                        Ground.INBOX + Ground.slot(i),
                        operations.get(i).lengthBytes());
            }
        }
        return bytes;
    }

    /** The results of the first {@code count} operations are right, those of later ones unknown, and all else untouched. */
    private void hasLanded(int count) {
        byte[] bytes = Packets.pattern(stream.index * 1000, asking.length);
        for (int i = 0; i < operations.size(); i++) {
            Operation operation = operations.get(i);
            int at = Ground.LANDING + Ground.slot(i);
            if (i < count) {
                checkResult(i, operation, Arrays.copyOfRange(asking, at, at + operation.landingBytes()));
            }
            System.arraycopy(asking, at, bytes, at, operation.landingBytes());
        }
        assertThat(asking).isEqualTo(bytes);
    }

    private void checkResult(int i, Operation operation, byte[] result) {
        if (operation.kind() == Operation.Kind.ADD || operation.kind() == Operation.Kind.SWAP) {
            assertThat(result)
                    .as("result of operation %d", i)
                    .isEqualTo(Arrays.copyOfRange(
                            expected.targetAfter(i), operation.place(), operation.place() + Long.BYTES));
        } else if (operation.kind() == Operation.Kind.READ) {
            for (int b = 0; b < result.length; b++) {
                int place = operation.place() + b;
                assertThat(seen(i, place)).as("byte %d of READ %d", b, i).contains(result[b]);
            }
        }
    }

    private List<Byte> seen(int read, int place) {
        return IntStream.rangeClosed(read, expected.latestView(read))
                .mapToObj(count -> expected.targetAfter(count)[place])
                .toList();
    }

    /** What an operation on the shared word brought. */
    long sharedResult(int i) {
        return stream.source().memory().buffer().getLong(Ground.LANDING + Ground.slot(i));
    }

    RequestStream stream() {
        return stream;
    }

    private List<Long> places(Predicate<Operation> which, int end) {
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < end; i++) {
            if (which.test(operations.get(i))) {
                places.add((long) i);
            }
        }
        return places;
    }
}
