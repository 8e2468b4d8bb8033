// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.event.Destruction;
import dev.verbatim.device.event.EventDebt;
import dev.verbatim.device.event.EventElement;
import dev.verbatim.device.receive.EmulatedXrcDomain;
import dev.verbatim.fabric.Doorbell;
import dev.verbatim.fabric.Lane;
import dev.verbatim.inspect.QpInspector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.QueuePair;
import dev.verbatim.verbs.ReceiveWorkRequest;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.SendWorkRequest;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBind;
import dev.verbatim.verbs.WrOpcode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue pair as programs have it. Programs post from any thread; everything else happens on the lane, to its {@link QpContext}. */
public final class EmulatedQueuePair implements QueuePair, EventElement {

    private static final Duration LONGEST_HOLD = Duration.ofHours(1);

    private final QueuePairs owner;
    private final QpInitAttributes initAttributes;
    private final @Nullable EmulatedCompletionQueue sendCq;
    private final @Nullable EmulatedCompletionQueue recvCq;
    final QpContext context;
    private final DeviceContext device;
    private final Lane lane;
    private final Posting posting;
    private final Doorbell doorbell;
    private final @Nullable QpInspector inspector;
    private final EventDebt eventDebt = new EventDebt();

    EmulatedQueuePair(
            QueuePairs owner,
            PdIdentity domain,
            @Nullable EmulatedXrcDomain xrcDomain,
            int number,
            QpInitAttributes initAttributes,
            @Nullable EmulatedCompletionQueue sendCq,
            @Nullable EmulatedCompletionQueue recvCq) {
        this.owner = owner;
        this.initAttributes = initAttributes;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.context =
                new QpContext(owner.environment(), this, domain, xrcDomain, number, initAttributes, sendCq, recvCq);
        this.device = context.device();
        this.inspector = context.trace().inspector();
        this.lane = device.lane();
        this.posting = new Posting(context);
        this.doorbell = new WorkDoorbell(context);
    }

    /** The queue pair as the device has it. */
    public QpContext context() {
        return context;
    }

    @Override
    public Device device() {
        return device.handle();
    }

    @Override
    public @Nullable ProtectionDomain pd() {
        return initAttributes.type() == QpType.XRC_RECV
                ? null
                : context.domain().handle();
    }

    @Override
    public int number() {
        return context.number();
    }

    @Override
    public QpState state() {
        return context.state();
    }

    @Override
    public QpInitAttributes initAttributes() {
        return initAttributes;
    }

    @Override
    public QpAttributes query() {
        return device.onLane(() -> {
            context.requireOpen();
            return context.lifecycle().query();
        });
    }

    @Override
    public void modify(QpAttributes values, int mask) {
        VerbsException.requireNonNull(values, "attributes");
        device.callTold(() -> {
            context.requireOpen();
            context.lifecycle().modify(values, mask);
        });
    }

    @Override
    public void postSend(SendWorkRequest request) {
        if (inspector != null) {
            inspector.postBegins();
        }
        try {
            posting.post(request);
        } finally {
            sendPosted();
        }
    }

    @Override
    public void postSend(List<SendWorkRequest> chain) {
        if (inspector != null) {
            inspector.postBegins();
        }
        try {
            posting.postSends(chain);
        } finally {
            sendPosted();
        }
    }

    @Override
    public void postAll(List<SendWorkRequest> batch) {
        if (inspector != null) {
            inspector.postBegins();
        }
        try {
            posting.postAll(batch);
        } finally {
            sendPosted();
        }
    }

    @Override
    public void bindWindow(MemoryWindow window, WindowBind bind) {
        if (inspector != null) {
            inspector.postBegins();
        }
        try {
            posting.bind(window, bind);
        } finally {
            sendPosted();
        }
    }

    private void sendPosted() {
        lane.ring(doorbell);
        lane.giveWay();
        if (inspector != null) {
            inspector.postEnds();
        }
    }

    @Override
    public void postRecv(ReceiveWorkRequest request) {
        posting.post(request);
        receivePosted();
    }

    @Override
    public void postRecv(List<ReceiveWorkRequest> chain) {
        try {
            posting.postReceives(chain);
        } finally {
            receivePosted();
        }
    }

    /** A receive is found when a message needs it; only a queue pair in ERR has to be told, to flush it (QP-23). */
    private void receivePosted() {
        if (context.state() == QpState.ERR) {
            lane.ring(doorbell);
        }
        lane.giveWay();
    }

    @Override
    public void holdReceives(Duration time) {
        VerbsException.requireNonNull(time, "time");
        if (time.isNegative() || time.compareTo(LONGEST_HOLD) > 0) {
            throw VerbsException.of(
                    Errno.EINVAL, Rule.WC_47, "time=%s is not in %s..%s", time, Duration.ZERO, LONGEST_HOLD);
        }
        device.onLane(() -> {
            context.requireOpen();
            context.receives().hold(time.toNanos());
            return time;
        });
    }

    @Override
    public boolean queryDataInOrder(WrOpcode opcode) {
        VerbsException.requireNonNull(opcode, "opcode");
        device.decidedOutside(Rule.QP_09);
        return !owner.environment().memory().placements().holds();
    }

    @Override
    public void close() {
        if (inspector != null) {
            inspector.closeBegins();
        }
        Destruction.of(
                device,
                this,
                Rule.QP_06,
                () -> {
                    context.requireNotDestroyed();
                    context.windows().requireDestroyable();
                },
                () -> {
                    destroy();
                    device.closed(this);
                });
    }

    /** Ends it, in whatever state. On the lane. */
    void destroy() {
        context.destroy();
        QpCreation.release(initAttributes, sendCq, recvCq);
        owner.release(this);
    }

    @Override
    public EventDebt eventDebt() {
        return eventDebt;
    }

    @Override
    public int tracedQp() {
        return context.number();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
