// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.RcConnection;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.testing.Rule;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.ReregistrationException;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WorkCompletion;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases as they were measured of soft-RoCE 6.1, one by one: what RXE_LIKE answers is that, and the strict device has its own. */
class MeasuredRxeTest {

    private static final int RIGHTS = AccessFlags.REMOTE_WRITE;

    /** A case: what was measured, what the rules have, and how it is asked. */
    enum Measured {
        TYPE_2_BINDING_OVER_RESET("SUCCESS", "REM_ACCESS_ERR", MeasuredRxeTest::overReset),
        REGION_OF_NO_BYTES("EINVAL", "made", MeasuredRxeTest::noBytes),
        REREG_MR_CHANGE_ACCESS("-4 EOPNOTSUPP", "made", MeasuredRxeTest::changeOfAccess),
        FLAGS_OF_A_RECEIVE_OVER_RC("1 byte_len=8", "0 byte_len=8", bench -> {
            WorkCompletion received = received(bench);
            return received.flags() + " byte_len=" + received.byteLength();
        }),
        FLAGS_OF_A_RECEIVE_WITH_IMM_OVER_RC("3", "2", bench -> {
            bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(1));
            bench.pair.left.qp.postSend(SendWorkRequest.sendWithImmediate(2, 7));
            return String.valueOf(bench.pair.right.received().flags());
        }),
        BYTE_LEN_OF_A_SEND("8", "0", bench -> {
            WorkCompletion unused = received(bench);
            return String.valueOf(bench.pair.left.sent().byteLength());
        }),
        BYTE_LEN_OF_A_WRITE("16", "0", bench -> {
            Side right = bench.pair.right;
            bench.pair.left.qp.postSend(
                    SendWorkRequest.write(1, right.address(0), right.rkey(), bench.pair.left.sge(0, 16)));
            return String.valueOf(bench.pair.left.sent().byteLength());
        }),
        BYTE_LEN_OF_A_LONG_ATOMIC("SUCCESS 16", "LOC_LEN_ERR 0", bench -> {
            Side right = bench.pair.right;
            bench.pair.left.qp.postSend(
                    SendWorkRequest.fetchAndAdd(1, right.address(0), right.rkey(), 1, bench.pair.left.sge(0, 16)));
            WorkCompletion done = bench.pair.left.sent();
            return done.status() + " " + done.byteLength();
        }),
        MW_BIND_OF_A_TYPE_1_WINDOW("SUCCESS", "MW_BIND_ERR", bench -> {
            BindInfo info = BindInfo.of(bench.region(), RIGHTS | AccessFlags.MW_BIND);
            bench.pair.right.qp.bindWindow(bench.window(MemoryWindowType.TYPE_1), WindowBind.signaled(1, info));
            return bench.pair.right.sent().status().name();
        }),
        MW_BIND_OF_A_TYPE_2_WINDOW("SUCCESS", "MW_BIND_ERR", bench -> {
            BindInfo info = BindInfo.of(bench.region(), RIGHTS | AccessFlags.MW_BIND);
            bench.pair.right.qp.postSend(
                    SendWorkRequest.bindWindow(1, bench.window(MemoryWindowType.TYPE_2), 0x41, info));
            return bench.pair.right.sent().status().name();
        }),
        SQD_WITHOUT_THE_NOTIFY_FLAG("SQ_DRAINED", "no event", bench -> {
            bench.pair.right.qp.modify(new QpAttributes().state(QpState.SQD));
            return event(bench);
        }),
        ON_DEMAND_REGION("EINVAL", "EOPNOTSUPP", bench -> refusal(() -> bench.region(AccessFlags.ON_DEMAND))),
        READ_WITH_INLINE("LOC_PROT_ERR", "EINVAL", MeasuredRxeTest::inlineRead),
        NO_ELEMENT_AND_NO_INLINE_ROOM("0 0", "0 0", bench -> sendRoom(bench, 0, 0)),
        ONE_ELEMENT("1 16", "1 0", bench -> sendRoom(bench, 1, 0)),
        THREE_ELEMENTS("3 48", "3 0", bench -> sendRoom(bench, 3, 0)),
        MOST_ELEMENTS("32 512", "32 0", bench -> sendRoom(bench, 32, 0)),
        INLINE_ROOM_SMALLER_THAN_AN_ELEMENT("1 16", "1 1", bench -> sendRoom(bench, 1, 1)),
        INLINE_ROOM_OF_A_LITTLE_MORE("1 31", "1 31", bench -> sendRoom(bench, 1, 31)),
        INLINE_ROOM_OF_TWO_ELEMENTS("2 36", "1 36", bench -> sendRoom(bench, 1, 36)),
        INLINE_ROOM_OF_FOUR_ELEMENTS("4 64", "2 64", bench -> sendRoom(bench, 2, 64)),
        MORE_ELEMENTS_THAN_INLINE_ROOM("8 128", "8 64", bench -> sendRoom(bench, 8, 64)),
        MOST_INLINE_ROOM("32 512", "1 512", bench -> sendRoom(bench, 1, 512)),
        MORE_THAN_MOST_INLINE_ROOM("EINVAL", "made", bench -> refusal(() -> sendRoom(bench, 1, 513))),
        XRC_SEND_QUEUE_PAIR("EOPNOTSUPP", "made", bench -> {
            Side side = bench.pair.right;
            return refusal(() -> side.pd.createQp(QpInitAttributes.xrcSend(side.sendCq, QpCapabilities.USUAL)));
        }),
        XRC_DOMAIN("EOPNOTSUPP", "made", bench -> refusal(bench.pair.right.device::openXrcDomain)),
        VENDOR_ERR_OF_A_FAILURE("REM_ACCESS_ERR 0", "REM_ACCESS_ERR 10", bench -> {
            Side left = bench.pair.left;
            left.qp.postSend(SendWorkRequest.write(1, bench.pair.right.address(0), 0x77, left.sge(0, 8)));
            WorkCompletion failed = left.sent();
            return failed.status() + " " + failed.vendorError();
        }),
        VENDOR_ERR_OF_A_FLUSH("WR_FLUSH_ERR 0", "WR_FLUSH_ERR 5", bench -> {
            bench.pair.right.qp.modify(new QpAttributes().state(QpState.ERR));
            bench.pair.right.qp.postSend(SendWorkRequest.send(1));
            WorkCompletion flushed = bench.pair.right.sent();
            return flushed.status() + " " + flushed.vendorError();
        }),
        DEREG_MR_UNDER_A_WINDOW("EINVAL", "EBUSY", bench -> {
            MemoryRegion region = bench.region();
            bench.bind(bench.window(MemoryWindowType.TYPE_2), 0x41, BindInfo.of(region, RIGHTS));
            return refusal(region::close);
        }),
        CREATE_CQ_4(
                "7",
                "4",
                bench -> String.valueOf(bench.pair.right.device.createCq(4).entries())),
        MAX_SEND_WR_16("31", "16", bench -> {
            Side side = bench.pair.right;
            QpCapabilities asked = new QpCapabilities(16, 16, 1, 1, 0);
            return String.valueOf(side.pd
                    .createQp(QpInitAttributes.rc(side.sendCq, side.recvCq, asked))
                    .initAttributes()
                    .capabilities()
                    .maxSendWr());
        });

        private final String onSoftRoce;
        private final String byTheRules;
        private final Function<WindowBench, String> question;

        Measured(String onSoftRoce, String byTheRules, Function<WindowBench, String> question) {
            this.onSoftRoce = onSoftRoce;
            this.byTheRules = byTheRules;
            this.question = question;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule({
        "MW-94", "MR-30", "MR-63", "WC-02", "MW-43", "QP-26", "MR-05", "WR-22", "QP-02", "QP-04", "XRC-01", "WC-01",
        "MR-50", "CQ-01"
    })
    void presetAnswersAsMeasuredAndTheStrictDeviceAsTheRulesHaveIt(Measured measured) {
        try (WindowBench rxe = WindowBench.of(DeviceProfile.RXE_LIKE);
                WindowBench strict = WindowBench.strict()) {
            assertThat(measured.question.apply(rxe)).as("RXE_LIKE").isEqualTo(measured.onSoftRoce);
            assertThat(measured.question.apply(strict)).as("STRICT_IBTA").isEqualTo(measured.byTheRules);
        }
    }

    /** The errno of a refusal; "made" if there is none. */
    private static String refusal(Runnable verb) {
        try {
            verb.run();
            return "made";
        } catch (VerbsException refused) {
            return refused.errno().name();
        }
    }

    private static String event(WindowBench bench) {
        AsyncEvent event = bench.pair.right.device.pollAsyncEvent();
        if (event == null) {
            return "no event";
        }
        event.acknowledge();
        return event.type().name();
    }

    private static String overReset(WindowBench bench) {
        MemoryRegion region = bench.region();
        MemoryWindow window = bench.window(MemoryWindowType.TYPE_2);
        int key = bench.bind(window, 0x41, BindInfo.of(region, RIGHTS));
        bench.pair.left.qp.modify(new QpAttributes().state(QpState.RESET));
        bench.pair.right.qp.modify(new QpAttributes().state(QpState.RESET));
        RcConnection.USUAL.join(bench.pair.left.qp, bench.pair.right.qp);
        return bench.write(region.address(), key, 8).name();
    }

    private static String noBytes(WindowBench bench) {
        return refusal(() -> bench.pair.right.pd.register(bench.memory, 0, 0, 0));
    }

    private static String changeOfAccess(WindowBench bench) {
        MemoryRegion region = bench.region();
        try {
            region.reregister(AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
            return "made";
        } catch (ReregistrationException refused) {
            return refused.error().number() + " " + refused.errno();
        }
    }

    private static WorkCompletion received(WindowBench bench) {
        bench.pair.right.qp.postRecv(ReceiveWorkRequest.of(1, bench.pair.right.sge(0, 64)));
        bench.pair.left.qp.postSend(SendWorkRequest.send(2, bench.pair.left.sge(0, 8)));
        WorkCompletion received = bench.pair.right.received();
        assertThat(received.has(WcFlags.WITH_IMM)).isFalse();
        return received;
    }

    private static String sendRoom(WindowBench bench, int elements, int inlineBytes) {
        Side side = bench.pair.right;
        QpCapabilities granted = side.pd
                .createQp(QpInitAttributes.rc(
                        side.sendCq, side.recvCq, new QpCapabilities(16, 16, elements, 2, inlineBytes)))
                .initAttributes()
                .capabilities();
        return granted.maxSendSge() + " " + granted.maxInlineDataBytes();
    }

    private static String inlineRead(WindowBench bench) {
        Side left = bench.pair.left;
        SendWorkRequest read =
                SendWorkRequest.read(1, bench.pair.right.address(0), bench.pair.right.rkey(), left.sge(0, 8));
        bench.pair.right.bytes().putLong(0, 42);
        String outcome = refusal(() -> left.qp.postSend(read.plus(SendFlags.INLINE)));
        String end = outcome.equals("made") ? left.sent().status().name() : outcome;
        assertThat(left.bytes().getLong(0)).isZero();
        return end;
    }
}
