// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.explore;

import dev.verbatim.conformance.scenario.NodeSpec;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.spec.CompletionSwitchSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.LimitSpec;
import dev.verbatim.conformance.scenario.spec.PostingSwitchSpec;
import dev.verbatim.conformance.scenario.spec.ProfileSpec;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.conformance.scenario.spec.WindowSwitchSpec;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.Arm;
import dev.verbatim.conformance.scenario.step.await.Poll;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.memory.Register;
import dev.verbatim.conformance.scenario.step.object.ModifySrq;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one node of a random program has, and the pendings of which its program is woven. */
final class NodePlan {

    /** Bytes of each region. */
    static final int REGION_BYTES = 1024;

    /** The region that nearly everything goes to. */
    static final String HEAP = "heap";
    /** The region that may be deregistered. */
    private static final String BRIEF = "brief";
    /** A region that may lack rights. */
    static final String SPARE = "spare";

    private static final List<String> REGIONS =
            List.of(HEAP, HEAP, HEAP, HEAP, HEAP, HEAP, HEAP, BRIEF, BRIEF, SPARE, SPARE);
    private static final int USUAL_RIGHTS = RegionSpec.ALL_RIGHTS | AccessFlags.FLUSH_GLOBAL;
    private static final List<Integer> FEWER_RIGHTS = List.of(
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ,
            AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE,
            AccessFlags.REMOTE_READ,
            0);
    private static final CqSpec CQ = new CqSpec(128, false);
    private static final QpCapabilities CAPABILITIES = new QpCapabilities(32, 32, 4, 4, 64);
    private static final int FIRST_FILL = 0x11;
    private static final int KEY = QpSpec.USUAL_QUEUE_KEY;
    private static final int SRQ_RECEIVES = 64;
    private static final long BYTES_IN_WORD = 0x0101010101010101L;

    /** Which queue pairs share completion queues. */
    private enum Sharing {
        ALL,
        EACH_ITS_OWN,
        SENDS_AND_RECEIVES
    }

    /** A queue pair: of what type, and which end of it. */
    private record QueuePair(PairType type, boolean isFirst) {}

    private final String name;
    private final int fill;
    private final Sharing sharing;
    private final ProfileSpec profile;
    private final boolean isRevoking;
    private final boolean signalAll;
    private final String pd;
    private final int spareAccess;
    private final WindowPlan windows;
    private final Map<String, QueuePair> queuePairs = new LinkedHashMap<>();
    private final List<Step> comingUp = new ArrayList<>();
    private final List<Step> joining = new ArrayList<>();
    private final List<Step> beginning = new ArrayList<>();
    private @Nullable String announced;
    private final List<List<Step>> pendings = new ArrayList<>();

    NodePlan(String name, int index, Draw draw) {
        this.name = name;
        this.fill = FIRST_FILL * (index + 1);
        this.sharing = draw.of(List.of(Sharing.values()));
        this.profile = draw.percent(15) ? unusualProfile(draw) : ProfileSpec.STRICT;
        this.isRevoking = draw.percent(35);
        this.signalAll = draw.percent(8);
        this.pd = draw.perMille(5) ? "other" : RegionSpec.USUAL_PD;
        this.spareAccess = draw.percent(12) ? draw.of(FEWER_RIGHTS) : USUAL_RIGHTS | AccessFlags.MW_BIND;
        this.windows = new WindowPlan(name, draw);
        if (isRevoking) {
            pendings.add(revocation(draw));
        }
    }

    private static ProfileSpec unusualProfile(Draw draw) {
        String word = draw.of(List.of("lkey_equals_rkey", "strict_recv_sge", "early_read_lkey"));
        return new ProfileSpec(
                ProfileSpec.STRICT.base(),
                Map.of(word, true),
                draw.percent(50) ? (Long) (long) draw.below(1_000) : null,
                null,
                WindowSwitchSpec.USUAL,
                PostingSwitchSpec.USUAL,
                CompletionSwitchSpec.USUAL,
                LimitSpec.USUAL);
    }

    private static List<Step> revocation(Draw draw) {
        List<Step> steps = new ArrayList<>(List.of(new Deregister(BRIEF, null)));
        if (draw.percent(30)) {
            steps.add(new Register(BRIEF, null, 0, null, USUAL_RIGHTS, RegionSpec.USUAL_PD, null, null));
        }
        return steps;
    }

    String name() {
        return name;
    }

    /** What a word of the heap holds at first. */
    long initialWord() {
        return fill * BYTES_IN_WORD;
    }

    void addQueuePair(String queuePair, PairType type, boolean isFirst, Draw draw) {
        queuePairs.put(queuePair, new QueuePair(type, isFirst));
        if (type.binds()) {
            windows.addQueuePair(queuePair, draw);
        }
    }

    WindowPlan windows() {
        return windows;
    }

    /** It begins with windows of its own, and goes on when its peers have theirs. */
    void bindFirst(Draw draw, List<NodePlan> all) {
        String own = windows.signal();
        List<Step> first = new ArrayList<>(windows.beginning(this::sendCq));
        if (own != null) {
            first.add(new Signal(own));
        }
        for (NodePlan other : all) {
            String signal = other.windows.signal();
            if (signal != null && !other.name.equals(name)) {
                first.add(new AwaitSignal(signal));
            }
        }
        beginning.addAll(0, first);
        beginning.addAll(0, joining);
        beginning.addAll(0, comingUp);
        add(windows.revocations(draw));
    }

    /** Where what that queue pair sends completes. */
    String sendCq(String queuePair) {
        return switch (sharing) {
            case ALL -> "cq";
            case EACH_ITS_OWN -> "cq_" + queuePair;
            case SENDS_AND_RECEIVES -> "sends";
        };
    }

    /** Steps in front of all others that wait for nothing: they bring up a queue pair that others wait for. */
    void comeUp(List<Step> steps) {
        comingUp.addAll(steps);
    }

    /** Steps behind those, which wait for what peers bring up. */
    void join(List<Step> steps) {
        joining.addAll(steps);
    }

    /** It looks for events now and then, arms limits of what its queue pairs share, and perhaps a completion queue. */
    void lookForEvents(Draw draw) {
        for (int i = draw.between(1, 4); i > 0; i--) {
            pendings.add(List.of(new Poll(Poll.What.EVENT, null, null)));
        }
        boolean shares =
                queuePairs.values().stream().anyMatch(each -> each.type().srq() != null);
        for (int i = shares ? draw.between(1, 3) : 0; i > 0; i--) {
            for (String srq : srqs().keySet()) {
                pendings.add(List.of(new ModifySrq(srq, draw.between(1, 6), null, null)));
            }
        }
        List<String> senders = queuePairs.keySet().stream().filter(this::sends).toList();
        if (!senders.isEmpty() && draw.percent(50)) {
            String cq = sendCq(draw.of(senders));
            announced = cq;
            for (int i = draw.between(2, 5); i > 0; i--) {
                pendings.add(List.of(new Arm(cq, draw.percent(25), null)));
                pendings.add(List.of(new Poll(Poll.What.NOTIFIED, cq, null)));
            }
        }
    }

    private boolean sends(String queuePair) {
        QueuePair kind = queuePairs.get(queuePair);
        return kind != null && kind.type().end(kind.isFirst()) != QpType.XRC_RECV;
    }

    /** Steps in front of all others. */
    void begin(List<Step> steps) {
        beginning.addAll(steps);
    }

    /** Steps that keep their order; those of other pendings may come between them. */
    void add(List<Step> steps) {
        pendings.add(new ArrayList<>(steps));
    }

    void tell(String signal) {
        pendings.add(List.of(new Signal(signal)));
    }

    void await(String signal) {
        pendings.add(List.of(new AwaitSignal(signal)));
    }

    /** One of its regions. */
    String region(Draw draw) {
        return draw.of(REGIONS);
    }

    /** Part of one of its regions, likely one that others use too. */
    Place place(Draw draw, int lengthBytes, int alignBytes) {
        int most = Math.min(REGION_BYTES - lengthBytes, 64);
        int offset = draw.below(most / alignBytes + 1) * alignBytes;
        return Place.of(region(draw), offset, lengthBytes);
    }

    /** Part of a region for a message to come. */
    Place placeToReceive(Draw draw, int lengthBytes) {
        return Place.of(region(draw), draw.below(REGION_BYTES - lengthBytes + 1), lengthBytes);
    }

    NodeSpec spec(Draw draw) {
        Map<String, CqSpec> cqs = new LinkedHashMap<>();
        Map<String, QpSpec> qps = new LinkedHashMap<>();
        queuePairs.forEach((queuePair, kind) -> qps.put(queuePair, queuePair(queuePair, kind)));
        for (QpSpec queuePair : qps.values()) {
            if (queuePair.sends()) {
                cqs.put(queuePair.sendCq(), CQ);
            }
            if (queuePair.receives()) {
                cqs.put(queuePair.recvCq(), CQ);
            }
        }
        srqs().values().stream().map(SrqSpec::cq).filter(Objects::nonNull).forEach(cq -> cqs.put(cq, CQ));
        cqs.computeIfPresent(String.valueOf(announced), (cq, spec) -> new CqSpec(spec.entries(), true));
        return new NodeSpec(
                profile,
                regions(),
                windows.specs(),
                cqs,
                qps,
                srqs(),
                Map.of(),
                NodeSpec.Leftovers.ANY,
                new ProgramWeaver(draw, name, qps).weave(beginning, pendings));
    }

    private QpSpec queuePair(String queuePair, QueuePair kind) {
        QpType type = kind.type().end(kind.isFirst());
        if (type == QpType.XRC_RECV) {
            QpSpec usual = QpSpec.USUAL;
            return new QpSpec(
                    type, usual.sendCq(), usual.recvCq(), pd, CAPABILITIES, signalAll, null, PairType.DOMAIN, KEY, 1);
        }
        String send = sendCq(queuePair);
        String receive = sharing == Sharing.SENDS_AND_RECEIVES && type != QpType.XRC_SEND ? "receives" : send;
        String srq = kind.type() == PairType.SRQ ? kind.type().srq() : null;
        int queueKey = type == QpType.UD ? KEY + fill : KEY;
        return new QpSpec(type, send, receive, pd, CAPABILITIES, signalAll, srq, null, queueKey, 1);
    }

    private Map<String, SrqSpec> srqs() {
        Map<String, SrqSpec> srqs = new LinkedHashMap<>();
        queuePairs.values().forEach(each -> {
            boolean isXrc = each.type() == PairType.XRC;
            if (each.type().srq() != null && !(isXrc && each.isFirst())) {
                srqs.put(
                        each.type().srq(),
                        new SrqSpec(
                                SRQ_RECEIVES,
                                CAPABILITIES.maxRecvSge(),
                                RegionSpec.USUAL_PD,
                                isXrc ? PairType.DOMAIN : null,
                                isXrc ? PairType.MAIL_CQ : null));
            }
        });
        return srqs;
    }

    private Map<String, RegionSpec> regions() {
        Map<String, RegionSpec> regions = new LinkedHashMap<>();
        regions.put(HEAP, region(fill, USUAL_RIGHTS | AccessFlags.MW_BIND));
        regions.put(BRIEF, region(fill + 1, USUAL_RIGHTS));
        regions.put(SPARE, region(fill + 2, spareAccess));
        return regions;
    }

    private static RegionSpec region(int fill, int access) {
        return new RegionSpec(REGION_BYTES, access, Map.of(), fill, "", "", RegionSpec.USUAL_PD, null, true);
    }
}
