// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Nothing where something is to be posted: a refusal like others, which says which it is, and changes nothing. */
class NullPostTest {

    @AutoClose
    private final RcPair pair = RcPair.inProcess();

    @Test
    @Rule("WR-10")
    void sendsThatAreNullAreRefused() {
        assertRefused(Errno.EINVAL, "WR-10", () -> pair.left.qp.postSend((SendWorkRequest) null), "null");
        assertRefused(Errno.EINVAL, "WR-10", () -> pair.left.qp.postSend((List<SendWorkRequest>) null), "chain");
        assertRefused(
                Errno.EINVAL, "WR-10", () -> pair.left.qp.postSend(SendWorkRequest.send(1, (Sge) null)), "element");
        List<SendWorkRequest> chain = Arrays.asList(
                SendWorkRequest.write(7, pair.right.address(0), pair.right.rkey(), pair.left.sge(0, 8)), null);
        assertBad(1, () -> pair.left.qp.postSend(chain));
        assertThat(pair.left.sent().id()).isEqualTo(7);
    }

    @Test
    @Rule("WR-10")
    void receivesThatAreNullAreRefused() {
        assertRefused(Errno.EINVAL, "WR-10", () -> pair.left.qp.postRecv((ReceiveWorkRequest) null), "null");
        assertRefused(Errno.EINVAL, "WR-10", () -> pair.left.qp.postRecv((List<ReceiveWorkRequest>) null), "chain");
        assertRefused(
                Errno.EINVAL, "WR-10", () -> pair.left.qp.postRecv(ReceiveWorkRequest.of(1, (Sge) null)), "element");
        assertBad(1, () -> pair.left.qp.postRecv(Arrays.asList(ReceiveWorkRequest.of(1), null)));
    }

    @Test
    @Rule("WR-10")
    void sharedReceivesThatAreNullAreRefused() {
        SharedReceiveQueue srq = pair.left.pd.createSrq(SrqInitAttributes.basic(4));
        assertRefused(Errno.EINVAL, "WR-10", () -> srq.postRecv((ReceiveWorkRequest) null), "null");
        assertRefused(Errno.EINVAL, "WR-10", () -> srq.postRecv((List<ReceiveWorkRequest>) null), "chain");
        assertRefused(Errno.EINVAL, "WR-10", () -> srq.postRecv(ReceiveWorkRequest.of(1, (Sge) null)), "element");
        assertBad(1, () -> srq.postRecv(Arrays.asList(ReceiveWorkRequest.of(1), null)));
    }

    @Test
    @Rule({"WR-10", "MW-58"})
    void bindsThatAreNullAreRefused() {
        MemoryWindow window = pair.left.pd.allocateWindow(MemoryWindowType.TYPE_1);
        assertRefused(Errno.EINVAL, "WR-10", () -> pair.left.qp.bindWindow(window, null), "null");
        assertRefused(
                Errno.EINVAL,
                "MW-58",
                () -> pair.left.qp.bindWindow(null, new WindowBind(1, 0, BindInfo.NOTHING)),
                "null");
    }

    private static void assertBad(int index, ThrowingCallable post) {
        VerbsException refused = catchThrowableOfType(VerbsException.class, post);
        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
        assertThat(refused.badRequest()).isEqualTo(index);
    }
}
