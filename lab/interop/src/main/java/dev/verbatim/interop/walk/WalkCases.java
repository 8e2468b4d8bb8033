// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.walk;

import static dev.verbatim.interop.walk.WalkSides.ALL;
import static dev.verbatim.interop.walk.WalkSides.ALL_REMOTE;
import static dev.verbatim.interop.walk.WalkSides.QUEUE_KEY;
import static dev.verbatim.interop.walk.WalkSides.require;
import static dev.verbatim.interop.walk.WalkSides.requireEqual;

import dev.verbatim.interop.walk.WalkNode.Done;
import dev.verbatim.interop.walk.WalkNode.Pair;
import dev.verbatim.interop.walk.WalkNode.Region;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** All cases. */
final class WalkCases {

    private static final int MESSAGE = 3000;
    private static final int IMMEDIATE = 0x0102_0304;
    private static final int WINDOW = 1024;
    private static final int BEYOND = 4096;

    private WalkCases() {}

    static List<WalkCase> all() {
        return List.of(
                WalkCase.of("send", sides -> send(sides, QpType.RC)),
                WalkCase.of("send-imm", WalkCases::sendImmediate),
                WalkCase.of("write", sides -> write(sides.connect(QpType.RC))),
                WalkCase.of("write-imm", WalkCases::writeImmediate),
                WalkCase.of("read", WalkCases::read),
                WalkCase.of("compare-and-swap", sides -> atomic(sides, true)),
                WalkCase.of("fetch-and-add", sides -> atomic(sides, false)),
                WalkCase.of("zero-length-write-any-key", WalkCases::zeroLength),
                WalkCase.of("srq", WalkCases::sharedReceive),
                WalkCase.of("uc-send", sides -> send(sides, QpType.UC)),
                WalkCase.of("uc-write", WalkCases::unreliableWrite),
                WalkCase.of("ud-send", WalkCases::datagram),
                WalkCase.of("window-1-write", sides -> throughWindow(sides, 1)),
                WalkCase.of("window-2-write", sides -> throughWindow(sides, 2)),
                WalkCase.of("window-1-read", WalkCases::readWindow),
                WalkCase.of("send-with-inv", sides -> sendWithInvalidate(sides, false)),
                WalkCase.failing(
                        "write-after-send-with-inv", WcStatus.REM_ACCESS_ERR, sides -> sendWithInvalidate(sides, true)),
                WalkCase.failing("write-after-local-inv", WcStatus.REM_ACCESS_ERR, WalkCases::localInvalidate),
                WalkCase.failing("window-2-of-another-qp", WcStatus.REM_ACCESS_ERR, WalkCases::foreignWindow),
                WalkCase.failing("window-without-the-right", WcStatus.REM_ACCESS_ERR, WalkCases::windowWithoutRight),
                WalkCase.failing("window-bounds", WcStatus.REM_ACCESS_ERR, WalkCases::windowBounds)
                        .rxe(WcStatus.SUCCESS),
                WalkCase.failing("write-wrong-key", WcStatus.REM_ACCESS_ERR, WalkCases::wrongKey),
                WalkCase.failing("write-out-of-range", WcStatus.REM_ACCESS_ERR, WalkCases::outOfRange),
                WalkCase.failing("write-after-dereg", WcStatus.REM_ACCESS_ERR, WalkCases::deregistered),
                WalkCase.failing(
                        "write-without-the-right",
                        WcStatus.REM_ACCESS_ERR,
                        sides -> without(sides, AccessFlags.REMOTE_READ)),
                WalkCase.failing(
                        "write-without-the-right-of-the-qp", WcStatus.REM_INV_REQ_ERR, WalkCases::withoutRightOfQp),
                WalkCase.failing("atomic-misaligned", WcStatus.REM_INV_REQ_ERR, WalkCases::misaligned)
                        .notByRxe("rdma-core does not post it to soft-RoCE: EINVAL"),
                WalkCase.failing("receive-too-small", WcStatus.REM_INV_REQ_ERR, WalkCases::tooSmall)
                        .rxe(WcStatus.REM_OP_ERR),
                WalkCase.failing("no-receive", WcStatus.RNR_RETRY_EXC_ERR, WalkCases::notReady),
                WalkCase.failing("peer-is-gone", WcStatus.RETRY_EXC_ERR, WalkCases::gone),
                WalkCase.failing("send-with-inv-unbound", WcStatus.RETRY_EXC_ERR, WalkCases::invalidateUnbound)
                        .notToRxe("the kernel of Linux 6.1 crashes: null pointer in rxe_invalidate_mw"));
    }

    private static Sge own(WalkSides sides, int length) {
        return sides.own.sge(0, length);
    }

    private static WcStatus send(WalkSides sides, QpType type) {
        sides.connect(type);
        sides.postReceive(MESSAGE);
        WcStatus status = sides.execute(SendWorkRequest.send(0, own(sides, MESSAGE)));
        require(sides.receive().lengthBytes() == MESSAGE, "the receive has another length");
        sides.requireArrived(0, MESSAGE);
        return status;
    }

    private static WcStatus sendImmediate(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.postReceive(MESSAGE);
        WcStatus status = sides.execute(SendWorkRequest.sendWithImmediate(0, IMMEDIATE, own(sides, MESSAGE)));
        require(sides.receive().immediateOrKey() == IMMEDIATE, "the immediate data are others");
        sides.requireArrived(0, MESSAGE);
        return status;
    }

    private static SendWorkRequest writeTo(WalkSides sides, int offset, int length, int rkey) {
        return SendWorkRequest.write(0, sides.far.address() + offset, rkey, own(sides, length));
    }

    private static WcStatus write(WalkSides sides) {
        WcStatus status = sides.execute(writeTo(sides, 1, MESSAGE, sides.far.rkey()));
        sides.requireArrived(1, MESSAGE);
        return status;
    }

    private static WcStatus writeImmediate(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.postReceive(1);
        WcStatus status = sides.execute(SendWorkRequest.writeWithImmediate(
                0, sides.far.address(), sides.far.rkey(), IMMEDIATE, own(sides, MESSAGE)));
        Done done = sides.receive();
        require(done.immediateOrKey() == IMMEDIATE, "the immediate data are others");
        require(done.lengthBytes() == MESSAGE, "the receive has another length");
        sides.requireArrived(0, MESSAGE);
        return status;
    }

    private static WcStatus read(WalkSides sides) {
        sides.connect(QpType.RC);
        byte[] source = WalkNode.pattern(MESSAGE + 1, 1);
        sides.responder.store(sides.far, 0, source);
        WcStatus status = sides.execute(
                SendWorkRequest.read(0, sides.far.address(), sides.far.rkey(), sides.own.sge(BEYOND, MESSAGE)));
        requireEqual(sides.requester.load(sides.own, BEYOND, MESSAGE), WalkNode.pattern(MESSAGE, 1), "what was read");
        return status;
    }

    private static WcStatus atomic(WalkSides sides, boolean swaps) {
        sides.connect(QpType.RC);
        sides.responder.store(sides.far, 0, word(5));
        SendWorkRequest request = swaps
                ? SendWorkRequest.compareAndSwap(
                        0, sides.far.address(), sides.far.rkey(), 5, 9, sides.own.sge(0, Long.BYTES))
                : SendWorkRequest.fetchAndAdd(
                        0, sides.far.address(), sides.far.rkey(), 4, sides.own.sge(0, Long.BYTES));
        WcStatus status = sides.execute(request);
        requireEqual(sides.requester.load(sides.own, 0, Long.BYTES), word(5), "the prior value");
        requireEqual(sides.responder.load(sides.far, 0, Long.BYTES), word(9), "the new value");
        return status;
    }

    /** Both machines are little-endian. */
    private static byte[] word(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private static WcStatus zeroLength(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(SendWorkRequest.write(0, 0, 1, own(sides, 0)));
    }

    private static WcStatus sharedReceive(WalkSides sides) {
        sides.responder.createSrq();
        sides.connect(QpType.RC, ALL_REMOTE, 7, true);
        sides.responder.postReceive(sides.remote, 0, sides.far.sge(0, MESSAGE), true);
        WcStatus status = sides.execute(SendWorkRequest.send(0, own(sides, MESSAGE)));
        require(sides.receive().lengthBytes() == MESSAGE, "the receive has another length");
        sides.requireArrived(0, MESSAGE);
        return status;
    }

    /** A SEND behind it says that the WRITE has arrived. */
    private static WcStatus unreliableWrite(WalkSides sides) {
        sides.connect(QpType.UC);
        sides.responder.postReceive(sides.remote, 0, sides.far.sge(BEYOND, 1), false);
        WcStatus status = sides.execute(writeTo(sides, 1, MESSAGE, sides.far.rkey()));
        sides.execute(SendWorkRequest.send(0, own(sides, 1)));
        sides.receive();
        sides.requireArrived(1, MESSAGE);
        return status;
    }

    private static WcStatus datagram(WalkSides sides) {
        sides.connect(QpType.UD);
        sides.postReceive(Grh.BYTES + WINDOW);
        sides.responder.settle();
        sides.requester.postDatagram(
                sides.near,
                SendWorkRequest.send(0, own(sides, WINDOW)),
                sides.responder.gid(),
                sides.remote.qpNumber(),
                QUEUE_KEY);
        WcStatus status = sides.awaitSend();
        require(sides.receive().lengthBytes() == Grh.BYTES + WINDOW, "the receive has another length");
        sides.requireArrived(Grh.BYTES, WINDOW);
        return status;
    }

    private static WcStatus throughWindow(WalkSides sides, int type) {
        sides.connect(QpType.RC);
        int key = sides.bind(type, WINDOW, WINDOW, AccessFlags.REMOTE_WRITE);
        WcStatus status = sides.execute(writeTo(sides, WINDOW, WINDOW, key));
        sides.requireArrived(WINDOW, WINDOW);
        unbind(sides, type, key);
        return status;
    }

    /** A queue pair of soft-RoCE that has a bound window of type 2 takes 50 s to be destroyed. */
    private static void unbind(WalkSides sides, int type, int key) {
        if (type == 2) {
            sides.executeAtResponder(SendWorkRequest.localInvalidate(0, key));
        }
    }

    private static WcStatus readWindow(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.responder.store(sides.far, WINDOW, WalkNode.pattern(WINDOW, 1));
        int key = sides.bind(1, WINDOW, WINDOW, AccessFlags.REMOTE_READ);
        WcStatus status = sides.execute(
                SendWorkRequest.read(0, sides.far.address() + WINDOW, key, sides.own.sge(BEYOND, WINDOW)));
        requireEqual(sides.requester.load(sides.own, BEYOND, WINDOW), WalkNode.pattern(WINDOW, 1), "what was read");
        return status;
    }

    private static WcStatus sendWithInvalidate(WalkSides sides, boolean writes) {
        sides.connect(QpType.RC);
        int key = sides.bind(2, 0, WINDOW, AccessFlags.REMOTE_WRITE);
        sides.postReceive(MESSAGE);
        WcStatus status = sides.execute(SendWorkRequest.sendWithInvalidate(0, key, own(sides, MESSAGE)));
        require(sides.receive().immediateOrKey() == key, "the receive names another key");
        return writes ? sides.execute(writeTo(sides, 0, 1, key)) : status;
    }

    private static WcStatus localInvalidate(WalkSides sides) {
        sides.connect(QpType.RC);
        int key = sides.bind(2, 0, WINDOW, AccessFlags.REMOTE_WRITE);
        sides.executeAtResponder(SendWorkRequest.localInvalidate(0, key));
        return sides.execute(writeTo(sides, 0, 1, key));
    }

    /** Bound by one queue pair of the responder, and used by the peer of another. */
    private static WcStatus foreignWindow(WalkSides sides) {
        sides.connect(QpType.RC);
        Pair binder = sides.remote;
        int key = sides.bind(2, 0, WINDOW, AccessFlags.REMOTE_WRITE);
        sides.connect(QpType.RC);
        WcStatus status = sides.execute(writeTo(sides, 0, 1, key));
        sides.remote = binder;
        unbind(sides, 2, key);
        return status;
    }

    private static WcStatus windowWithoutRight(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(writeTo(sides, 0, 1, sides.bind(1, 0, WINDOW, AccessFlags.REMOTE_READ)));
    }

    private static WcStatus windowBounds(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(writeTo(sides, 0, WINDOW + 1, sides.bind(1, 0, WINDOW, AccessFlags.REMOTE_WRITE)));
    }

    private static WcStatus wrongKey(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(writeTo(sides, 0, 1, sides.far.rkey() ^ 0x55));
    }

    private static WcStatus outOfRange(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(writeTo(sides, WalkSides.MEMORY_BYTES - 1, 2, sides.far.rkey()));
    }

    private static WcStatus deregistered(WalkSides sides) {
        sides.connect(QpType.RC);
        Region other = sides.responder.register(WINDOW, ALL);
        sides.responder.deregister(other);
        return sides.execute(SendWorkRequest.write(0, other.address(), other.rkey(), own(sides, 1)));
    }

    private static WcStatus without(WalkSides sides, int right) {
        sides.connect(QpType.RC);
        Region other = sides.responder.register(WINDOW, right);
        return sides.execute(SendWorkRequest.write(0, other.address(), other.rkey(), own(sides, 1)));
    }

    private static WcStatus withoutRightOfQp(WalkSides sides) {
        sides.connect(QpType.RC, AccessFlags.REMOTE_READ, 7, false);
        return sides.execute(writeTo(sides, 0, 1, sides.far.rkey()));
    }

    private static WcStatus misaligned(WalkSides sides) {
        sides.connect(QpType.RC);
        return sides.execute(SendWorkRequest.fetchAndAdd(
                0, sides.far.address() + 1, sides.far.rkey(), 1, sides.own.sge(0, Long.BYTES)));
    }

    private static WcStatus tooSmall(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.postReceive(MESSAGE - 1);
        return sides.execute(SendWorkRequest.send(0, own(sides, MESSAGE)));
    }

    private static WcStatus notReady(WalkSides sides) {
        sides.connect(QpType.RC, ALL_REMOTE, 1, false);
        return sides.execute(SendWorkRequest.send(0, own(sides, 1)));
    }

    private static WcStatus gone(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.responder.closeQp(sides.remote);
        return sides.execute(writeTo(sides, 0, 1, sides.far.rkey()));
    }

    /** The responder fails without an answer (MW-85). */
    private static WcStatus invalidateUnbound(WalkSides sides) {
        sides.connect(QpType.RC);
        sides.postReceive(1);
        int key = sides.bind(2, 0, WINDOW, AccessFlags.REMOTE_WRITE);
        sides.executeAtResponder(SendWorkRequest.localInvalidate(0, key));
        return sides.execute(SendWorkRequest.sendWithInvalidate(0, key, own(sides, 1)));
    }
}
