// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.interop.differential;

import dev.verbatim.conformance.explore.Draw;
import dev.verbatim.operation.Effect;
import dev.verbatim.operation.Operation;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Draws programs of what soft-RoCE of Linux 6.1 has, and without what crashes or hangs its kernel: no window is invalidated that is
 * not bound, and none is bound over a queue pair that is destroyed.
 */
final class ProgramDraw {

    private static final int MOST_FLOWS = 4;
    private static final int LONGEST_BYTES = 1000;

    private static final List<WrOpcode> RELIABLE = List.of(
            WrOpcode.SEND,
            WrOpcode.SEND,
            WrOpcode.SEND_WITH_IMM,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE,
            WrOpcode.RDMA_WRITE_WITH_IMM,
            WrOpcode.RDMA_READ,
            WrOpcode.RDMA_READ,
            WrOpcode.RDMA_READ,
            WrOpcode.ATOMIC_CMP_AND_SWP,
            WrOpcode.ATOMIC_FETCH_AND_ADD,
            WrOpcode.ATOMIC_FETCH_AND_ADD);

    private static final List<WrOpcode> UNRELIABLE =
            List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM, WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM);
    private static final List<WrOpcode> DATAGRAMS = List.of(WrOpcode.SEND, WrOpcode.SEND, WrOpcode.SEND_WITH_IMM);

    private final Draw draw;
    private final Set<Boolean> sharing = new HashSet<>();

    private ProgramDraw(Draw draw) {
        this.draw = draw;
    }

    /** The program of that number of that seed: always the same. */
    static Program program(long seed, int number) {
        return new ProgramDraw(new Draw(seed, number, 0)).program("program " + number + " of seed " + seed);
    }

    private Program program(String name) {
        List<Flow> flows = new ArrayList<>();
        for (int count = draw.between(2, MOST_FLOWS); count > 0; count--) {
            flows.add(flow());
        }
        List<Integer> order = new ArrayList<>();
        for (int flow = 0; flow < flows.size(); flow++) {
            for (int i = flows.get(flow).requests().size(); i > 0; i--) {
                order.add(draw.below(order.size() + 1), flow);
            }
        }
        return new Program(name, flows, order);
    }

    private Flow flow() {
        boolean peerRequests = draw.percent(50);
        FlowType type = type(peerRequests);
        Ending ending = type.isReliable() && draw.percent(3) ? Ending.GONE : Ending.NONE;
        int windowType = type.isReliable() && ending == Ending.NONE && draw.percent(50) ? draw.between(1, 2) : 0;
        List<FlowRequest> requests = new ArrayList<>();
        if (ending == Ending.NONE) {
            requests(type, windowType > 0, requests);
            if (windowType == 2 && draw.percent(50)) {
                requests.add(invalidation());
            }
            if (type.isReliable() && draw.percent(75)) {
                ending = ending(peerRequests, windowType, requests);
            }
        }
        List<FlowRequest> behind = new ArrayList<>();
        for (int i = ending.isFailure() ? draw.below(3) : 0; i > 0; i--) {
            behind.add(FlowRequest.write(draw.below(Flow.SLOTS), length()));
        }
        boolean spares = type != FlowType.SRQ && ending != Ending.NOT_READY && ending != Ending.GONE;
        PathMtu mtu = draw.percent(70) ? PathMtu.MTU_256 : draw.of(List.of(PathMtu.MTU_512, PathMtu.MTU_1024));
        return new Flow(type, peerRequests, mtu, windowType, requests, ending, behind, spares ? draw.below(3) : 0);
    }

    /** A node has one shared receive queue, from which one flow receives. */
    private FlowType type(boolean peerRequests) {
        int kind = draw.below(100);
        if (kind < 20 && sharing.add(peerRequests)) {
            return FlowType.SRQ;
        }
        return kind < 66 ? FlowType.RC : kind < 78 ? FlowType.UC : FlowType.UD;
    }

    private void requests(FlowType type, boolean hasWindow, List<FlowRequest> requests) {
        Set<Integer> ownTaken = new HashSet<>();
        Set<Integer> farTaken = new HashSet<>();
        int count = type.isReliable() ? draw.between(5, 10) : draw.between(3, 6);
        for (int i = 0; i < count; i++) {
            FlowRequest request = request(type, hasWindow);
            // What a READ or an atomic reads and writes is in doubt until it completes.
            boolean isFenced = ownTaken.contains(request.ownSlot())
                    || (!request.isSend() && farTaken.contains(request.farSlot()))
                    || (type.isReliable() && draw.percent(15));
            if (isFenced) {
                ownTaken.clear();
                farTaken.clear();
            }
            if (request.hasResult()) {
                ownTaken.add(request.ownSlot());
                farTaken.add(request.farSlot());
            }
            requests.add(isFenced ? fenced(request) : request);
        }
    }

    private static FlowRequest fenced(FlowRequest request) {
        return new FlowRequest(
                request.opcode(),
                request.ownSlot(),
                request.farSlot(),
                request.lengthBytes(),
                request.flags() | SendFlags.FENCE,
                request.throughWindow(),
                request.operand(),
                request.swap(),
                request.immediate());
    }

    private FlowRequest request(FlowType type, boolean hasWindow) {
        WrOpcode opcode = draw.of(type.isReliable() ? RELIABLE : type == FlowType.UC ? UNRELIABLE : DATAGRAMS);
        boolean isAtomic = Operation.of(opcode).effect == Effect.ATOMIC;
        int flags = (draw.percent(70) ? SendFlags.SIGNALED : 0) | (draw.percent(5) ? SendFlags.SOLICITED : 0);
        return new FlowRequest(
                opcode,
                draw.below(Flow.SLOTS),
                draw.below(Flow.SLOTS),
                isAtomic ? Long.BYTES : length(),
                flags,
                hasWindow && draw.percent(60),
                draw.next() >>> 1,
                draw.next() >>> 1,
                draw.below(1 << 20));
    }

    private FlowRequest invalidation() {
        int flags = SendFlags.SIGNALED | SendFlags.FENCE;
        return new FlowRequest(WrOpcode.SEND_WITH_INV, draw.below(Flow.SLOTS), 0, length(), flags, true, 0, 0, 0);
    }

    private int length() {
        int kind = draw.below(20);
        return kind == 0 ? 0 : kind < 10 ? draw.between(1, 64) : draw.between(65, LONGEST_BYTES);
    }

    private Ending ending(boolean peerRequests, int windowType, List<FlowRequest> requests) {
        boolean isInvalid = requests.stream().anyMatch(one -> one.opcode() == WrOpcode.SEND_WITH_INV);
        List<Ending> endings = new ArrayList<>(List.of(
                Ending.WRONG_KEY,
                Ending.OUT_OF_RANGE,
                Ending.NO_RIGHT,
                Ending.DEREGISTERED,
                Ending.LOCAL_KEY,
                Ending.LOCAL_RANGE,
                Ending.SHORT_RECEIVE,
                Ending.NOT_READY));
        if (isInvalid) {
            endings.addAll(List.of(Ending.INVALIDATED, Ending.INVALIDATED, Ending.INVALIDATED));
        } else if (windowType > 0) {
            endings.add(Ending.BEYOND_WINDOW);
        }
        if (!peerRequests) {
            // The library of Linux does not post it to soft-RoCE.
            endings.add(Ending.MISALIGNED);
        }
        return draw.of(endings);
    }
}
