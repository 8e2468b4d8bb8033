// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device;

import static dev.verbatim.testing.Outcomes.assertRefused;
import static dev.verbatim.testing.Outcomes.asserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbatim.Verbatim;
import dev.verbatim.testing.RecordingTap;
import dev.verbatim.testing.Rule;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.XrcDomain;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is used by something cannot go, and stays as it is; when its users have gone it can, once (section A.1). */
class ReferenceRulesTest {

    /** Things of one device, made when they are first asked for. */
    private static final class Bench implements AutoCloseable {

        private final Verbatim rdma = Verbatim.inProcess().tap(new RecordingTap());
        final Device device = rdma.open("device");
        final ProtectionDomain pd = device.allocatePd();
        final CompletionChannel channel = device.createCompletionChannel();
        final CompletionQueue cq = device.createCq(4);
        final CompletionQueue otherCq = device.createCq(4);
        final SharedReceiveQueue srq = pd.createSrq(SrqInitAttributes.basic(4));
        final XrcDomain xrcDomain = device.openXrcDomain();

        AutoCloseable queuePair(CompletionQueue sendCq, CompletionQueue recvCq) {
            return pd.createQp(QpInitAttributes.rc(sendCq, recvCq, QpCapabilities.USUAL));
        }

        @Override
        public void close() {
            rdma.close();
        }
    }

    /** Something that is used, by what, and the rule that keeps it. */
    private record Use(
            String name, String rule, Function<Bench, AutoCloseable> used, Function<Bench, AutoCloseable> user) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Use> uses() {
        return Stream.of(
                // A domain of its own: that of the bench has the bench's shared queue.
                ofDomain("region", pd -> pd.register(Memory.allocate(8), 0)),
                ofDomain("window of type 1", pd -> pd.allocateWindow(MemoryWindowType.TYPE_1)),
                ofDomain("window of type 2", pd -> pd.allocateWindow(MemoryWindowType.TYPE_2)),
                ofDomain(
                        "address handle",
                        pd -> pd.createAddressHandle(
                                AddressVector.to(pd.device().gid()))),
                ofDomain("shared receive queue", pd -> pd.createSrq(SrqInitAttributes.basic(4))),
                ofDomain(
                        "queue pair",
                        pd -> pd.createQp(QpInitAttributes.rc(pd.device().createCq(4)))),
                new Use("send queue of a queue pair", "PD-04", it -> it.cq, it -> it.queuePair(it.cq, it.otherCq)),
                new Use("receive queue of a queue pair", "PD-04", it -> it.cq, it -> it.queuePair(it.otherCq, it.cq)),
                new Use("both queues of a queue pair", "PD-04", it -> it.cq, it -> it.queuePair(it.cq, it.cq)),
                new Use(
                        "XRC queue's completions",
                        "PD-04",
                        it -> it.cq,
                        it -> it.pd.createSrq(SrqInitAttributes.xrc(4, it.xrcDomain, it.cq))),
                new Use(
                        "queue pair of a shared receive queue",
                        "PD-05",
                        it -> it.srq,
                        it -> it.pd.createQp(QpInitAttributes.rc(it.cq).withSrq(it.srq))),
                new Use(
                        "completion queue of a channel",
                        "PD-05",
                        it -> it.channel,
                        it -> it.device.createCq(4, null, it.channel, 0)),
                new Use(
                        "queue pair of an XRC domain",
                        "XRC-01",
                        it -> it.xrcDomain,
                        it -> it.xrcDomain.createQp(QpInitAttributes.xrcReceive())),
                new Use(
                        "shared receive queue of an XRC domain",
                        "XRC-01",
                        it -> it.xrcDomain,
                        it -> it.pd.createSrq(SrqInitAttributes.xrc(4, it.xrcDomain, it.cq))));
    }

    private static Use ofDomain(String name, Function<ProtectionDomain, AutoCloseable> user) {
        ProtectionDomain[] own = new ProtectionDomain[1];
        return new Use(
                name,
                "PD-01",
                it -> {
                    own[0] = it.device.allocatePd();
                    return own[0];
                },
                it -> user.apply(own[0]));
    }

    private static void close(AutoCloseable thing) {
        try {
            thing.close();
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("uses")
    @Rule({"PD-01", "PD-03", "PD-04", "PD-05", "XRC-01"})
    void whatIsUsedStaysUntilItsLastUserGoesAndGoesOnce(Use use) {
        try (Bench bench = new Bench()) {
            AutoCloseable used = use.used().apply(bench);
            AutoCloseable first = use.user().apply(bench);
            assertRefused(Errno.EBUSY, use.rule(), () -> close(used));
            AutoCloseable second = use.user().apply(bench);
            close(first);
            assertRefused(Errno.EBUSY, use.rule(), () -> close(used));
            assertGoneForGood(first);
            assertRefused(Errno.EBUSY, use.rule(), () -> close(used));
            close(second);
            close(used);
            assertGoneForGood(used);
            asserted();
        }
    }

    private static void assertGoneForGood(AutoCloseable gone) {
        VerbsException refused = catchThrowableOfType(VerbsException.class, () -> close(gone));
        assertThat(refused).as("a second end of %s", gone).isNotNull();
        assertThat(refused.errno()).isIn(Errno.ENOENT, Errno.EINVAL);
    }
}
