// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.check;

import dev.verbatim.conformance.scenario.form.NearestWord;
import dev.verbatim.conformance.scenario.form.Problems;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.visibility.MemoryDomain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** What the names in a program may mean. Reports those that mean nothing. */
public final class NameScope {

    private final Problems problems;
    private final Map<String, Names> nodes;
    private final Names own;
    private final Signals signals;
    private final Set<String> ofProgram = new TreeSet<>();
    private final Set<String> ofOtherPrograms = new TreeSet<>();
    private final Set<String> computed = new TreeSet<>();
    private String path = "";

    /** What programs of all nodes tell each other, and the registers that they set. */
    public static final class Signals {

        private final Set<String> told = new TreeSet<>();
        private final Map<String, String> awaitedAt = new LinkedHashMap<>();
        private final Map<String, String> registers = new LinkedHashMap<>();

        /** Nothing yet. */
        public Signals() {}

        /** The node that sets each register. */
        public Map<String, String> registers() {
            return registers;
        }

        /** Reports what is awaited and never told. */
        public void check(Problems problems) {
            awaitedAt.forEach((name, where) -> {
                if (!told.contains(name)) {
                    problems.add(
                            where,
                            "no step tells " + name + "; "
                                    + (told.isEmpty() ? "" : NearestWord.advice(name, told) + " Or ")
                                    + "add a step tell: " + name);
                }
            });
        }
    }

    /** The scope of the program of one node. */
    public NameScope(Problems problems, Map<String, Names> nodes, Names own, Signals signals) {
        this.problems = problems;
        this.nodes = nodes;
        this.own = own;
        this.signals = signals;
    }

    /** From now on problems are those of the step at that path. */
    public NameScope at(String where) {
        path = where;
        return this;
    }

    public Names own() {
        return own;
    }

    public void problem(String key, String message) {
        problems.add(path + "." + key, message);
    }

    /** The memory of a GPU of the node, for a call of the driver. */
    public void gpu(String key, String domain) {
        Map<String, MemoryDomain.Kind> domains = own.memory().domains();
        if (!domains.containsKey(domain)) {
            known(key, "memory domain", domain, domains.keySet());
        } else if (domains.get(domain) != MemoryDomain.Kind.DEVICE) {
            problem(
                    key,
                    domain + " is " + domains.get(domain).name().toLowerCase(Locale.ROOT)
                            + " memory, not that of a GPU, and a driver without a GPU answers CUDA_ERROR_INVALID_CONTEXT; name"
                            + " a domain that is device");
        }
    }

    /** A place that a power failure does not clear. */
    public void persistent(String key, Place place) {
        String name = String.valueOf(place.name());
        Names.Word word = own.word(name);
        RegionSpec region = own.regions().get(word == null ? name : word.region());
        if (region != null
                && region.shares() == null
                && own.memory().domains().get(String.valueOf(region.domain())) != MemoryDomain.Kind.PERSISTENT) {
            problem(
                    key,
                    place
                            + " is not in persistent memory: the CPU writes it back, and power failure clears it all the same; put"
                            + " its region in: a domain that is persistent");
        }
    }

    /** A place in the node's own memory. */
    public void local(String key, Place place) {
        place(key, own, place);
    }

    /** A place in the memory of the node at the other end of a queue pair. */
    public void remote(String key, @Nullable String qp, Place place) {
        String name = qp(qp);
        QpRef peer = name == null ? null : own.peer(name);
        if (peer != null && nodes.containsKey(peer.node())) {
            place(key, nodes.get(peer.node()), place);
        } else if (name != null && peer == null) {
            problem(key, "queue pair " + name + " has no peer; name it in connections");
        }
    }

    /** Reports a remote place of this node's whose only local one is the peer's. */
    public boolean areSwapped(String key, @Nullable String qp, Place remote, List<Element> local) {
        Names there = peerOf(qp);
        if (there == null || local.size() != 1 || !(local.get(0) instanceof Place place)) {
            return false;
        }
        boolean swapped = isOnlyOf(own, there, remote) && isOnlyOf(there, own, place);
        if (swapped) {
            problem(
                    key,
                    remote.name() + " is of node " + own.node() + ", and " + place.name() + " of node " + there.node()
                            + ": the remote place comes first, whichever way the bytes go: {" + place + ": "
                            + remote + "}");
        }
        return swapped;
    }

    /** The names of the node at the other end of a queue pair, which may be the only one; null if there is none. */
    private @Nullable Names peerOf(@Nullable String qp) {
        String name = qp == null && own.qps().size() == 1
                ? own.qps().keySet().iterator().next()
                : qp;
        QpRef peer = name == null ? null : own.peer(name);
        return peer == null ? null : nodes.get(peer.node());
    }

    private static boolean isOnlyOf(Names names, Names others, Place place) {
        return place.name() != null && names.sizeOf(place.name()) >= 0 && others.sizeOf(place.name()) < 0;
    }

    private void place(String key, @Nullable Names names, Place place) {
        if (names == null) {
            return;
        }
        if (place.name() != null && names.sizeOf(place.name()) < 0) {
            problem(
                    key,
                    "node " + names.node() + " has no word or region " + place.name() + "; "
                            + NearestWord.advice(place.name(), names.places()));
        }
        if (place.key() != null) {
            key(key, names, place.key());
        }
    }

    /** A key of something of a node, or from a register of this one. */
    private void key(String key, Names names, KeyRef ref) {
        String name = ref.name();
        if (name == null) {
            return;
        }
        boolean window = names.windowNames().contains(name);
        if (window && ref.which() == KeyRef.Which.LKEY) {
            problem(key, name + " is a window, which has no local key; write " + name);
        } else if (window && ref.which() == KeyRef.Which.RKEY && ref.binding() != null) {
            problem(key, "rkey:" + name + " is what its handle has now; leave out rkey: or @" + ref.binding());
        } else if (!window && ref.binding() != null) {
            problem(
                    key,
                    name + " is no window of node " + names.node() + ", so nothing binds it; leave out @"
                            + ref.binding());
        } else if (!window && !names.isRegion(name) && !(isRegister(name) && ref.which() == KeyRef.Which.FITTING)) {
            Set<String> known = new TreeSet<>(names.keyNames());
            if (names.sizeOf(name) >= 0) {
                problem(key, name + " is a word; name its region, or a window");
            } else {
                problem(
                        key,
                        "node " + names.node() + " has no region or window " + name + ", and no earlier step sets"
                                + " such a register; " + NearestWord.advice(name, known));
            }
        }
    }

    /** A key of something of this node, or from a register. */
    public void key(String key, KeyRef ref) {
        key(key, own, ref);
    }

    /** A key of something of the node at the other end of a queue pair, or from a register of this node. */
    public void peerKey(String key, @Nullable String qp, KeyRef ref) {
        String name = qp == null && own.qps().size() == 1
                ? own.qps().keySet().iterator().next()
                : qp;
        QpRef peer = name == null ? null : own.peer(name);
        Names there = peer == null ? null : nodes.get(peer.node());
        if (there != null) {
            key(key, there, ref);
        } else if (ref.name() != null && own.qps().containsKey(String.valueOf(name))) {
            problem(key, "queue pair " + name + " has no peer; name it in connections");
        }
    }

    /** A window of this node. */
    public void window(String key, String name) {
        if (!own.windowNames().contains(name)) {
            problem(
                    key,
                    "node " + own.node() + " has no window " + name + "; "
                            + (own.windowNames().isEmpty()
                                    ? "give it one by windows: {" + name + ": 2}"
                                    : NearestWord.advice(name, own.windowNames())));
        }
    }

    /** A place that the CPU of the node looks at: at most eight bytes of its own. */
    public void cpu(String key, Place place) {
        local(key, place);
        int length = own.lengthOf(place);
        boolean good = length == 1 || length == 2 || length == 4 || length == 8;
        if (place.name() == null) {
            problem(key, "a CPU step needs the name of a word or region, not an address");
        } else if (own.sizeOf(place.name()) >= 0 && !good) {
            problem(key, place + " has " + length + " bytes, not 1, 2, 4 or 8; write " + place.name() + "+OFFSET:8");
        } else {
            inside(key, place);
        }
    }

    /**
     * A number that the CPU stores into a place of its own, or finds there.
     *
     * @param stored whether it is stored: it may be a negative one then, while the CPU finds fewer than eight bytes unsigned
     */
    public void fits(String key, Place place, long number, boolean stored) {
        int bits = own.lengthOf(place) * Byte.SIZE;
        if (bits <= 0 || bits >= Long.SIZE) {
            return;
        }
        long least = stored ? -(1L << (bits - 1)) : 0;
        long most = (1L << bits) - 1;
        if (number < least || number > most) {
            problem(
                    key,
                    number + " is not in " + least + ".." + most + ", which is all that " + place
                            + " can hold; name more bytes or another number");
        }
    }

    /** A place must lie inside what it names. */
    public void inside(String key, Place place) {
        int size = place.name() == null ? -1 : own.sizeOf(place.name());
        if (size >= 0 && place.offset() + own.lengthOf(place) > size) {
            problem(key, place + " ends beyond the " + size + " bytes of " + place.name() + "; name fewer");
        }
    }

    /** The queue pair that is named, or the only one; null after a report. */
    @Nullable
    public String qp(@Nullable String name) {
        return only("qp", "queue pair", name, own.qps().keySet());
    }

    /** The completion queue that is named, or the only one; null after a report. */
    @Nullable
    public String cq(@Nullable String name) {
        return only("cq", "completion queue", name, own.cqs().keySet());
    }

    private @Nullable String only(String key, String what, @Nullable String name, Set<String> known) {
        if (name == null && known.size() != 1) {
            problem(
                    key,
                    "node " + own.node() + " has " + known.size() + " of them: say which " + what + " by " + key + ": "
                            + (known.isEmpty() ? "NAME, and make one" : String.join(" or ", known)));
            return null;
        }
        String chosen = name == null ? known.iterator().next() : name;
        if (!known.contains(chosen)) {
            problem(
                    key,
                    "node " + own.node() + " has no " + what + " " + chosen + "; " + NearestWord.advice(chosen, known));
            return null;
        }
        return chosen;
    }

    /** Something of this node that a step names. */
    public void known(String key, String what, String name, Set<String> known) {
        if (!known.contains(name)) {
            problem(
                    key,
                    "node " + own.node() + " has no " + what + " " + name + "; "
                            + NearestWord.advice(name, new TreeSet<>(known)));
        }
    }

    /** A shared receive queue of the node at the other end of a queue pair. */
    public void peerSrq(String key, @Nullable String qp, SrqRef srq) {
        Names there = peerOf(qp);
        if (srq.name() != null && there != null && !there.srqs().containsKey(srq.name())) {
            problem(
                    key,
                    "node " + there.node() + " has no shared receive queue " + srq.name() + "; "
                            + NearestWord.advice(srq.name(), there.srqs().keySet()));
        }
    }

    public void node(String key, String node) {
        if (!nodes.containsKey(node)) {
            problem(key, "there is no node " + node + "; " + NearestWord.advice(node, nodes.keySet()));
        }
    }

    public void end(String key, QpRef end) {
        node(key, end.node());
        Names names = nodes.get(end.node());
        if (names != null && !names.qps().containsKey(end.qp())) {
            problem(
                    key,
                    "node " + end.node() + " has no queue pair " + end.qp() + "; "
                            + NearestWord.advice(end.qp(), names.qps().keySet()));
        }
    }

    /** A register that the step sets. */
    public void sets(String key, String register) {
        ofProgram.add(register);
        if (ofOtherPrograms.contains(register) && computed.contains(register)) {
            sharedRegister(key, register);
        }
        String other = signals.registers.putIfAbsent(register, own.node());
        if (other != null && !other.equals(own.node())) {
            problem(key, "node " + other + " sets register " + register + " too; give each its own");
        }
        for (Names names : nodes.values()) {
            if (names.sizeOf(register) >= 0 || names.windowNames().contains(register)) {
                problem(
                        key,
                        register + " is a word, region or window of node " + names.node()
                                + "; name the register otherwise");
            }
        }
    }

    /** A register that an earlier step of this node has set. */
    public void uses(String key, String register) {
        if (!own.node().equals(signals.registers.get(register))) {
            problem(
                    key,
                    "no earlier step of node " + own.node() + " sets register " + register + "; "
                            + NearestWord.advice(register, signals.registers.keySet()));
        }
    }

    /** A register that an earlier step of the same program has set, so that no other program changes it. */
    public void computes(String key, String register) {
        if (!ofProgram.contains(register)) {
            problem(
                    key,
                    "no earlier step of this program sets register " + register + "; "
                            + NearestWord.advice(register, ofProgram));
        } else if (ofOtherPrograms.contains(register)) {
            sharedRegister(key, register);
        }
        computed.add(register);
    }

    private void sharedRegister(String key, String register) {
        problem(
                key,
                "two programs of node " + own.node() + " set register " + register
                        + ", and one computes with it; give each its own");
    }

    /** A program begins. */
    public NameScope program() {
        ofOtherPrograms.addAll(ofProgram);
        ofProgram.clear();
        return this;
    }

    /** Checks so many steps that are part of the present one, under {@code key}, by their numbers. */
    public void each(String key, int size, IntConsumer check) {
        String outer = path;
        for (int i = 0; i < size; i++) {
            path = outer + "." + key + "[" + i + "]";
            check.accept(i);
        }
        path = outer;
    }

    public boolean isRegister(String name) {
        return own.node().equals(signals.registers.get(name));
    }

    public void tells(String name) {
        signals.told.add(name);
    }

    public void awaits(String key, String name) {
        signals.awaitedAt.putIfAbsent(name, path + "." + key);
    }
}
