// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.visibility;

import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Clock;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.fabric.Lane;
import dev.verbatim.trace.Tap;
import dev.verbatim.trace.TraceEvent;
import dev.verbatim.verbs.Memory;
import dev.verbatim.verbs.Rule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a node: its domains, and in a simulation who sees which version of their words.
 *
 * <p>Memory holds what has arrived at its home. Adapters and programs say what they are about to write; what the words held
 * before is kept for each observer that may still see it. A load is a choice among these values (VIS-08 to VIS-11, VIS-16), of
 * which the newest is the default. Memory that was not {@linkplain #put put} into a domain is coherent host memory.
 *
 * <p>In real time all observers see bytes at once. Domains and platform are a declaration then, by which a sanitizer judges what
 * programs do; any thread may call.
 */
public final class MemorySystem {

    private static final String HOST = "host";

    private final String node;
    private final Platform platform;

    /** Null in real time, where all observers see at once what is written. */
    private final @Nullable Lane lane;

    private final Consumer<Rule> decided;
    private final List<MemoryDomain> domains = new CopyOnWriteArrayList<>();
    private final List<Extent> extents = new CopyOnWriteArrayList<>();
    private final List<ObserverView> views = new CopyOnWriteArrayList<>();
    private final List<Consumer<MemoryDomain>> adapterPaths = new CopyOnWriteArrayList<>();
    private final Observer cpu;
    private final Observer power;
    private MemoryInspector inspector = MemoryInspector.NONE;
    private Supplier<@Nullable Tap> tap = () -> null;
    private Clock clock = () -> 0;

    /** A memory, and where it is. */
    private record Extent(Memory memory, MemoryDomain domain) {

        boolean covers(long address) {
            return memory.covers(address, 1);
        }

        /** What the word holds; bytes that are not of the memory are 0. */
        long wordAt(long word) {
            ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            for (int i = 0; i < Long.BYTES; i++) {
                if (covers(word + i)) {
                    bytes.put(i, memory.buffer().get((int) (word + i - memory.address())));
                }
            }
            return bytes.getLong(0);
        }
    }

    /** The memory of a node with host memory only, in real time. */
    public MemorySystem(String node, Platform platform) {
        this(node, platform, null, rule -> {});
    }

    /**
     * The memory of a node with host memory only.
     *
     * @param node its name
     * @param lane of its simulation; null in real time
     * @param decided is told of each rule that decides something
     */
    public MemorySystem(String node, Platform platform, @Nullable Lane lane, Consumer<Rule> decided) {
        this.node = node;
        this.platform = platform;
        this.lane = lane;
        this.decided = decided;
        domains.add(new MemoryDomain(HOST, MemoryDomain.Kind.HOST, 0));
        cpu = observer(Observer.Kind.CPU, "cpu", null);
        power = observer(Observer.Kind.POWER, "power", null);
    }

    /** Tells an inspector from now on what programs do to what observers see. */
    public void inspect(MemoryInspector watcher) {
        inspector = watcher;
    }

    /** Tells a tap, where there is one, what observers may see. */
    public void tell(Supplier<@Nullable Tap> listener, Clock time) {
        tap = listener;
        clock = time;
    }

    /** What it promises. */
    public Platform platform() {
        return platform;
    }

    /** Host memory, and then the others in the order in which they were added. */
    public List<MemoryDomain> domains() {
        return List.copyOf(domains);
    }

    /** Who may see different things in it, adapters of open devices included. */
    public List<Observer> observers() {
        return views.stream().map(ObserverView::observer).toList();
    }

    /** Host memory. */
    public MemoryDomain host() {
        return domains.get(0);
    }

    /**
     * Adds a GPU with its memory.
     *
     * @throws IllegalArgumentException if the node has a domain of that name
     */
    public MemoryDomain device(String name) {
        MemoryDomain domain = domain(name, MemoryDomain.Kind.DEVICE);
        Observer unused = observer(Observer.Kind.GPU, name, domain);
        return domain;
    }

    /**
     * Adds persistent memory.
     *
     * @throws IllegalArgumentException if the node has a domain of that name
     */
    public MemoryDomain persistent(String name) {
        return domain(name, MemoryDomain.Kind.PERSISTENT);
    }

    /**
     * The domain of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public MemoryDomain named(String name) {
        return domains.stream()
                .filter(domain -> domain.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "node " + node + " has no memory domain name=" + name + ", only " + domains));
    }

    private MemoryDomain domain(String name, MemoryDomain.Kind kind) {
        if (domains.stream().anyMatch(domain -> domain.name().equals(name))) {
            throw new IllegalArgumentException("node " + node + " has a memory domain name=" + name + " already");
        }
        MemoryDomain domain = new MemoryDomain(name, kind, domains.size());
        domains.add(domain);
        return domain;
    }

    private Observer observer(Observer.Kind kind, String name, @Nullable MemoryDomain own) {
        Observer observer = new Observer(kind, node + "/" + name, own);
        views.add(new ObserverView(observer));
        return observer;
    }

    /**
     * From now on the memory is in that domain of this node. Before a device or a program touches it.
     *
     * @throws IllegalArgumentException if the node has no such domain, or the memory is in one already
     */
    public Memory put(Memory memory, MemoryDomain domain) {
        if (!domains.contains(domain)) {
            throw new IllegalArgumentException(
                    "node " + node + " has no memory domain " + domain + ", only " + domains);
        }
        if (memory.sizeBytes() > 0 && isObserved(memory.address())) {
            throw new IllegalArgumentException(
                    memory + " is in domain " + domainOf(memory.address()) + " already; put it once, where it is");
        }
        extents.add(new Extent(memory, domain));
        return memory;
    }

    /** The domain in which an address of memory is. */
    public MemoryDomain domainOf(long address) {
        Extent extent = extentOf(address);
        return extent == null ? host() : extent.domain();
    }

    private @Nullable Extent extentOf(long address) {
        for (Extent extent : extents) {
            if (extent.covers(address)) {
                return extent;
            }
        }
        return null;
    }

    /** Whether it was put into a domain, also host memory. */
    public boolean isObserved(long address) {
        return extentOf(address) != null;
    }

    /** The CPU of the node. */
    public Observer cpu() {
        return cpu;
    }

    /** The kernels of the GPU with that memory. */
    public Observer gpu(MemoryDomain domain) {
        return views.stream()
                .map(ObserverView::observer)
                .filter(observer -> domain.equals(observer.own()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "domain=" + domain + " of node " + node + " is of no GPU; use one that device() made"));
    }

    /** What survives a power failure. */
    public Observer power() {
        return power;
    }

    /** Who a program of that name is: the GPU that the name is of, or the CPU. */
    public Observer programOf(String name) {
        for (ObserverView view : views) {
            Observer observer = view.observer();
            if (observer.kind() == Observer.Kind.GPU && observer.name().equals(name)) {
                return observer;
            }
        }
        return cpu;
    }

    /** The adapter that a device of that name is; null if it is none of this node. */
    public @Nullable Observer adapterOf(String device) {
        for (ObserverView view : views) {
            Observer observer = view.observer();
            if (observer.kind() == Observer.Kind.ADAPTER && observer.name().equals(node + "/" + device)) {
                return observer;
            }
        }
        return null;
    }

    /**
     * Adds an adapter of the node.
     *
     * @param path lets all that it holds for a domain arrive
     */
    public Observer adapter(String name, Consumer<MemoryDomain> path) {
        adapterPaths.add(path);
        return observer(Observer.Kind.ADAPTER, name, null);
    }

    /** Reports that a rule decided something. */
    public void decided(Rule rule) {
        decided.accept(rule);
    }

    /** An adapter accepted bytes for a domain, let some arrive, or looked whether it has any. */
    public void pathTouched(Observer adapter, MemoryDomain domain) {
        if (lane != null) {
            lane.touched(adapter.name(), DevicePart.PATHS, domain.index(), domain.index() + 1L, true);
        }
    }

    /** Someone is about to write bytes, which then are at their home. */
    public void writing(Observer writer, long address, long lengthBytes) {
        Extent extent = lane == null ? null : extentOf(address);
        if (extent == null) {
            return;
        }
        boolean awaitsRelease = awaitsRelease(writer, extent.domain());
        for (ObserverView view : views) {
            boolean awaitsRefresh = platform.awaitsRefresh(view.observer(), extent.domain(), writer);
            for (long word = address & -Long.BYTES; word < address + lengthBytes; word += Long.BYTES) {
                boolean isLate = awaitsRelease || awaitsRefresh;
                if (isLate && !view.observer().equals(writer)) {
                    view.add(word, extent.wordAt(word), writer, awaitsRelease, awaitsRefresh);
                } else {
                    view.seesNewest(word);
                }
            }
        }
        tellView(address, lengthBytes);
    }

    /** Tells who may see an older value of bytes that have one history. */
    private void tellView(long address, long lengthBytes) {
        Tap listener = tap.get();
        Extent extent = extentOf(address);
        if (listener != null && extent != null) {
            long word = address & -Long.BYTES;
            String behind = views.stream()
                    .filter(view -> view.olderOf(word) > 0)
                    .map(view -> view.observer().name())
                    .collect(Collectors.joining(" "));
            MemoryDomain domain = extent.domain();
            listener.on(new TraceEvent.ViewChanged(
                    clock.nanoTime(),
                    node,
                    domain.name(),
                    domain.kind() == MemoryDomain.Kind.PERSISTENT,
                    address,
                    (int) lengthBytes,
                    behind));
        }
    }

    /** Tells that an observer sees that older value of a word, and sees nothing before it any more. */
    private void saw(ObserverView view, long word, int age, long newest) {
        long value = view.valueOf(word, age, newest);
        int older = view.olderOf(word);
        view.saw(word, age);
        Tap listener = tap.get();
        if (listener != null && value != newest) {
            listener.on(new TraceEvent.OlderSeen(
                    clock.nanoTime(), node, view.observer().name(), word, value, newest));
        }
        if (older > 0 && view.olderOf(word) == 0) {
            tellView(word, Long.BYTES);
        }
    }

    private boolean awaitsRelease(Observer writer, MemoryDomain domain) {
        if (writer.kind() == Observer.Kind.GPU) {
            decided(Rule.VIS_10);
        } else if (writer.kind() == Observer.Kind.CPU && domain.kind() == MemoryDomain.Kind.DEVICE) {
            decided(Rule.VIS_11);
        }
        return platform.awaitsRelease(writer, domain);
    }

    /**
     * What an observer sees of bytes: of each word one of the values that it may see.
     *
     * @return null if that is what memory holds
     */
    public byte @Nullable [] look(Observer observer, long address, int lengthBytes) {
        Extent extent = extentOf(address);
        Lane choosing = lane;
        if (choosing == null || extent == null || lengthBytes == 0) {
            return null;
        }
        decided(ruleOf(observer, extent.domain()));
        ObserverView view = viewOf(observer);
        byte[] seen = null;
        for (long word = address & -Long.BYTES; word < address + lengthBytes; word += Long.BYTES) {
            int age = choose(choosing, view, word, pointOf(observer));
            if (age > 0) {
                long value = view.valueOf(word, age, 0);
                seen = seen == null ? bytesOf(extent, address, lengthBytes) : seen;
                copy(value, word, seen, address);
            }
            saw(view, word, age, extent.wordAt(word));
        }
        return seen;
    }

    private int choose(Lane choosing, ObserverView view, long word, ChoicePoint point) {
        int older = view.olderOf(word);
        viewTouched(view, word, Long.BYTES, older > 0);
        return older == 0 ? 0 : choosing.choices().choose(point, 1 + older);
    }

    private void viewTouched(ObserverView view, long address, long lengthBytes, boolean changes) {
        if (lane != null) {
            lane.touched(view.observer().name(), DevicePart.VIEW, address, address + lengthBytes, changes);
        }
    }

    private static ChoicePoint pointOf(Observer observer) {
        return switch (observer.kind()) {
            case CPU, GPU -> ChoicePoint.OBSERVE;
            case ADAPTER -> ChoicePoint.WRITEBACK;
            case POWER -> ChoicePoint.DURABLE;
        };
    }

    private Rule ruleOf(Observer observer, MemoryDomain domain) {
        boolean isDevice = domain.kind() == MemoryDomain.Kind.DEVICE;
        return switch (observer.kind()) {
            case CPU -> isDevice ? Rule.VIS_12 : Rule.VIS_07;
            case GPU -> isDevice ? Rule.VIS_08 : Rule.VIS_09;
            case ADAPTER -> adapterPaths.size() > 1 ? Rule.VIS_06 : Rule.VIS_07;
            case POWER -> Rule.VIS_16;
        };
    }

    private static byte[] bytesOf(Extent extent, long address, int lengthBytes) {
        byte[] bytes = new byte[lengthBytes];
        extent.memory().buffer().get((int) (address - extent.memory().address()), bytes);
        return bytes;
    }

    /** Puts those bytes of a word that lie there onto {@code seen}, which begins at {@code from}. */
    private static void copy(long value, long word, byte[] seen, long from) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
        for (int i = 0; i < Long.BYTES; i++) {
            long index = word + i - from;
            if (index >= 0 && index < seen.length) {
                seen[(int) index] = bytes[i];
            }
        }
    }

    /** A program is about to load bytes: from memory of a GPU it may wait for what adapters write there (VIS-12). */
    public void loading(Observer observer, long address) {
        MemoryDomain domain = domainOf(address);
        if (observer.kind() == Observer.Kind.CPU
                && domain.kind() == MemoryDomain.Kind.DEVICE
                && !platform.has(Weakness.BAR_READ_PASSES)) {
            adapterPaths.forEach(path -> path.accept(domain));
            refreshOwner(domain);
        }
    }

    /** Whether an observer may see a value in the word at an address, a multiple of 8, for which the condition holds. */
    public boolean maySee(Observer observer, long word, LongPredicate isAwaited) {
        Extent extent = Objects.requireNonNull(extentOf(word), () -> "no memory at " + word);
        return viewOf(observer).ageOf(word, extent.wordAt(word), isAwaited) >= 0;
    }

    /** The newest value in the word for which the condition holds; an observer that has seen it sees nothing older. */
    public long sawAwaited(Observer observer, long word, LongPredicate isAwaited) {
        Extent extent = Objects.requireNonNull(extentOf(word), () -> "no memory at " + word);
        ObserverView view = viewOf(observer);
        decided(ruleOf(observer, extent.domain()));
        int age = Math.max(0, view.ageOf(word, extent.wordAt(word), isAwaited));
        viewTouched(view, word, Long.BYTES, view.olderOf(word) > 0);
        long value = view.valueOf(word, age, extent.wordAt(word));
        saw(view, word, age, extent.wordAt(word));
        return value;
    }

    private ObserverView viewOf(Observer observer) {
        for (ObserverView view : views) {
            if (view.observer().equals(observer)) {
                return view;
            }
        }
        throw new IllegalArgumentException("observer=" + observer + " is not of node " + node);
    }

    /** A READ of an adapter from a domain was executed: what has arrived there is seen by the GPU whose memory it is. */
    public void readBy(MemoryDomain domain) {
        decided(Rule.VIS_05);
        refreshOwner(domain);
    }

    private void refreshOwner(MemoryDomain domain) {
        if (domain.kind() == MemoryDomain.Kind.DEVICE) {
            refresh(viewOf(gpu(domain)), domain);
        }
    }

    /** Everything of the domain that has arrived and is released. */
    private void refresh(ObserverView view, MemoryDomain domain) {
        for (Extent extent : extents) {
            if (extent.domain().equals(domain)) {
                refresh(view, extent.memory().address(), extent.memory().sizeBytes());
            }
        }
    }

    private void refresh(ObserverView view, long address, long lengthBytes) {
        if (lane == null) {
            return;
        }
        lane.memoryLookedAt(address, lengthBytes);
        viewTouched(view, address, lengthBytes, true);
        view.refresh(address, lengthBytes).forEach(word -> tellView(word, Long.BYTES));
    }

    /** A FLUSH was executed: the range is visible to all observers, or if it is persistent durable (VIS-15, VIS-16). */
    public void flushed(long address, long lengthBytes, boolean persistent) {
        decided(persistent ? Rule.VIS_16 : Rule.VIS_15);
        for (ObserverView view : views) {
            if (persistent == view.observer().equals(power)) {
                refresh(view, address, lengthBytes);
            }
        }
    }

    /**
     * The CPU writes a range back from its caches: what of it has arrived is durable.
     *
     * @throws IllegalArgumentException if it is not in persistent memory, which power failure clears all the same
     */
    public void persist(long address, long lengthBytes) {
        if (domainOf(address).kind() != MemoryDomain.Kind.PERSISTENT) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "address=0x%x is in domain %s, which power failure clears; put the memory into one that persistent() made",
                    address,
                    domainOf(address)));
        }
        inspector.persisted(address, lengthBytes);
        flushed(address, lengthBytes, true);
    }

    /**
     * A fence: what the observer stored before is released, and if its scope is the system, it sees host memory as it is now.
     *
     * @param observer the CPU or a GPU
     */
    public void fence(Observer observer, Scope scope) {
        inspector.fenced(observer, scope);
        if (scope == Scope.SYSTEM || !platform.has(Weakness.DEVICE_FENCE_STAYS)) {
            release(observer);
        }
        if (scope == Scope.SYSTEM && observer.kind() == Observer.Kind.GPU) {
            seeHost(observer);
        }
    }

    /** An acquire of system scope by a GPU: from now on it sees host memory as it is now. */
    public void acquire(Observer gpu) {
        inspector.acquired(gpu);
        seeHost(gpu);
    }

    private void seeHost(Observer gpu) {
        decided(Rule.VIS_09);
        for (MemoryDomain domain : domains) {
            if (domain.kind() != MemoryDomain.Kind.DEVICE) {
                refresh(viewOf(gpu), domain);
            }
        }
    }

    private void release(Observer writer) {
        decided(writer.kind() == Observer.Kind.GPU ? Rule.VIS_10 : Rule.VIS_11);
        for (ObserverView view : views) {
            for (long word : view.release(writer)) {
                viewTouched(view, word, Long.BYTES, true);
                tellView(word, Long.BYTES);
            }
        }
    }

    /** The CPU starts a kernel: it sees all that has arrived and what the CPU stored before. */
    public void launch(MemoryDomain domain) {
        inspector.launched(domain);
        decided(Rule.VIS_08);
        release(cpu);
        ObserverView view = viewOf(gpu(domain));
        domains.forEach(each -> refresh(view, each));
    }

    /** The CPU has waited for the end of a kernel: what the GPU stored is released. */
    public void synchronize(MemoryDomain domain) {
        inspector.ended(domain);
        release(gpu(domain));
    }

    /**
     * The CPU flushes what adapters wrote into the memory of a GPU: what has arrived is seen, unless that does nothing here.
     *
     * @throws IllegalArgumentException if the domain is no memory of a GPU
     */
    public void flushRemoteWrites(MemoryDomain domain, FlushScope scope) {
        if (domain.kind() != MemoryDomain.Kind.DEVICE) {
            throw new IllegalArgumentException(
                    "domain=" + domain + " is not memory of a GPU, and a driver without a GPU"
                            + " answers CUDA_ERROR_INVALID_CONTEXT; name one that device() made");
        }
        inspector.flushedForGpu(domain, scope);
        decided(Rule.VIS_08);
        if (platform.has(Weakness.FLUSH_GPU_DOES_NOTHING)) {
            return;
        }
        for (ObserverView view : views) {
            boolean isOwner = domain.equals(view.observer().own());
            if (isOwner || (scope == FlushScope.ALL_DEVICES && view.observer().kind() == Observer.Kind.GPU)) {
                refresh(view, domain);
            }
        }
    }

    /** Power fails: chooses of each word in persistent memory what of it is durable, and has memory hold that; the rest is 0. */
    public Runnable powerFails() {
        inspector.powerFails();
        List<Runnable> afterwards = new ArrayList<>();
        for (Extent extent : extents) {
            Memory memory = extent.memory();
            byte[] left = new byte[Math.toIntExact(memory.sizeBytes())];
            if (extent.domain().kind() == MemoryDomain.Kind.PERSISTENT) {
                byte[] durable = look(power, memory.address(), left.length);
                left = durable == null ? bytesOf(extent, memory.address(), left.length) : durable;
            }
            byte[] kept = left;
            afterwards.add(() -> memory.buffer().put(0, kept));
        }
        return () -> afterwards.forEach(Runnable::run);
    }

    @Override
    public String toString() {
        return "memory of " + node + " on " + platform + " with " + domains;
    }
}
