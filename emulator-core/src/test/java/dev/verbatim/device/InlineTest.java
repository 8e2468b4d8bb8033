// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** INLINE: data that is taken along when the request is posted (WR-22). */
class InlineTest {

    private static final int MOST = QpCapabilities.USUAL.maxInlineDataBytes();

    @AutoClose
    private final RcPair pair = RcPair.inProcess(QpCapabilities.USUAL);

    private final Side left = pair.left;
    private final Side right = pair.right;

    InlineTest() {
        pair.connect(RcConnection.USUAL.withRetries(14, 7, 7, 1));
    }

    private SendWorkRequest inlineWrite(long id, Sge... elements) {
        return SendWorkRequest.write(id, right.address(0), right.rkey(), elements)
                .plus(SendFlags.INLINE);
    }

    /** As many bytes, all different, in memory of their own. */
    private static Memory pattern(int count) {
        Memory memory = Memory.allocate(count);
        for (int i = 0; i < count; i++) {
            memory.buffer().put(i, (byte) (i + 1));
        }
        return memory;
    }

    private byte[] arrived(int at, int count) {
        byte[] bytes = new byte[count];
        right.bytes().get(at, bytes);
        return bytes;
    }

    private static byte[] bytes(Memory memory) {
        byte[] bytes = new byte[(int) memory.sizeBytes()];
        memory.buffer().get(0, bytes);
        return bytes;
    }

    @Test
    @Rule("WR-22")
    void keyOfInlineDataIsNotLookedAtAndItsMemoryNeedsNoRegistration() {
        Memory memory = pattern(24);
        left.qp.postSend(inlineWrite(1, new Sge(memory.address(), 24, 0xdead_beef)));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(arrived(0, 24)).isEqualTo(bytes(memory));
    }

    @Test
    @Rule("WR-22")
    void inlineDataOfNoMemoryIsAskedForAtItsAddress() {
        AddressSpace space = new AddressSpace();
        List<String> asked = new ArrayList<>();
        space.foreign((address, lengthBytes, target, offset) -> {
            asked.add(Long.toHexString(address) + " " + lengthBytes + " to " + offset);
            for (int i = 0; i < lengthBytes; i++) {
                target.put(offset + i, (byte) (address + i));
            }
            return address != 0x3000;
        });
        space.enter();
        try {
            left.qp.postSend(inlineWrite(1, new Sge(0x1000, 4, 0), new Sge(0, 0, 0), new Sge(0x2010, 2, 7)));
            assertRefused(
                    Errno.EFAULT,
                    "WR-22",
                    () -> left.qp.postSend(inlineWrite(2, new Sge(0x3000, 4, 0))),
                    "[0x3000,0x3004)");
        } finally {
            AddressSpace.leave();
        }
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(arrived(0, 6)).isEqualTo(new byte[] {0, 1, 2, 3, 16, 17});
        assertThat(asked).containsExactly("1000 4 to 0", "2010 2 to 4", "3000 4 to 0");
    }

    @Test
    @Rule("WR-22")
    void inlineDataIsFoundInMemoryAtTheAddressOfItsOwner() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(16).put(8, (byte) 7);
        Memory memory = Memory.at(bytes, 0x1234_5678_0000L);
        left.qp.postSend(inlineWrite(1, new Sge(memory.address() + 8, 1, 0)));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(arrived(0, 1)).isEqualTo(new byte[] {7});
    }

    @Test
    @Rule("WR-22")
    void inlineDataIsThatOfTheMomentOfThePost() {
        Memory memory = pattern(16);
        byte[] posted = bytes(memory);
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        left.qp.postSend(inlineWrite(1, new Sge(memory.address(), 16, 0)));
        memory.buffer().putLong(0, -1).putLong(8, -1);
        left.qp.modify(new QpAttributes().state(QpState.RTS));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(arrived(0, 16)).isEqualTo(posted);
    }

    @Test
    @Rule("WR-22")
    void inlineDataOutlivesTheMemoryItCameFromAndIsSentAgainUnchanged() {
        Memory memory = pattern(16);
        byte[] posted = bytes(memory);
        left.qp.postSend(
                SendWorkRequest.send(1, new Sge(memory.address(), 16, 0)).plus(SendFlags.INLINE));
        // There is no receive yet: the message goes more than once.
        memory.buffer().putLong(0, -1).putLong(8, -1);
        right.qp.postRecv(ReceiveWorkRequest.of(2, right.sge(0, 16)));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(right.received()).isSuccess().hasByteLength(16);
        assertThat(arrived(0, 16)).isEqualTo(posted);
    }

    @Test
    @Rule("WR-22")
    void inlineDataIsGatheredFromAllElementsInOrder() {
        Memory memory = pattern(30);
        long base = memory.address();
        left.bytes().put(0, (byte) 99);
        left.qp.postSend(
                inlineWrite(1, new Sge(base + 20, 10, 1), new Sge(base, 0, 2), left.sge(0, 1), new Sge(base, 20, 3)));
        assertThat(left.sent()).isSuccess();
        byte[] all = bytes(memory);
        ByteBuffer expected =
                ByteBuffer.allocate(31).put(all, 20, 10).put((byte) 99).put(all, 0, 20);
        assertThat(arrived(0, 31)).isEqualTo(expected.array());
    }

    @Test
    @Rule("WR-22")
    void requestsInOtherSlotsKeepTheirOwnInlineData() {
        Memory memory = Memory.allocate(8);
        int requests = QpCapabilities.USUAL.maxSendWr();
        left.qp.modify(new QpAttributes().state(QpState.SQD));
        for (int id = 0; id < requests; id++) {
            memory.buffer().putLong(0, 1000 + id);
            left.qp.postSend(
                    SendWorkRequest.write(id, right.address(8 * id), right.rkey(), new Sge(memory.address(), 8, 0))
                            .plus(SendFlags.INLINE));
        }
        left.qp.modify(new QpAttributes().state(QpState.RTS));
        for (int id = 0; id < requests; id++) {
            assertThat(left.sent()).isSuccess().hasId(id);
            assertThat(right.bytes().getLong(8 * id)).isEqualTo(1000 + id);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64})
    @Rule("WR-22")
    void inlineDataUpToTheGrantedLengthIsTaken(int count) {
        Memory memory = pattern(MOST);
        right.qp.postRecv(ReceiveWorkRequest.of(3, right.sge(128, MOST)));
        left.qp.postSend(inlineWrite(1, new Sge(memory.address(), count, 0)));
        left.qp.postSend(SendWorkRequest.sendWithImmediate(2, 7, new Sge(memory.address(), count, 0))
                .plus(SendFlags.INLINE));
        assertThat(left.sent()).isSuccess().hasId(1);
        assertThat(left.sent()).isSuccess().hasId(2);
        assertThat(right.received()).isSuccess().hasByteLength(count);
        assertThat(arrived(0, MOST + 1)).endsWith(new byte[MOST + 1 - count]);
    }

    @Test
    @Rule("WR-22")
    void moreInlineDataThanGrantedIsRefused() {
        Memory memory = pattern(2 * MOST);
        long base = memory.address();
        assertRefused(
                Errno.EINVAL,
                "WR-22",
                () -> left.qp.postSend(inlineWrite(1, new Sge(base, MOST + 1, 0))),
                "inline length=65 > max_inline_data=64");
        assertRefused(
                Errno.EINVAL,
                "WR-22",
                () -> left.qp.postSend(inlineWrite(1, new Sge(base, MOST, 0), new Sge(base + MOST, 1, 0))));
        assertRefused(Errno.EINVAL, "WR-17", () -> left.qp.postSend(inlineWrite(1, new Sge(base, -1, 0))));
        assertThat(left.sendCq.poll(9)).isEmpty();
    }

    @Test
    @Rule("WR-22")
    void inlineOnRequestsWithoutDataToSendIsRefused() {
        for (SendWorkRequest request : List.of(
                SendWorkRequest.read(1, right.address(0), right.rkey(), left.sge(0, 8)),
                SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, left.sge(0, 8)),
                SendWorkRequest.compareAndSwap(1, right.address(0), right.rkey(), 1, 2, left.sge(0, 8)))) {
            assertRefused(
                    Errno.EINVAL,
                    "WR-22",
                    () -> left.qp.postSend(request.plus(SendFlags.INLINE)),
                    request.opcode().name());
        }
    }

    @Test
    @Rule("WR-22")
    void inlineDataThatIsNowhereIsRefusedAndLeavesTheQueueAsItWas() {
        long nowhere = 0x10;
        int bad = assertRefused(
                        Errno.EFAULT,
                        "WR-22",
                        () -> left.qp.postSend(
                                List.of(inlineWrite(1, left.sge(0, 8)), inlineWrite(2, new Sge(nowhere, 8, 0)))),
                        "0x10")
                .badRequest();
        assertThat(bad).isEqualTo(1);
        assertThat(left.sent()).isSuccess().hasId(1);
        Memory memory = pattern(8);
        assertRefused(
                Errno.EFAULT, "WR-22", () -> left.qp.postSend(inlineWrite(3, new Sge(memory.address() + 1, 8, 0))));
        left.qp.postSend(inlineWrite(4, new Sge(memory.address(), 8, 0)));
        assertThat(left.sent()).isSuccess().hasId(4);
    }

    @Test
    @Rule("WR-22")
    void inlineDataOfAWrappedBufferIsFoundAsLongAsOneWrappingLives() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8);
        Memory first = Memory.of(buffer);
        Memory second = Memory.of(buffer);
        assertThat(second).isSameAs(first);
        buffer.put(0, (byte) 42);
        left.qp.postSend(inlineWrite(1, new Sge(first.address(), 8, 0)));
        assertThat(left.sent()).isSuccess();
        assertThat(right.bytes().get(0)).isEqualTo((byte) 42);
    }
}
