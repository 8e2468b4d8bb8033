// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.windows.trial;

import dev.verbatim.RcConnection;
import dev.verbatim.RcConnection.Endpoint;
import dev.verbatim.conformance.windows.Ground;
import dev.verbatim.conformance.windows.Ground.Home;
import dev.verbatim.conformance.windows.Mismatch;
import dev.verbatim.conformance.windows.Program;
import dev.verbatim.conformance.windows.Stage;
import dev.verbatim.conformance.windows.Step;
import dev.verbatim.conformance.windows.Step.Receiving;
import dev.verbatim.conformance.windows.Tally;
import dev.verbatim.conformance.windows.model.Answer;
import dev.verbatim.conformance.windows.model.Bind;
import dev.verbatim.conformance.windows.model.Binding;
import dev.verbatim.conformance.windows.model.Hca;
import dev.verbatim.conformance.windows.model.Keys;
import dev.verbatim.conformance.windows.model.Operation;
import dev.verbatim.conformance.windows.model.Qp;
import dev.verbatim.conformance.windows.model.Receive;
import dev.verbatim.conformance.windows.model.Request;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.Sge;
import dev.verbatim.verbs.WindowBind;
import java.util.List;

/** Plays a program on the devices and on the model, and compares after each step. */
public final class Trial implements Stage {

    private static final int ROOM_BYTES = 64;
    private static final int LITTLE_ROOM_BYTES = 8;
    private static final int FIRST_PSN_OF_A_CONNECTION = 10_000;
    private static final int PSN_MASK = 0xffffff;
    private static final RcConnection CONNECTION =
            RcConnection.USUAL.withPathMtu(PathMtu.MTU_256).withRetries(1, 1, 1, 1);
    private static final RcConnection WITHOUT_ATOMICS =
            CONNECTION.withAccess(AccessFlags.REMOTE_READ | AccessFlags.REMOTE_WRITE);

    private final Bench bench;
    private final Words words;
    private long lastId;
    private int connections;
    private boolean isIdle;

    private Trial(Bench bench) {
        this.bench = bench;
        this.words = new Words(bench);
    }

    /**
     * Plays the steps.
     *
     * @param conduct name of one of {@link Conducts}
     * @param tally what came of them is counted here
     * @throws Mismatch as soon as model and device do not agree
     */
    public static void run(String conduct, Program program, Tally tally) {
        try (Bench bench = Bench.set(Conducts.valueOf(conduct), tally)) {
            Trial trial = new Trial(bench);
            trial.play(new Program(List.of()), new Step.Mend(0, false));
            List<Step> steps = program.steps();
            for (int i = 0; i < steps.size(); i++) {
                trial.play(new Program(steps.subList(0, i + 1)), steps.get(i));
                if (!trial.isIdle) {
                    tally.step();
                }
            }
        }
    }

    private void play(Program until, Step step) {
        isIdle = false;
        try {
            step.playOn(this);
            bench.compare();
        } catch (RuntimeException | AssertionError difference) {
            throw new Mismatch(until, String.valueOf(difference.getMessage()), difference);
        }
    }

    @Override
    public void allocate(Step.Allocate step) {
        WindowSlot slot = bench.windows.get(step.window() - 1);
        if (slot.model.isAllocated()) {
            deallocate(slot);
        }
        PdSlot pd = bench.domain(step.pd());
        Answer answer = pd.model.hca().allocateWindow(pd.model);
        if (answer.isOk()) {
            WindowSlot fresh = bench.allocated(step.pd(), step.type());
            slot.model = fresh.model;
            slot.real = fresh.real;
        } else {
            bench.agree(answer, () -> pd.real.allocateWindow(step.type()));
        }
    }

    @Override
    public void deallocate(Step.Deallocate step) {
        deallocate(bench.windows.get(step.window() - 1));
    }

    private void deallocate(WindowSlot slot) {
        bench.agree(slot.model.pd().hca().deallocate(slot.model), slot.real::close);
    }

    @Override
    public void bind(Step.Bind step) {
        if (step.freshly()) {
            prepare(step.window());
            if (bench.windows.get(step.window() - 1).model.binding() != null) {
                Home home = Ground.WINDOWS.get(step.window() - 1);
                allocate(new Step.Allocate(step.window(), home.pd(), Ground.TYPES.get(step.window() - 1)));
            }
        }
        QpSlot qp = qp(step.qp());
        WindowSlot window = bench.windows.get(step.window() - 1);
        RegionSlot region = step.region() == 0 ? null : bench.regions.get(step.region() - 1);
        Hca hca = qp.model.hca();
        if (!hca.equals(window.model.pd().hca())
                || (region != null && !hca.equals(region.model.pd().hca()))) {
            isIdle = true;
            return;
        }
        long address = step.offset() + (region == null ? 0 : region.model.address());
        Bind bind = new Bind(
                ++lastId,
                step.signaled(),
                window.model,
                step.variant(),
                region == null ? null : region.model,
                address,
                step.length(),
                step.access());
        BindInfo info = new BindInfo(region == null ? null : region.real, address, step.length(), step.access());
        if (window.model.isType1() != step.byOther()) {
            int flags = step.signaled() ? SendFlags.SIGNALED : 0;
            bench.agree(
                    hca.bindByVerb(qp.model, bind),
                    () -> qp.real.bindWindow(window.real, new WindowBind(bind.id(), flags, info)));
        } else {
            bench.agree(
                    hca.bindByWorkRequest(qp.model, bind),
                    () -> qp.real.postSend(signaled(
                            SendWorkRequest.bindWindow(bind.id(), window.real, step.variant(), info),
                            step.signaled())));
        }
        window.note();
    }

    @Override
    public void invalidate(Step.Invalidate step) {
        QpSlot qp = qp(step.qp());
        int key = words.keyOf(step.key());
        long id = ++lastId;
        bench.agree(
                qp.model.hca().invalidate(qp.model, id, step.signaled(), key),
                () -> qp.real.postSend(signaled(SendWorkRequest.localInvalidate(id, key), step.signaled())));
    }

    @Override
    public void sendInvalidate(Step.SendInvalidate step) {
        QpSlot qp = qp(step.qp());
        int key = words.keyOf(step.key());
        long id = ++lastId;
        receive(qp.peerIn(bench.queuePairs), step.receiving());
        qp.fill(id, step.length());
        bench.agree(
                qp.model.hca().sendWithInvalidate(qp.model, id, step.signaled(), key, qp.space, 0, step.length()),
                () -> qp.real.postSend(signaled(
                        SendWorkRequest.sendWithInvalidate(id, key, qp.local(step.length())), step.signaled())));
    }

    @Override
    public void access(Step.Access step) {
        QpSlot qp = qp(step.qp());
        Operation operation = step.operation();
        int length = operation.isAtomic() ? Long.BYTES : step.length();
        long address = words.addressOf(step.spot(), operation, length);
        int key = words.keyOf(step.key());
        long id = ++lastId;
        if (operation == Operation.WRITE_WITH_IMM) {
            receive(qp.peerIn(bench.queuePairs), step.receiving());
        }
        qp.fill(id, length);
        Request request =
                new Request(id, step.signaled(), operation, address, key, qp.space, 0, length, id % 2, id, (int) ~id);
        bench.agree(
                qp.model.hca().post(qp.model, request),
                () -> qp.real.postSend(signaled(realRequest(request, qp.local(length)), step.signaled())));
    }

    private static SendWorkRequest realRequest(Request request, Sge local) {
        long id = request.id();
        long address = request.address();
        int key = request.key();
        return switch (request.operation()) {
            case WRITE -> SendWorkRequest.write(id, address, key, local);
            case WRITE_WITH_IMM -> SendWorkRequest.writeWithImmediate(id, address, key, request.immediate(), local);
            case READ -> SendWorkRequest.read(id, address, key, local);
            case COMPARE_SWAP ->
                SendWorkRequest.compareAndSwap(id, address, key, request.compareOrAdd(), request.swap(), local);
            case FETCH_ADD -> SendWorkRequest.fetchAndAdd(id, address, key, request.compareOrAdd(), local);
        };
    }

    private static SendWorkRequest signaled(SendWorkRequest request, boolean signaled) {
        return signaled ? request : request.unsignaled();
    }

    private void receive(QpSlot qp, Receiving receiving) {
        if (receiving != Receiving.NOTHING && qp.model.nextReceive() == null) {
            int room = receiving == Receiving.ROOM ? ROOM_BYTES : LITTLE_ROOM_BYTES;
            Receive receive = qp.receive(++lastId, room);
            bench.agree(qp.model.postReceive(receive), () -> qp.real.postRecv(qp.realReceive(receive)));
        }
    }

    @Override
    public void register(Step.Register step) {
        RegionSlot slot = bench.regions.get(step.region() - 1);
        if (slot.model.isRegistered() && !deregister(slot)) {
            return;
        }
        PdSlot pd = bench.domain(step.pd());
        Answer answer = pd.model.hca().register(pd.model, step.access());
        if (answer.isOk()) {
            RegionSlot fresh = bench.registered(step);
            slot.model = fresh.model;
            slot.real = fresh.real;
        } else {
            bench.agree(answer, () -> pd.real.register(pd.memory, step.offset(), step.length(), step.access()));
        }
    }

    @Override
    public void deregister(Step.Deregister step) {
        deregister(bench.regions.get(step.region() - 1));
    }

    private boolean deregister(RegionSlot slot) {
        return bench.agree(slot.model.pd().hca().deregister(slot.model), slot.real::close);
    }

    @Override
    public void end(Step.End step) {
        QpSlot qp = qp(step.qp());
        switch (step.ending()) {
            case RESET -> reset(qp);
            case ERR -> bench.agree(qp.model.fail(), () -> qp.real.modify(new QpAttributes().state(QpState.ERR)));
            case DESTROY -> destroy(qp);
        }
    }

    private void reset(QpSlot qp) {
        bench.agree(qp.model.reset(), () -> qp.real.modify(new QpAttributes().state(QpState.RESET)));
    }

    private boolean destroy(QpSlot qp) {
        return bench.agree(qp.model.hca().destroy(qp.model), qp.real::close);
    }

    @Override
    public void mend(Step.Mend step) {
        isIdle = true;
        for (int i = 1; i < bench.queuePairs.size(); i += 2) {
            QpSlot one = qp(i);
            QpSlot other = qp(i + 1);
            boolean isMeant = step.pair() == 0 ? !one.model.isConnectedTo(other.model) : (i + 1) / 2 == step.pair();
            if (isMeant) {
                isIdle = false;
                begin(one, step.anew());
                begin(other, step.anew());
                connect(one, other, i);
            }
        }
    }

    /** To RESET in one of the ways there are. */
    private void begin(QpSlot qp, boolean anew) {
        if (qp.model.isDestroyed() || (anew && destroy(qp))) {
            qp.createAgain();
        } else {
            reset(qp);
        }
    }

    /** With sequence numbers that no other connection has used, so that a stranger's packets are no good. */
    private void connect(QpSlot one, QpSlot other, int number) {
        RcConnection connection = number == Ground.WITHOUT_ATOMICS ? WITHOUT_ATOMICS : CONNECTION;
        int psn = ++connections * FIRST_PSN_OF_A_CONNECTION & PSN_MASK;
        connection.readyToReceive(one.real, Endpoint.of(other.real, psn));
        connection.readyToReceive(other.real, Endpoint.of(one.real, psn));
        connection.readyToSend(one.real, psn);
        connection.readyToSend(other.real, psn);
        Qp.join(one.model, other.model, connection.access());
    }

    @Override
    public void ready(Step.Ready step) {
        WindowSlot window = bench.windows.get(step.window() - 1);
        prepare(step.window());
        isIdle = window.model.binding() != null;
        if (!isIdle) {
            bind(new Step.Bind(
                    Ground.WINDOWS.get(step.window() - 1).qp(),
                    step.window(),
                    false,
                    false,
                    Ground.usualRegion(step.window()),
                    step.offset(),
                    step.length(),
                    step.access(),
                    Keys.next(window.model.lastKey()),
                    true));
        }
    }

    /** Connection, region and window are there, and the window is not bound to a life that is over. */
    private void prepare(int number) {
        Home home = Ground.WINDOWS.get(number - 1);
        QpSlot qp = qp(home.qp());
        if (!qp.model.isConnectedTo(qp.peerIn(bench.queuePairs).model)) {
            mend(new Step.Mend((home.qp() + 1) / 2, false));
            bench.compare();
        }
        int region = Ground.usualRegion(number);
        if (!bench.regions.get(region - 1).model.isRegistered()) {
            register(Ground.REGIONS.get(region - 1));
        }
        WindowSlot window = bench.windows.get(number - 1);
        Binding binding = window.model.binding();
        if (!window.model.isAllocated() || (binding != null && binding.isUnreachable())) {
            allocate(new Step.Allocate(number, home.pd(), Ground.TYPES.get(number - 1)));
        }
    }

    @Override
    public void freePd(Step.FreePd step) {
        PdSlot pd = bench.domain(step.pd());
        if (bench.agree(pd.model.hca().deallocatePd(pd.model), pd.real::close)) {
            bench.allocateDomain(step.pd());
        }
    }

    private QpSlot qp(int number) {
        return bench.queuePairs.get(number - 1);
    }
}
