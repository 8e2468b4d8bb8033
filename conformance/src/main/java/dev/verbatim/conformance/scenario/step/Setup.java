// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.SrqInitAttributes;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes what a node has before its program starts. */
public final class Setup {

    private static final int MOST_BYTES_TOLD = 1 << 20;

    private final Names names;
    private final Device device;
    private final AddressSpace addresses;
    private final Workbench bench;
    private final Lands lands;
    private final Map<String, ProtectionDomain> pds = new LinkedHashMap<>();

    private Setup(Names names, Device device, AddressSpace addresses, Board board) {
        this.names = names;
        this.device = device;
        this.addresses = addresses;
        this.lands = new Lands(names, board.world());
        this.bench = new Workbench(names, device, board, lands);
    }

    /** Makes the regions, queues and queue pairs of a node; these are in state RESET. */
    public static Workbench make(Names names, List<Step> program, Device device, AddressSpace addresses, Board board) {
        Setup setup = new Setup(names, device, addresses, board);
        names.regions().forEach(setup::region);
        setup.literals(program.stream()
                .flatMap(step -> step.literals().stream())
                .distinct()
                .toList());
        names.windows()
                .forEach((name, spec) -> setup.bench
                        .windows()
                        .allocated(name, setup.pd(spec.pd()).allocateWindow(spec.type())));
        names.cqs().forEach(setup::cq);
        names.xrcds().forEach(name -> setup.bench.xrcds().put(name, device.openXrcDomain()));
        names.srqs().forEach((name, spec) -> {
            setup.pd(spec.pd());
            setup.bench.srqs().put(name, create(setup.bench, spec));
        });
        names.ahs().values().forEach(spec -> setup.pd(spec.pd()));
        names.qps().forEach(setup::qp);
        return setup.bench;
    }

    /** Makes the address handles of a node, once all nodes are there. */
    public static void handles(Workbench bench) {
        bench.names()
                .ahs()
                .forEach((name, spec) ->
                        bench.handles().named().put(name, bench.handles().create(spec)));
    }

    private ProtectionDomain pd(String name) {
        return pds.computeIfAbsent(name, key -> {
            ProtectionDomain pd = device.allocatePd();
            bench.pds().put(key, pd);
            return pd;
        });
    }

    private void region(String name, RegionSpec spec) {
        Memory memory = addresses.allocate(spec.sizeBytes());
        lands.add(name, memory, 0);
        ByteBuffer bytes = memory.buffer();
        for (int i = 0; i < spec.sizeBytes(); i++) {
            bytes.put(i, (byte) spec.fill());
        }
        bytes.put(0, spec.content());
        int offset = 0;
        for (long value : spec.words().values()) {
            bytes.putLong(offset, value);
            offset += RegionSpec.WORD_BYTES;
        }
        tell(memory);
        ProtectionDomain pd = pd(spec.pd());
        if (spec.registered()) {
            Long iova = spec.iova();
            lands.registered(
                    name,
                    iova == null
                            ? pd.register(memory, spec.access())
                            : pd.registerIova(memory, 0, spec.sizeBytes(), iova, spec.access()));
        }
    }

    /** Says what stands there at first, unless that is too much: then it is for everybody to find out. */
    private void tell(Memory memory) {
        if (memory.sizeBytes() <= MOST_BYTES_TOLD) {
            byte[] content = new byte[memory.sizeBytes()];
            memory.buffer().get(0, content);
            bench.board().world().touched(names.node(), true, memory.address(), ByteBuffer.wrap(content));
        }
    }

    private void literals(List<Long> values) {
        if (values.isEmpty()) {
            return;
        }
        Memory memory = addresses.allocate(values.size() * RegionSpec.WORD_BYTES);
        MemoryRegion region = pd(literalPd()).register(memory, 0);
        for (int i = 0; i < values.size(); i++) {
            int offset = i * RegionSpec.WORD_BYTES;
            memory.buffer().putLong(offset, values.get(i));
            lands.addLiteral(values.get(i), region.sge(offset, RegionSpec.WORD_BYTES));
        }
        lands.add(region);
        tell(memory);
    }

    /** Where the node has several domains, numbers are in that of its first queue pair. */
    private String literalPd() {
        return names.qps().isEmpty()
                ? RegionSpec.USUAL_PD
                : names.qps().values().iterator().next().pd();
    }

    private void cq(String name, CqSpec spec) {
        if (spec.channel()) {
            CompletionChannel channel = device.createCompletionChannel();
            bench.channels().put(name, channel);
            bench.cqs().put(name, device.createCq(spec.entries(), null, channel, 0));
        } else {
            bench.cqs().put(name, create(bench, spec));
        }
    }

    private void qp(String name, QpSpec spec) {
        pd(spec.pd());
        bench.qps().put(name, create(bench, spec));
    }

    /** Creates a queue pair, shared receive queue or address handle that was destroyed, as it was at first. */
    static void createAgain(Workbench bench, String name) {
        SrqSpec srq = bench.names().srqs().get(name);
        AhSpec ah = bench.names().ahs().get(name);
        if (bench.names().qps().containsKey(name)) {
            createQueuePairAgain(bench, name);
        } else if (srq != null && again(bench, bench.srqs(), name)) {
            bench.srqs().put(name, create(bench, srq));
        } else if (ah != null && again(bench, bench.handles().named(), name)) {
            bench.handles().named().put(name, bench.handles().create(ah));
        }
    }

    private static boolean again(Workbench bench, Shelf<?> shelf, String name) {
        if (!shelf.isClosed(name)) {
            bench.fail(name + " is there; destroy it first");
        }
        return shelf.isClosed(name);
    }

    private static void createQueuePairAgain(Workbench bench, String name) {
        if (!bench.isDestroyed(name)) {
            bench.fail("queue pair " + name + " is there; destroy it first");
            return;
        }
        bench.qps()
                .put(
                        name,
                        create(bench, Objects.requireNonNull(bench.names().qps().get(name))));
        bench.created(name);
    }

    /** Creates a completion queue without a channel. */
    static CompletionQueue create(Workbench bench, CqSpec spec) {
        return bench.device().createCq(spec.entries());
    }

    /** Creates a queue pair on what the node has. */
    static QueuePair create(Workbench bench, QpSpec spec) {
        if (spec.xrcd() != null) {
            return bench.xrcds().get(spec.xrcd()).createQp(QpInitAttributes.xrcReceive());
        }
        QpInitAttributes attributes = new QpInitAttributes(
                spec.type(),
                bench.cq(spec.sendCq()),
                spec.receives() ? bench.cq(spec.recvCq()) : null,
                spec.capabilities(),
                spec.signalAll(),
                null,
                spec.srq() == null ? null : bench.srqs().get(spec.srq()));
        return bench.pd(spec.pd()).createQp(attributes);
    }

    /** Creates a shared receive queue on what the node has. */
    static SharedReceiveQueue create(Workbench bench, SrqSpec spec) {
        return bench.pd(spec.pd())
                .createSrq(new SrqInitAttributes(
                        spec.attributes(),
                        spec.xrcd() == null ? null : bench.xrcds().get(spec.xrcd()),
                        spec.cq() == null ? null : bench.cq(spec.cq()),
                        null));
    }
}
