// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario;

import dev.verbatim.cm.CmEventType;
import dev.verbatim.conformance.scenario.operand.Element;
import dev.verbatim.conformance.scenario.operand.ExpectedError;
import dev.verbatim.conformance.scenario.operand.KeyRef;
import dev.verbatim.conformance.scenario.operand.Literal;
import dev.verbatim.conformance.scenario.operand.Place;
import dev.verbatim.conformance.scenario.operand.SrqRef;
import dev.verbatim.conformance.scenario.spec.AhSpec;
import dev.verbatim.conformance.scenario.spec.CqSpec;
import dev.verbatim.conformance.scenario.spec.QpRef;
import dev.verbatim.conformance.scenario.spec.QpSpec;
import dev.verbatim.conformance.scenario.spec.RegionSpec;
import dev.verbatim.conformance.scenario.spec.SrqSpec;
import dev.verbatim.conformance.scenario.spec.WindowSpec;
import dev.verbatim.conformance.scenario.step.AwaitSignal;
import dev.verbatim.conformance.scenario.step.Cut;
import dev.verbatim.conformance.scenario.step.Signal;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.await.Acknowledge;
import dev.verbatim.conformance.scenario.step.await.Arm;
import dev.verbatim.conformance.scenario.step.await.AwaitCompletion;
import dev.verbatim.conformance.scenario.step.await.AwaitEvent;
import dev.verbatim.conformance.scenario.step.await.AwaitNotification;
import dev.verbatim.conformance.scenario.step.await.CompletionField;
import dev.verbatim.conformance.scenario.step.await.NoCompletion;
import dev.verbatim.conformance.scenario.step.await.NoEvent;
import dev.verbatim.conformance.scenario.step.await.Poll;
import dev.verbatim.conformance.scenario.step.await.WantedCompletion;
import dev.verbatim.conformance.scenario.step.await.WantedEventElement;
import dev.verbatim.conformance.scenario.step.connect.AwaitCmEvent;
import dev.verbatim.conformance.scenario.step.connect.CmAccept;
import dev.verbatim.conformance.scenario.step.connect.CmConnect;
import dev.verbatim.conformance.scenario.step.connect.CmDisconnect;
import dev.verbatim.conformance.scenario.step.connect.CmEstablish;
import dev.verbatim.conformance.scenario.step.connect.CmListen;
import dev.verbatim.conformance.scenario.step.connect.CmReject;
import dev.verbatim.conformance.scenario.step.memory.Bytes;
import dev.verbatim.conformance.scenario.step.memory.Deregister;
import dev.verbatim.conformance.scenario.step.memory.Expect;
import dev.verbatim.conformance.scenario.step.memory.Load;
import dev.verbatim.conformance.scenario.step.memory.QueryMr;
import dev.verbatim.conformance.scenario.step.memory.Register;
import dev.verbatim.conformance.scenario.step.memory.Reregister;
import dev.verbatim.conformance.scenario.step.memory.Store;
import dev.verbatim.conformance.scenario.step.memory.Until;
import dev.verbatim.conformance.scenario.step.object.Connect;
import dev.verbatim.conformance.scenario.step.object.Create;
import dev.verbatim.conformance.scenario.step.object.Destroy;
import dev.verbatim.conformance.scenario.step.object.Inject;
import dev.verbatim.conformance.scenario.step.object.Modify;
import dev.verbatim.conformance.scenario.step.object.ModifySrq;
import dev.verbatim.conformance.scenario.step.object.Query;
import dev.verbatim.conformance.scenario.step.object.QueryDataInOrder;
import dev.verbatim.conformance.scenario.step.object.QueryDevice;
import dev.verbatim.conformance.scenario.step.object.QueryGid;
import dev.verbatim.conformance.scenario.step.object.QueryPkey;
import dev.verbatim.conformance.scenario.step.object.QueryPort;
import dev.verbatim.conformance.scenario.step.object.QuerySrq;
import dev.verbatim.conformance.scenario.step.object.ResizeCq;
import dev.verbatim.conformance.scenario.step.post.Chain;
import dev.verbatim.conformance.scenario.step.post.Destination;
import dev.verbatim.conformance.scenario.step.post.Post;
import dev.verbatim.conformance.scenario.step.post.PostExtra;
import dev.verbatim.conformance.scenario.step.post.Receive;
import dev.verbatim.conformance.scenario.step.window.AllocateWindow;
import dev.verbatim.conformance.scenario.step.window.Bind;
import dev.verbatim.conformance.scenario.step.window.BindWindow;
import dev.verbatim.conformance.scenario.step.window.DeallocateWindow;
import dev.verbatim.conformance.scenario.step.window.ExpectWindow;
import dev.verbatim.conformance.scenario.step.window.WantedBinding;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.FlushTarget;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpCapabilities;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Steps with any values that they can have. */
abstract class RandomSteps extends RandomWords {

    RandomSteps(long seed) {
        super(seed);
    }

    WindowSpec window() {
        return new WindowSpec(pick(MemoryWindowType.values()), random.nextBoolean() ? RegionSpec.USUAL_PD : name());
    }

    int access() {
        return random.nextInt(1 << 10) | (random.nextBoolean() ? 1 << 20 : 0);
    }

    QpSpec qp() {
        QpType type = pick(QpType.values());
        return new QpSpec(
                type,
                name(),
                name(),
                name(),
                new QpCapabilities(
                        random.nextInt(100),
                        random.nextInt(100),
                        random.nextInt(5),
                        random.nextInt(5),
                        random.nextInt(65)),
                random.nextBoolean(),
                perhaps(this::name),
                type != QpType.XRC_RECV ? null : random.nextBoolean() ? QpSpec.USUAL_XRCD : name(),
                random.nextInt(),
                1 + random.nextInt(2));
    }

    AhSpec handle() {
        String pd = random.nextBoolean() ? RegionSpec.USUAL_PD : name();
        return random.nextBoolean()
                ? new AhSpec(name(), pd, 1 + random.nextInt(2))
                : new AhSpec(name(), pd, random.nextInt(256), random.nextInt(1 << 20), random.nextInt(256), 1);
    }

    SrqSpec srq() {
        boolean xrc = random.nextBoolean();
        return new SrqSpec(
                random.nextInt(100),
                random.nextInt(9),
                name(),
                xrc ? name() : null,
                !xrc ? null : random.nextBoolean() ? CqSpec.USUAL_NAME : name());
    }

    WantedEventElement element(boolean any) {
        return any
                ? WantedEventElement.ANY
                : new WantedEventElement(
                        perhaps(this::name), perhaps(this::name), perhaps(this::name), perhaps(() -> 1));
    }

    QpRef end() {
        return random.nextBoolean() ? QpRef.of(name()) : new QpRef(name(), name());
    }

    Step connectionStep() {
        return switch (random.nextInt(7)) {
            case 0 -> new CmListen(1 + random.nextInt(99), random.nextInt(9), refused());
            case 1 -> new CmConnect(name(), 1 + random.nextInt(99), refused());
            case 2 ->
                new AwaitCmEvent(
                        random.nextBoolean() ? Optional.empty() : Optional.of(pick(CmEventType.values())),
                        perhaps(this::name));
            case 3 -> new CmAccept(name(), refused());
            case 4 -> new CmReject(refused());
            case 5 -> new CmEstablish(name(), refused());
            default -> new CmDisconnect(name(), refused());
        };
    }

    Step step() {
        return switch (random.nextInt(32)) {
            case 31 -> connectionStep();
            case 0, 1, 2 -> post();
            case 3 -> receive(null, perhaps(this::name));
            case 4 -> chain();
            case 5 -> new AwaitCompletion(wanted(), perhaps(this::name), into());
            case 6 -> random.nextBoolean() ? new NoCompletion(perhaps(this::name)) : poll();
            case 7 -> new Arm(name(), random.nextBoolean(), refused());
            case 8 -> new AwaitNotification(name(), random.nextBoolean());
            case 9 ->
                new AwaitEvent(
                        random.nextBoolean() ? Optional.empty() : Optional.of(pick(EventType.values())),
                        element(random.nextBoolean()),
                        perhaps(this::name),
                        random.nextBoolean());
            case 10 -> random.nextBoolean() ? new NoEvent() : new Acknowledge();
            case 11 -> new Load(word(), name(), random.nextBoolean());
            case 12 -> new Store(word(), bytes());
            case 13 -> new Until(word(), random.nextLong(), random.nextBoolean());
            case 14 -> new Expect(map(1, 3, this::bytes));
            case 15 -> random.nextBoolean() ? new Signal(name()) : new AwaitSignal(name());
            case 16 ->
                new Register(
                        name(),
                        perhaps(this::name),
                        random.nextInt(9),
                        perhaps(() -> random.nextInt(99)),
                        access(),
                        name(),
                        perhaps(random::nextLong),
                        refused());
            case 17 ->
                switch (random.nextInt(4)) {
                    case 0 ->
                        new Reregister(
                                name(),
                                perhaps(this::name),
                                perhaps(() -> random.nextInt(9)),
                                perhaps(() -> random.nextInt(99)),
                                perhaps(this::access),
                                perhaps(this::name),
                                refused());
                    case 1 -> new ResizeCq(name(), random.nextInt(), refused());
                    case 2 -> new QueryMr(name(), Map.of("length", random.nextInt(9)), Map.of("access", name()));
                    default -> new Deregister(name(), refused());
                };
            case 18 -> random.nextBoolean() ? new Connect(name(), refused()) : new Destroy(name(), refused());
            case 19 -> new Modify(attributes(), perhaps(this::name), refused());
            case 20 -> new Query(attributes(), perhaps(this::name), perhaps(this::name), refused());
            case 21 ->
                new Create(
                        switch (random.nextInt(5)) {
                            case 0 -> Create.Thing.again(name());
                            case 1 -> new Create.Thing(null, null, null, srq(), null, null, null);
                            case 2 -> new Create.Thing(null, null, null, null, true, null, null);
                            case 3 -> new Create.Thing(null, null, null, null, null, AhSpec.to(name()), null);
                            default -> Create.Thing.of(qp());
                        },
                        refused());
            case 22 ->
                switch (random.nextInt(3)) {
                    case 0 -> new QueryDevice(Map.of("max_qp", random.nextInt(9)), Map.of("node_guid", name()));
                    case 1 -> new Inject(pick(EventType.values()), random.nextInt(3), refused());
                    default ->
                        new QueryPort(
                                Map.of("active_mtu", pick(PathMtu.values())),
                                random.nextInt(3),
                                Map.of("state", name()),
                                refused());
                };
            case 23 ->
                random.nextBoolean()
                        ? new QueryGid(
                                random.nextInt(3),
                                random.nextInt(3),
                                perhaps(this::name),
                                perhaps(this::name),
                                refused())
                        : new QueryPkey(
                                random.nextInt(3),
                                random.nextInt(3),
                                perhaps(() -> random.nextInt(99)),
                                perhaps(this::name),
                                refused());
            case 24 ->
                new QueryDataInOrder(
                        pick(WrOpcode.values()),
                        perhaps(this::name),
                        perhaps(random::nextBoolean),
                        perhaps(this::name));
            case 25 -> new AllocateWindow(name(), window(), refused());
            case 26 -> new DeallocateWindow(name(), refused());
            case 27 ->
                new BindWindow(
                        bind(),
                        perhaps(this::name),
                        random.nextInt(SendFlags.IP_CSUM << 1),
                        perhaps(random::nextLong),
                        refused());
            case 28 ->
                new ExpectWindow(
                        name(),
                        perhaps(this::key),
                        perhaps(this::key),
                        perhaps(() -> list(2, this::wantedBinding)),
                        random.nextBoolean() ? Map.of() : Map.of("rkey", name(), "bindings", name()));
            case 29 ->
                random.nextBoolean()
                        ? new ModifySrq(name(), perhaps(random::nextInt), perhaps(() -> random.nextInt(99)), refused())
                        : new QuerySrq(name(), Map.of("limit", random.nextInt(9)), Map.of("max_wr", name()), refused());
            default -> new Cut(List.of(name(), name()), random.nextBoolean());
        };
    }

    Poll poll() {
        Poll.What what = pick(Poll.What.values());
        return new Poll(what, what == Poll.What.EVENT ? null : perhaps(this::name), perhaps(this::name));
    }

    Map<CompletionField, String> into() {
        Map<CompletionField, String> into = new LinkedHashMap<>();
        for (CompletionField field : CompletionField.values()) {
            if (random.nextInt(4) == 0) {
                into.put(field, name());
            }
        }
        return into;
    }

    Map<String, Object> attributes() {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("state", pick(QpState.values()));
        if (random.nextBoolean()) {
            attributes.put("access_flags", access());
            attributes.put("path_mtu", pick(PathMtu.values()));
            attributes.put("timeout", random.nextInt());
            attributes.put("peer", end());
            attributes.put("en_sqd_async_notify", random.nextBoolean());
        }
        return attributes;
    }

    Chain chain() {
        boolean sends = random.nextBoolean();
        String qp = perhaps(this::name);
        String srq = qp == null ? perhaps(this::name) : null;
        List<Step> posts = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Post post = post();
            posts.add(
                    sends
                            ? new Post(
                                    post.opcode(),
                                    qp,
                                    post.local(),
                                    post.remote(),
                                    post.compareOrAdd(),
                                    post.swap(),
                                    post.immediate(),
                                    post.bind(),
                                    post.rkey(),
                                    post.invalidates(),
                                    post.extra(),
                                    post.flags(),
                                    post.id(),
                                    null)
                            : receive(qp, srq));
        }
        return new Chain(posts, refused());
    }

    Post post() {
        WrOpcode opcode = pick(WrOpcode.values());
        boolean binds = opcode == WrOpcode.BIND_MW;
        boolean invalidates = opcode == WrOpcode.LOCAL_INV || opcode == WrOpcode.SEND_WITH_INV;
        return new Post(
                opcode,
                perhaps(this::name),
                list(3, this::element),
                perhaps(() -> random.nextBoolean() ? word() : place()),
                random.nextBoolean() ? random.nextInt(3) : random.nextLong(),
                random.nextInt(3),
                invalidates || random.nextBoolean() ? 0 : random.nextInt(),
                binds ? bind() : null,
                binds ? perhaps(this::key) : null,
                invalidates ? key() : null,
                new PostExtra(
                        perhaps(this::destination),
                        perhaps(() -> random.nextBoolean() ? SrqRef.of(name()) : SrqRef.of(random.nextInt(99))),
                        opcode == WrOpcode.FLUSH ? new FlushTarget(1 + random.nextInt(3), random.nextInt(2), 0) : null),
                random.nextInt(SendFlags.IP_CSUM << 1),
                perhaps(random::nextLong),
                refused());
    }

    Bind bind() {
        return new Bind(name(), perhaps(this::place), access());
    }

    WantedBinding wantedBinding() {
        return new WantedBinding(
                perhaps(this::key),
                perhaps(this::name),
                perhaps(random::nextLong),
                perhaps(this::access),
                perhaps(random::nextBoolean),
                perhaps(this::text));
    }

    KeyRef key() {
        KeyRef key = new KeyRef(
                name(), pick(KeyRef.Which.values()), perhaps(() -> random.nextInt(300)), KeyRef.Twist.NONE, 0);
        return switch (random.nextInt(5)) {
            case 0 -> KeyRef.of(random.nextInt());
            case 1 -> key.twisted(KeyRef.Twist.NEXT, 0);
            case 2 -> key.twisted(KeyRef.Twist.VARIANT, random.nextInt(256));
            case 3 -> key.twisted(random.nextBoolean() ? KeyRef.Twist.PLUS : KeyRef.Twist.XOR, random.nextInt());
            default -> key;
        };
    }

    Receive receive(@Nullable String qp, @Nullable String srq) {
        return new Receive(qp, srq, list(3, this::place), perhaps(random::nextLong), refused());
    }

    @Nullable
    ExpectedError refused() {
        return perhaps(() ->
                new ExpectedError(pick(Errno.values()), perhaps(() -> random.nextInt(4)), perhaps(() -> "WR-11")));
    }

    WantedCompletion wanted() {
        return new WantedCompletion(
                perhaps(() -> pick(WcStatus.values())),
                perhaps(() -> pick(WcOpcode.values())),
                perhaps(random::nextInt),
                perhaps(random::nextInt),
                perhaps(this::key),
                perhaps(() -> random.nextInt(16)),
                perhaps(random::nextLong),
                perhaps(this::name),
                perhaps(this::end),
                perhaps(() -> random.nextInt(9)));
    }

    Destination destination() {
        boolean plain = random.nextBoolean();
        return new Destination(
                plain ? end() : perhaps(this::end),
                plain ? perhaps(() -> random.nextInt(99)) : (Integer) random.nextInt(99),
                plain ? perhaps(this::name) : name(),
                perhaps(random::nextInt));
    }

    Element element() {
        return random.nextInt(3) == 0 ? new Literal(random.nextLong()) : place();
    }

    Place place() {
        return switch (random.nextInt(4)) {
            case 0 -> Place.at(random.nextLong(), perhaps(() -> random.nextInt(99)), key());
            case 1 -> word().with(key());
            default -> word();
        };
    }

    Place word() {
        return new Place(name(), random.nextBoolean() ? 0 : random.nextInt(99), perhaps(() -> random.nextInt(9)), null);
    }

    Bytes bytes() {
        return switch (random.nextInt(6)) {
            case 4 -> Bytes.of(key());
            case 0 -> new Bytes(Bytes.How.WORD, name());
            case 1 -> new Bytes(Bytes.How.FILL, String.valueOf(random.nextInt(256)));
            case 2 -> new Bytes(Bytes.How.TEXT, text());
            case 3 -> new Bytes(Bytes.How.HEX, "00ff");
            default -> Bytes.of(random.nextLong());
        };
    }
}
