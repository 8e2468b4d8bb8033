// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.DeviceContext;
import dev.verbatim.device.context.GrantedSizes;
import dev.verbatim.device.context.NumberedTable;
import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.cq.EmulatedCompletionQueue;
import dev.verbatim.device.memory.SeededPermutation;
import dev.verbatim.device.receive.EmulatedXrcDomain;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.profile.DeviceProfile;
import dev.verbatim.verbs.QpInitAttributes;
import dev.verbatim.verbs.Rule;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The queue pairs of a device by number. On the lane. */
public final class QueuePairs {

    /** How many numbers may be left out, less one, where numbers are left to choice (N14). */
    private static final int MOST_NUMBERS_LEFT_OUT = 4;

    private final QpEnvironment environment;
    private final NumberedTable<EmulatedQueuePair> table;

    /**
     * No queue pairs yet.
     *
     * @param seed for the order of their numbers; empty if they count up
     */
    public QueuePairs(QpEnvironment environment, OptionalLong seed) {
        this.environment = environment;
        int count = environment.device().profile().qpNumbers();
        int first = DeviceProfile.FIRST_QP_NUMBER;
        int last = first + count - 1;
        this.table = seed.isPresent()
                ? new NumberedTable<>(first, last, new SeededPermutation(first, last, seed.getAsLong()))
                : new NumberedTable<>(first, last);
    }

    QpEnvironment environment() {
        return environment;
    }

    /**
     * Makes a queue pair, if what is asked for can be granted.
     *
     * @param xrcDomain of type XRC_RECV only
     */
    public EmulatedQueuePair create(PdIdentity pd, @Nullable EmulatedXrcDomain xrcDomain, QpInitAttributes asked) {
        DeviceContext device = environment.device();
        DeviceProfile profile = device.profile();
        EmulatedCompletionQueue sendCq = QpCreation.sendCq(device, asked);
        EmulatedCompletionQueue recvCq = QpCreation.recvCq(device, asked);
        QpInitAttributes attributes = QpCreation.granted(device, asked);
        GrantedSizes.requireRoom(
                "max_qp", Rule.MR_16, table.size(), profile.limits().maxQp());
        GrantedSizes.requireRoom("qp_numbers", Rule.MR_16, table.size(), profile.qpNumbers());
        QpCreation.reserve(attributes, sendCq, recvCq);
        int number = table.nextFree(device.choose(ChoicePoint.QP_NUMBER, MOST_NUMBERS_LEFT_OUT));
        device.decided(number, Rule.QP_01);
        device.decided(number, Rule.QP_08);
        EmulatedQueuePair queuePair = new EmulatedQueuePair(this, pd, xrcDomain, number, attributes, sendCq, recvCq);
        table.put(number, queuePair);
        queuePair.context().begin();
        return queuePair;
    }

    /** The queue pair of that number; null if there is none. */
    @Nullable
    public QpContext get(int number) {
        EmulatedQueuePair queuePair = table.get(number);
        return queuePair == null ? null : queuePair.context;
    }

    public int count() {
        return table.size();
    }

    /** Visits all, by number; makes nothing, since the heap may be full. */
    public void forEach(Consumer<EmulatedQueuePair> visitor) {
        table.forEach(visitor);
    }

    void release(EmulatedQueuePair queuePair) {
        table.remove(queuePair.number());
        environment.events().forget(queuePair);
    }

    /** The device is closed with all that it has. */
    public void destroyAll() {
        table.forEach(EmulatedQueuePair::destroy);
    }
}
