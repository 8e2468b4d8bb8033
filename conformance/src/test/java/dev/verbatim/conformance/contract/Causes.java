// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.contract;

import static dev.verbatim.conformance.contract.Cause.CONNECTION;
import static dev.verbatim.conformance.contract.Cause.row;
import static dev.verbatim.verbs.EventType.QP_ACCESS_ERR;
import static dev.verbatim.verbs.QpState.ERR;
import static dev.verbatim.verbs.QpState.INIT;
import static dev.verbatim.verbs.QpState.RESET;
import static dev.verbatim.verbs.QpState.RTS;
import static dev.verbatim.verbs.WcStatus.LOC_ACCESS_ERR;
import static dev.verbatim.verbs.WcStatus.LOC_LEN_ERR;
import static dev.verbatim.verbs.WcStatus.LOC_PROT_ERR;
import static dev.verbatim.verbs.WcStatus.LOC_QP_OP_ERR;
import static dev.verbatim.verbs.WcStatus.MW_BIND_ERR;
import static dev.verbatim.verbs.WcStatus.REM_ACCESS_ERR;
import static dev.verbatim.verbs.WcStatus.REM_INV_REQ_ERR;
import static dev.verbatim.verbs.WcStatus.REM_OP_ERR;
import static dev.verbatim.verbs.WcStatus.RETRY_EXC_ERR;
import static dev.verbatim.verbs.WcStatus.RNR_RETRY_EXC_ERR;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.testing.RcPair;
import dev.verbatim.testing.Side;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import java.util.stream.Stream;

/** The rows of G.2 that an RC program can bring about by itself. */
final class Causes {

    static final int NO_KEY = 0x77;

    private static final int PATH_MTU_BYTES = CONNECTION.pathMtu().bytes();
    private static final int END = Side.REGION_BYTES;
    private static final int KEY_VARIANT = 0x41;
    private static final int LOCAL = AccessFlags.LOCAL_WRITE;

    /** Two retries are enough to be sure of silence. */
    private static final RcConnection SILENT = CONNECTION.withRetries(10, 1, 7, 12);

    private Causes() {}

    static Stream<Cause> rows() {
        return Stream.of(receives(), keys(), immediateWrites(), requests(), local(), windows(), silence())
                .flatMap(each -> each);
    }

    private static Stream<Cause> receives() {
        return Stream.of(
                row("WC-20", "SEND longer than the receive", REM_INV_REQ_ERR, LOC_LEN_ERR, null, ERR, ERR)
                        .asking(p -> send(p.left.sge(0, 9))),
                row("WC-20", "long SEND longer than the receive", REM_INV_REQ_ERR, LOC_LEN_ERR, null, ERR, ERR)
                        .receiving(p -> p.right.sge(0, 2000))
                        .asking(p -> send(p.left.sge(0, 2001))),
                row("WC-21", "RECV with an unknown key", REM_OP_ERR, LOC_PROT_ERR, null, ERR, ERR)
                        .receiving(p -> new Sge(p.right.address(0), 8, NO_KEY))
                        .asking(p -> send(p.left.sge(0, 8))),
                row("WC-21", "RECV beyond its region", REM_OP_ERR, LOC_PROT_ERR, null, ERR, ERR)
                        .receiving(p -> p.right.sge(END - 7, 8))
                        .asking(p -> send(p.left.sge(0, 8))),
                row("WC-21", "RECV into another domain", REM_OP_ERR, LOC_PROT_ERR, null, ERR, ERR)
                        .receiving(p -> inOtherDomain(p.right).sge())
                        .asking(p -> send(p.left.sge(0, 8))),
                row("WC-21", "RECV without LOCAL_WRITE", REM_OP_ERR, LOC_PROT_ERR, null, ERR, ERR)
                        .receiving(p -> withAccess(p.right, 0).sge())
                        .asking(p -> send(p.left.sge(0, 8))),
                row("WC-22", "SEND without RECV", RNR_RETRY_EXC_ERR, null, null, ERR, RTS)
                        .withoutReceives()
                        .connected(p -> p.connect(CONNECTION.withRetries(10, 7, 0, 1)))
                        .asking(p -> send(p.left.sge(0, 8))),
                row("WC-22", "WRITE_WITH_IMM without RECV", RNR_RETRY_EXC_ERR, null, null, ERR, RTS)
                        .withoutReceives()
                        .connected(p -> p.connect(CONNECTION.withRetries(10, 7, 1, 1)))
                        .asking(p -> writeWithImmediate(p, p.right.rkey(), 8)));
    }

    private static Stream<Cause> keys() {
        return Stream.of(
                key("WRITE with an unknown key").asking(p -> write(p, p.right.address(0), NO_KEY, 8)),
                key("READ with an unknown key").asking(p -> read(p, p.right.address(0), NO_KEY)),
                key("FETCH_ADD with an unknown key").asking(p -> add(p, p.right.address(0), NO_KEY)),
                key("WRITE with a stale key").asking(p -> {
                    MemoryRegion gone = withAccess(p.right, LOCAL | AccessFlags.REMOTE_WRITE);
                    gone.close();
                    return write(p, gone.address(), gone.rkey(), 8);
                }),
                key("WRITE into another domain").asking(p -> {
                    MemoryRegion other = inOtherDomain(p.right);
                    return write(p, other.address(), other.rkey(), 8);
                }),
                key("WRITE without the right").asking(p -> {
                    MemoryRegion region = withAccess(p.right, LOCAL | AccessFlags.REMOTE_READ);
                    return write(p, region.address(), region.rkey(), 8);
                }),
                key("READ without the right").asking(p -> {
                    MemoryRegion region = withAccess(p.right, LOCAL | AccessFlags.REMOTE_WRITE);
                    return read(p, region.address(), region.rkey());
                }),
                key("FETCH_ADD without the right").asking(p -> {
                    MemoryRegion region =
                            withAccess(p.right, LOCAL | AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ);
                    return add(p, region.address(), region.rkey());
                }),
                key("WRITE one byte too far").asking(p -> write(p, p.right.address(END - 7), p.right.rkey(), 8)),
                key("WRITE one byte too early").asking(p -> write(p, p.right.address(-1), p.right.rkey(), 8)),
                key("READ one byte too far").asking(p -> read(p, p.right.address(END - 7), p.right.rkey())),
                key("long WRITE one byte too far")
                        .asking(p -> write(p, p.right.address(END - 4999), p.right.rkey(), 5000)));
    }

    private static Cause key(String what) {
        return row("WC-23", what, REM_ACCESS_ERR, null, QP_ACCESS_ERR, ERR, ERR);
    }

    private static Stream<Cause> immediateWrites() {
        return Stream.of(
                row("WC-24", "WRITE_WITH_IMM of one packet", REM_ACCESS_ERR, LOC_ACCESS_ERR, null, ERR, ERR)
                        .asking(p -> writeWithImmediate(p, NO_KEY, PATH_MTU_BYTES)),
                row("WC-24", "WRITE_WITH_IMM of two packets", REM_ACCESS_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .asking(p -> writeWithImmediate(p, NO_KEY, PATH_MTU_BYTES + 1)));
    }

    private static Stream<Cause> requests() {
        return Stream.of(
                row("WC-25", "WRITE that is not granted", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .connected(p -> p.connect(CONNECTION.withAccess(AccessFlags.REMOTE_READ)))
                        .asking(p -> write(p, p.right.address(0), p.right.rkey(), 8)),
                row("WC-25", "READ that is not granted", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .connected(p -> p.connect(CONNECTION.withAccess(AccessFlags.REMOTE_WRITE)))
                        .asking(p -> read(p, p.right.address(0), p.right.rkey())),
                row("WC-25", "FETCH_ADD that is not granted", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .connected(p ->
                                p.connect(CONNECTION.withAccess(AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ)))
                        .asking(p -> add(p, p.right.address(0), p.right.rkey())),
                row("WC-26", "misaligned FETCH_ADD", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .asking(p -> add(p, p.right.address(4), p.right.rkey())),
                row("WC-26", "misaligned CMP_SWP, unknown key", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .asking(p ->
                                SendWorkRequest.compareAndSwap(1, p.right.address(1), NO_KEY, 0, 1, p.left.sge(0, 8))),
                row("WC-27", "READ without resources", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .connected(p -> join(p, CONNECTION.withDepth(1), CONNECTION.withDepth(0)))
                        .asking(p -> read(p, p.right.address(0), p.right.rkey())),
                row("WC-27", "FETCH_ADD without resources", REM_INV_REQ_ERR, null, QP_ACCESS_ERR, ERR, ERR)
                        .connected(p -> join(p, CONNECTION.withDepth(1), CONNECTION.withDepth(0)))
                        .asking(p -> add(p, p.right.address(0), p.right.rkey())));
    }

    private static Stream<Cause> local() {
        return Stream.of(
                row("WC-29", "SEND from an unknown key", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> send(new Sge(p.left.address(0), 8, NO_KEY))),
                row("WC-29", "SEND beyond its region", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> send(p.left.sge(END - 7, 8))),
                row("WC-29", "WRITE from another domain", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.write(
                                1,
                                p.right.address(0),
                                p.right.rkey(),
                                inOtherDomain(p.left).sge())),
                row("WC-29", "WRITE with both keys unknown", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.write(1, p.right.address(0), NO_KEY, new Sge(0, 8, NO_KEY))),
                row("WC-30", "READ into a region without LOCAL_WRITE", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.read(
                                1,
                                p.right.address(0),
                                p.right.rkey(),
                                withAccess(p.left, 0).sge())),
                row("WC-30", "FETCH_ADD into an unknown key", LOC_PROT_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.fetchAndAdd(
                                1, p.right.address(0), p.right.rkey(), 1, new Sge(p.left.address(0), 8, NO_KEY))),
                row("WC-31", "READ that can never start", LOC_QP_OP_ERR, null, null, ERR, RTS)
                        .connected(p -> join(p, CONNECTION.withDepth(0), CONNECTION))
                        .asking(p -> read(p, p.right.address(0), p.right.rkey())),
                row("WC-32", "FETCH_ADD of sixteen bytes", LOC_LEN_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.fetchAndAdd(
                                1, p.right.address(0), p.right.rkey(), 1, p.left.sge(0, 16))));
    }

    private static Stream<Cause> windows() {
        return Stream.of(
                row("WC-33", "bind to a region that permits none", MW_BIND_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.bindWindow(
                                1,
                                p.left.pd.allocateWindow(MemoryWindowType.TYPE_2),
                                KEY_VARIANT,
                                BindInfo.of(withAccess(p.left, LOCAL), AccessFlags.REMOTE_WRITE))),
                row("WC-34", "LOCAL_INV of an unknown key", MW_BIND_ERR, null, null, ERR, RTS)
                        .asking(p -> SendWorkRequest.localInvalidate(1, NO_KEY)),
                row("WC-35", "SEND_WITH_INV of an unknown key", RETRY_EXC_ERR, REM_INV_REQ_ERR, null, ERR, ERR)
                        .connected(p -> p.connect(SILENT))
                        .asking(p -> SendWorkRequest.sendWithInvalidate(1, NO_KEY, p.left.sge(0, 8))));
    }

    private static Stream<Cause> silence() {
        return Stream.of(
                row("WC-36", "peer in RESET", RETRY_EXC_ERR, null, null, ERR, RESET)
                        .withoutReceives()
                        .connected(p -> connectLeft(p, p.right.qp.number()))
                        .asking(p -> write(p, p.right.address(0), p.right.rkey(), 8)),
                row("WC-36", "peer in INIT", RETRY_EXC_ERR, null, null, ERR, INIT)
                        .connected(p -> {
                            connectLeft(p, p.right.qp.number());
                            p.right.qp.modify(new QpAttributes()
                                    .state(INIT)
                                    .pkeyIndex(0)
                                    .portNumber(1)
                                    .accessFlags(SILENT.access()));
                        })
                        .asking(p -> write(p, p.right.address(0), p.right.rkey(), 8)),
                row("WC-36", "peer in ERR", RETRY_EXC_ERR, null, null, ERR, ERR)
                        .connected(p -> {
                            p.connect(SILENT);
                            p.right.qp.modify(new QpAttributes().state(ERR));
                        })
                        .asking(p -> read(p, p.right.address(0), p.right.rkey())),
                row("WC-36", "no queue pair of that number", RETRY_EXC_ERR, null, null, ERR, RTS)
                        .connected(p -> {
                            connectLeft(p, 0xabcdef);
                            SILENT.readyToReceive(p.right.qp, Endpoint.of(p.left.qp, 0));
                            SILENT.readyToSend(p.right.qp, 0);
                        })
                        .asking(p -> send(p.left.sge(0, 8))));
    }

    private static void connectLeft(RcPair pair, int peer) {
        SILENT.readyToReceive(pair.left.qp, new Endpoint(pair.right.device.gid(), peer, 0));
        SILENT.readyToSend(pair.left.qp, 0);
    }

    /** A connection whose two sides have different attributes. */
    private static void join(RcPair pair, RcConnection left, RcConnection right) {
        left.readyToReceive(pair.left.qp, Endpoint.of(pair.right.qp, 0));
        right.readyToReceive(pair.right.qp, Endpoint.of(pair.left.qp, 0));
        right.readyToSend(pair.right.qp, 0);
        left.readyToSend(pair.left.qp, 0);
    }

    private static MemoryRegion inOtherDomain(Side side) {
        return side.device.allocatePd().register(Memory.allocate(8), Side.ALL_RIGHTS);
    }

    private static MemoryRegion withAccess(Side side, int access) {
        return side.pd.register(Memory.allocate(8), access);
    }

    private static SendWorkRequest send(Sge element) {
        return SendWorkRequest.send(1, element);
    }

    private static SendWorkRequest write(RcPair pair, long address, int rkey, int lengthBytes) {
        return SendWorkRequest.write(1, address, rkey, pair.left.sge(0, lengthBytes));
    }

    private static SendWorkRequest writeWithImmediate(RcPair pair, int rkey, int lengthBytes) {
        return SendWorkRequest.writeWithImmediate(1, pair.right.address(0), rkey, 5, pair.left.sge(0, lengthBytes));
    }

    private static SendWorkRequest read(RcPair pair, long address, int rkey) {
        return SendWorkRequest.read(1, address, rkey, pair.left.sge(0, 8));
    }

    private static SendWorkRequest add(RcPair pair, long address, int rkey) {
        return SendWorkRequest.fetchAndAdd(1, address, rkey, 1, pair.left.sge(0, 8));
    }
}
