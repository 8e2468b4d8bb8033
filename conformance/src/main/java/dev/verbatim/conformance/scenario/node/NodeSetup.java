// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.node;

import dev.verbatim.conformance.scenario.check.Names;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.verbs.AddressSpace;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.MemoryRegion;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.visibility.MemorySystem;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes what a node has before its program starts. */
public final class NodeSetup {

    private static final int MOST_BYTES_TOLD = 1 << 20;
    private static final int MOST_BYTES_AT_ONCE = 1 << 16;

    private final Names names;
    private final Device device;
    private final AddressSpace addresses;
    private final RunEnvironment environment;
    private final NodeMemory memory;
    private final NodeState node;
    private final @Nullable NodeState owner;

    private NodeSetup(Names names, Device device, AddressSpace addresses, RunShared run, @Nullable NodeState owner) {
        this.owner = owner;
        this.names = names;
        this.device = device;
        this.addresses = addresses;
        this.environment = run.environment();
        this.memory = new NodeMemory(names, environment);
        this.node = new NodeState(names, device, run, memory);
    }

    /**
     * Makes the regions, queues and queue pairs of a node; these are in state RESET.
     *
     * @param literals numbers that need memory
     * @param owner the node whose adapter it is; null if it has memory of its own
     */
    public static NodeState make(
            Names names,
            List<Long> literals,
            Device device,
            AddressSpace addresses,
            RunShared run,
            @Nullable NodeState owner) {
        NodeSetup setup = new NodeSetup(names, device, addresses, run, owner);
        names.regions().forEach(setup::region);
        setup.literals(literals);
        names.windows()
                .forEach((name, spec) ->
                        setup.node.windows().allocated(name, setup.pd(spec.pd()).allocateWindow(spec.type())));
        names.cqs().forEach(setup::cq);
        names.xrcds().forEach(name -> setup.node.xrcds().put(name, device.openXrcDomain()));
        names.srqs().forEach((name, spec) -> {
            setup.pd(spec.pd());
            setup.node.srqs().put(name, ObjectCreation.create(setup.node, spec));
        });
        names.ahs().values().forEach(spec -> setup.pd(spec.pd()));
        names.qps().forEach(setup::qp);
        return setup.node;
    }

    /** Makes the address handles of a node, once all nodes are there. */
    public static void handles(StepContext context) {
        NodeState node = context.node();
        node.names()
                .ahs()
                .forEach((name, spec) -> node.handles().named().put(name, ObjectCreation.create(context, spec)));
    }

    private ProtectionDomain pd(String name) {
        if (!node.pds().has(name)) {
            node.pds().put(name, device.allocatePd());
        }
        return node.pd(name);
    }

    private void region(String name, RegionSpec spec) {
        String shared = spec.shares();
        Memory own = shared == null || owner == null
                ? addresses.allocate(spec.sizeBytes())
                : owner.memory().memory(shared);
        memory.add(name, own, 0);
        if (shared == null) {
            fill(own, spec);
        }
        ProtectionDomain pd = pd(spec.pd());
        if (spec.registered()) {
            Long iova = spec.iova();
            memory.registered(
                    name,
                    iova == null
                            ? pd.register(own, spec.access())
                            : pd.registerIova(own, 0, spec.sizeBytes(), iova, spec.access()));
        }
    }

    private void fill(Memory own, RegionSpec spec) {
        MemorySystem system = memory.system();
        if (system != null) {
            String domain = spec.domain();
            system.put(own, domain == null ? system.host() : system.named(domain));
        }
        ByteBuffer bytes = own.buffer();
        // Fresh memory holds zeros.
        if (spec.fill() != 0) {
            fill(bytes, spec.sizeBytes(), (byte) spec.fill());
        }
        bytes.put(0, spec.content());
        int offset = 0;
        for (long value : spec.words().values()) {
            bytes.putLong(offset, value);
            offset += RegionSpec.WORD_BYTES;
        }
        tell(own);
    }

    private static void fill(ByteBuffer bytes, int sizeBytes, byte value) {
        byte[] part = new byte[Math.min(sizeBytes, MOST_BYTES_AT_ONCE)];
        Arrays.fill(part, value);
        for (int from = 0; from < sizeBytes; from += part.length) {
            bytes.put(from, part, 0, Math.min(part.length, sizeBytes - from));
        }
    }

    /** Says what stands there at first, unless that is too much: then it is for everybody to find out. */
    private void tell(Memory own) {
        if (own.sizeBytes() <= MOST_BYTES_TOLD) {
            byte[] content = new byte[Math.toIntExact(own.sizeBytes())];
            own.buffer().get(0, content);
            environment.touched(names.node(), true, own.address(), ByteBuffer.wrap(content));
        }
    }

    private void literals(List<Long> values) {
        if (values.isEmpty()) {
            return;
        }
        Memory own = addresses.allocate(values.size() * RegionSpec.WORD_BYTES);
        MemoryRegion region = pd(literalPd()).register(own, 0);
        for (int i = 0; i < values.size(); i++) {
            int offset = i * RegionSpec.WORD_BYTES;
            own.buffer().putLong(offset, values.get(i));
            memory.addLiteral(values.get(i), region.sge(offset, RegionSpec.WORD_BYTES));
        }
        memory.add(region);
        tell(own);
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
            node.channels().put(name, channel);
            node.cqs().put(name, device.createCq(spec.entries(), null, channel, 0));
        } else {
            node.cqs().put(name, ObjectCreation.create(node, spec));
        }
    }

    private void qp(String name, QpSpec spec) {
        pd(spec.pd());
        node.qps().put(name, ObjectCreation.create(node, spec));
    }
}
