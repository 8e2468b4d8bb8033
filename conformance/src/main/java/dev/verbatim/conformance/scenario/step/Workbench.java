// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step;

import dev.verbatim.conformance.scenario.spec.End;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.verbs.AsyncEvent;
import dev.verbatim.verbs.CompletionChannel;
import dev.verbatim.verbs.CompletionEvent;
import dev.verbatim.verbs.CompletionQueue;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.SharedReceiveQueue;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WorkCompletion;
import dev.verbatim.verbs.XrcDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a node has while its program runs: its device and everything on it by name, its registers, what it waits for. */
public final class Workbench {

    private static final WorkCompletion[] NONE = {};
    private static final String KEYS_OF = "keys named by ";

    private final Names names;
    private final Device device;
    private final Board board;
    private final Lands lands;
    private final Windows windows = new Windows();
    private final Handles handles = new Handles(this);
    private final Shelf<SharedReceiveQueue> srqs = new Shelf<>("shared receive queue", SharedReceiveQueue::close);
    private final Shelf<XrcDomain> xrcds = new Shelf<>("XRC domain", XrcDomain::close);
    private final Outstanding outstanding = new Outstanding();
    private final Map<String, ProtectionDomain> pds = new LinkedHashMap<>();
    private final Map<String, CompletionQueue> cqs = new LinkedHashMap<>();
    private final Map<String, CompletionChannel> channels = new LinkedHashMap<>();
    private final Map<String, QueuePair> qps = new LinkedHashMap<>();
    private final Map<String, Deque<WorkCompletion>> polled = new LinkedHashMap<>();
    private final List<WorkCompletion> taken = new ArrayList<>();
    private final Map<String, CompletionEvent> notified = new LinkedHashMap<>();
    private final Map<String, String> queueTroubles = new LinkedHashMap<>();
    private final Deque<Runnable> nameless = new ArrayDeque<>();
    private final Set<String> destroyed = new HashSet<>();
    private final Map<String, String> registers = new LinkedHashMap<>();
    private final Deque<Runnable> unacknowledged = new ArrayDeque<>();
    private final Inbox inbox;
    private long nextId = 1;
    private String path = "";
    private Supplier<String> text = () -> "";

    /** An empty workbench; see {@link Setup} for what is put on it. */
    Workbench(Names names, Device device, Board board, Lands lands) {
        this.names = names;
        this.device = device;
        this.inbox = new Inbox(device);
        this.board = board;
        this.lands = lands;
        board.add(this);
    }

    /** The node. */
    public String name() {
        return names.node();
    }

    /** Its device. */
    public Device device() {
        return device;
    }

    /** What its names mean. */
    public Names names() {
        return names;
    }

    /** What it shares with the others. */
    public Board board() {
        return board;
    }

    /** What is under way. */
    public Outstanding outstanding() {
        return outstanding;
    }

    Lands lands() {
        return lands;
    }

    /** What the registers hold that have been set. */
    public Map<String, String> registers() {
        return registers;
    }

    Windows windows() {
        return windows;
    }

    Handles handles() {
        return handles;
    }

    Shelf<SharedReceiveQueue> srqs() {
        return srqs;
    }

    Shelf<XrcDomain> xrcds() {
        return xrcds;
    }

    /** The window of that name, also if it was deallocated; null, and a failure of the step, if it was never allocated. */
    @Nullable
    MemoryWindow window(String name) {
        MemoryWindow window = windows.window(name);
        if (window == null) {
            fail("window " + name + " was never allocated; allocate it first");
        }
        return window;
    }

    /** What a local element names. */
    Sge sge(Element element) {
        return element instanceof Place place
                ? new Sge(lands.address(place), names.lengthOf(place), key(place, this, false))
                : lands.literal((Literal) element);
    }

    /**
     * The key of a place.
     *
     * @param there whose memory it is
     * @param remote whether it is towards a peer
     */
    int key(Place place, Workbench there, boolean remote) {
        KeyRef key = place.key();
        return key == null
                ? there.lands.key(String.valueOf(place.name()), KeyRef.Which.FITTING, remote)
                : key(key, there, remote);
    }

    /** The key that is said, of something of {@code there} or from an own register; as {@link #key(Place, Workbench, boolean)}. */
    int key(KeyRef key, Workbench there, boolean remote) {
        String named = key.name();
        if (named == null) {
            return key.number();
        }
        if (!there.equals(this)) {
            board.world().shared(KEYS_OF + there.name(), false);
        }
        Integer plain;
        if (there.names.windowNames().contains(named)) {
            plain = there.windowKey(key, named);
        } else if (there.names.sizeOf(named) >= 0) {
            plain = there.lands.key(named, key.which(), remote);
        } else {
            plain = number(registers.get(named));
        }
        if (plain == null) {
            fail(key + " has no value yet; let an earlier step give it one");
            return 0;
        }
        return key.twisted(plain);
    }

    private @Nullable Integer windowKey(KeyRef key, String named) {
        MemoryWindow window = windows.window(named);
        if (window == null) {
            return null;
        }
        return key.which() == KeyRef.Which.RKEY ? (Integer) window.rkey() : windows.key(named, key.binding());
    }

    private static @Nullable Integer number(@Nullable String value) {
        try {
            return value == null ? null : (Integer) (int) Long.parseLong(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** A bind of the window was posted, which gives it this key. */
    void bindPosted(String window, int key) {
        windows.posted(window, key);
        keysNamed();
    }

    /** What the names of this node's keys mean has changed, which programs of others may see. */
    void keysNamed() {
        board.world().shared(KEYS_OF + name(), true);
    }

    /** A send request of that number was posted. */
    void posted(@Nullable String qp, long id, boolean signaled) {
        String queuePair = qpName(qp);
        QpSpec spec = names.qps().get(queuePair);
        outstanding.posted(queuePair, id, signaled || (spec != null && spec.signalAll()));
    }

    Map<String, ProtectionDomain> pds() {
        return pds;
    }

    Map<String, CompletionQueue> cqs() {
        return cqs;
    }

    Map<String, CompletionChannel> channels() {
        return channels;
    }

    Map<String, QueuePair> qps() {
        return qps;
    }

    /** From now on the program is at this step, which is put into words where something is wrong with it. */
    public void at(String stepPath, Supplier<String> stepText) {
        path = stepPath;
        text = stepText;
    }

    /** The step is not as it should be. */
    public void fail(String message) {
        board.add(new Failure(name(), path, text.get(), message));
    }

    /** Calls a verb that succeeds, or fails as expected; otherwise that is a failure. False if it failed. */
    boolean verb(@Nullable Refused expected, Runnable call) {
        try {
            call.run();
        } catch (VerbsException e) {
            String difference = expected == null ? "the verb failed" : expected.differenceTo(e);
            if (difference != null) {
                fail(difference + ": " + e.getMessage());
            }
            return false;
        }
        if (expected != null) {
            fail("the verb succeeded, but should have failed with " + expected.errno());
        }
        return true;
    }

    long freshId() {
        return nextId++;
    }

    String qpName(@Nullable String name) {
        return name == null ? names.qps().keySet().iterator().next() : name;
    }

    QueuePair qp(@Nullable String name) {
        return known(qps.get(qpName(name)), "queue pair", name);
    }

    /** Name of the queue pair with that number; its number if there is none. */
    String qpNamed(int number) {
        for (Map.Entry<String, QueuePair> qp : qps.entrySet()) {
            if (qp.getValue().number() == number) {
                return qp.getKey();
            }
        }
        return String.valueOf(number);
    }

    /** What is said of the queue pair with that number; null if there is none. */
    public @Nullable QpSpec spec(int queuePair) {
        return names.qps().get(qpNamed(queuePair));
    }

    ProtectionDomain pd(String name) {
        return known(pds.get(name), "protection domain", name);
    }

    String cqName(@Nullable String name) {
        return name == null ? names.cqs().keySet().iterator().next() : name;
    }

    CompletionQueue cq(@Nullable String name) {
        return known(cqs.get(cqName(name)), "completion queue", name);
    }

    private <T> T known(@Nullable T thing, String what, @Nullable String name) {
        if (thing == null) {
            throw new IllegalStateException(
                    what + "=" + name + " is not on node " + name() + "; check the scenario first");
        }
        return thing;
    }

    /** The node at the other end of a queue pair. */
    Workbench peer(@Nullable String qp) {
        End peer = names.peer(qpName(qp));
        if (peer == null) {
            throw new IllegalStateException("queue pair " + qp + " has no peer; check the scenario first");
        }
        return board.bench(peer.node());
    }

    /** Name of the completion queue where a queue pair completes what it sends. */
    public String sendCqOf(String qp) {
        QpSpec spec = names.qps().get(qp);
        return spec == null ? cqName(null) : spec.sendCq();
    }

    /** What a word holds now, in decimal. */
    public String valueOf(String word) {
        return String.valueOf(lands.look(Place.of(word)));
    }

    /** Adds what begins at an address of this node. */
    public void nameAddresses(Map<Long, String> byAddress) {
        lands.nameAddresses(byAddress);
    }

    /** Lets the device get on. */
    public void progress() {
        for (CompletionQueue cq : cqs.values()) {
            try {
                cq.poll(NONE);
            } catch (VerbsException e) {
                // It was overrun or destroyed, which the program may have wanted; others get on.
            }
        }
    }

    /** Queue pairs that are not in RTS, as the end of a sentence. */
    public String troubles() {
        StringBuilder text = new StringBuilder();
        queueTroubles.forEach((name, trouble) ->
                text.append("; completion queue ").append(name).append(": ").append(trouble));
        qps.forEach((name, qp) -> {
            if (qp.state() != QpState.RTS) {
                text.append("; queue pair ").append(name).append(" is in ").append(qp.state());
            }
        });
        return text.toString();
    }

    /** The next completion of a queue; null if there is none yet. It stays the next. */
    public @Nullable WorkCompletion peek(String cq) {
        Deque<WorkCompletion> seen = polled.computeIfAbsent(cq, name -> new ArrayDeque<>());
        if (seen.isEmpty()) {
            try {
                seen.addAll(cq(cq).poll(1));
            } catch (VerbsException e) {
                queueTroubles.put(cq, String.valueOf(e.getMessage()));
            }
        }
        return seen.peekFirst();
    }

    /** Takes the completion that {@link #peek} shows. */
    public WorkCompletion take(String cq) {
        Deque<WorkCompletion> seen = polled.get(cq);
        WorkCompletion taken = seen == null ? null : seen.pollFirst();
        if (taken == null) {
            throw new IllegalStateException("no completion of " + cq + " is there; peek first");
        }
        outstanding.completed(qpNamed(taken.qpNumber()), taken);
        this.taken.add(taken);
        return taken;
    }

    /** Takes all completions that are there, and returns every one that was taken since the beginning, in that order. */
    public List<WorkCompletion> takeAll() {
        for (String cq : cqs.keySet()) {
            while (!destroyed.contains(cq) && peek(cq) != null) {
                take(cq);
            }
        }
        return List.copyOf(taken);
    }

    /**
     * Closes everything that the node has, by one verb after the other: each must succeed, since nothing is left that needs
     * what it closes.
     *
     * @throws VerbsException of the first that does not
     */
    public void closeAll() {
        takeAllEvents();
        acknowledgeAll();
        List.copyOf(notified.keySet()).forEach(cq -> takeNotification(cq, true));
        while (!nameless.isEmpty()) {
            nameless.pop().run();
        }
        windows.closeAll();
        left(qps).forEach(QueuePair::close);
        handles.closeAll();
        srqs.closeAll();
        xrcds.closeAll();
        left(cqs).forEach(CompletionQueue::close);
        channels.values().forEach(CompletionChannel::close);
        lands.closeAll();
        left(pds).forEach(ProtectionDomain::close);
        device.close();
    }

    private <T> List<T> left(Map<String, T> things) {
        return things.entrySet().stream()
                .filter(thing -> !destroyed.contains(thing.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** The program made something without a name, which that closes at the end. */
    void keep(Runnable close) {
        nameless.push(close);
    }

    /** Whether the program destroyed what has that name. */
    boolean isDestroyed(String name) {
        return destroyed.contains(name);
    }

    /** The program created anew what had that name. */
    void created(String name) {
        destroyed.remove(name);
        keysNamed();
    }

    /** The program destroyed what has that name. */
    void destroyed(String name) {
        destroyed.add(name);
    }

    /** What has been seen and taken of its asynchronous events. */
    Inbox inbox() {
        return inbox;
    }

    /** Takes the event that was seen last, and acknowledges it if that is not left for later. */
    void takeEvent(boolean acknowledged) {
        AsyncEvent taken = inbox.take();
        if (taken != null && acknowledged) {
            taken.acknowledge();
        } else if (taken != null) {
            unacknowledged.addLast(taken::acknowledge);
        }
    }

    /** Takes all events that have occurred, and returns every one that was taken since the beginning, in that order. */
    public List<AsyncEvent> takeAllEvents() {
        while (inbox.peek() != null) {
            takeEvent(true);
        }
        return inbox.taken();
    }

    /** Acknowledges what was taken and not acknowledged; returns how many. */
    int acknowledgeAll() {
        int count = unacknowledged.size();
        while (!unacknowledged.isEmpty()) {
            unacknowledged.removeFirst().run();
        }
        return count;
    }

    /** Whether the channel of that queue has announced it. */
    boolean isNotified(String cq) {
        CompletionChannel channel = known(channels.get(cq), "completion channel", cq);
        if (!notified.containsKey(cq)) {
            CompletionEvent fresh = channel.pollEvent();
            if (fresh != null) {
                notified.put(cq, fresh);
            }
        }
        return notified.containsKey(cq);
    }

    /** Takes the announcement that {@link #isNotified} shows, and acknowledges it if that is not left for later. */
    void takeNotification(String cq, boolean acknowledged) {
        CompletionEvent taken = notified.remove(cq);
        if (taken != null && acknowledged) {
            taken.acknowledge();
        } else if (taken != null) {
            unacknowledged.addLast(taken::acknowledge);
        }
    }
}
