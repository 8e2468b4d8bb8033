// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.qp;

import dev.verbatim.device.context.QpTrace;
import dev.verbatim.device.memory.CurrentPacket;
import dev.verbatim.fabric.ChoicePoint;
import dev.verbatim.fabric.Link;
import dev.verbatim.fabric.PacketSource;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.wire.Packet;
import dev.verbatim.wire.PlainAnswer;
import dev.verbatim.wire.PlainRequest;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One of the two packet sources of a queue pair, requester or responder: announced to the link when it may have a packet. */
public final class PacketOutput implements PacketSource {

    private final QpTrace trace;
    private final CurrentPacket currentPacket;
    private final Consumer<Throwable> stepFailed;
    private final String role;
    private final @Nullable Supplier<@Nullable Link> way;
    private final Predicate<Packet> engine;
    private final BooleanSupplier more;
    private final BooleanSupplier nothing;
    private final Supplier<ChoicePoint> point;
    private @Nullable TransportEngine plain;
    private @Nullable TransportEngine plainAnswers;
    private @Nullable Link link;
    private @Nullable AddressVector path;
    private boolean announced;
    private boolean pulling;
    private boolean announcedMeanwhile;

    /**
     * A source that has no packets yet.
     *
     * @param currentPacket is told which packet is filled
     * @param stepFailed takes what is thrown while a packet is filled
     * @param way over which link the next packet goes; null if all go over the link of the queue pair
     * @param engine fills the next packet, or has none
     * @param more whether it may have one
     * @param nothing whether it surely has none until it is announced
     * @param point what lets that packet wait
     */
    PacketOutput(
            QpTrace trace,
            CurrentPacket currentPacket,
            Consumer<Throwable> stepFailed,
            String role,
            @Nullable Supplier<@Nullable Link> way,
            Predicate<Packet> engine,
            BooleanSupplier more,
            BooleanSupplier nothing,
            Supplier<ChoicePoint> point) {
        this.trace = trace;
        this.currentPacket = currentPacket;
        this.stepFailed = stepFailed;
        this.role = role;
        this.way = way;
        this.engine = engine;
        this.more = more;
        this.nothing = nothing;
        this.point = point;
    }

    /** The engine begins requests on the fast path too. */
    void begin(TransportEngine engine) {
        plain = engine;
    }

    /** The engine gives answers on the fast path too. */
    void answer(TransportEngine engine) {
        plainAnswers = engine;
    }

    /** There may be something to send. */
    public void announce() {
        Link to = way == null ? link : way.get();
        announcedMeanwhile |= pulling;
        if (!announced && to != null) {
            announced = true;
            try {
                to.ready(this);
            } catch (RuntimeException | Error e) {
                announced = false;
                throw e;
            }
        }
    }

    /** The queue pair has another link, or none: a link that it left passes over it and says nothing. */
    void moved(@Nullable Link now, @Nullable AddressVector vector) {
        link = now;
        path = vector;
        announced = false;
    }

    @Override
    public boolean mayWait() {
        return plainAnswers != null && plainAnswers.responseMayWait();
    }

    @Override
    public boolean hasMore() {
        try {
            return more.getAsBoolean();
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    public boolean staysAt(@Nullable Link over) {
        if ((way == null ? link : way.get()) != over) {
            return false;
        }
        announced = !nothing.getAsBoolean();
        return announced;
    }

    @Override
    public void failed(Throwable thrown) {
        announced = false;
        stepFailed.accept(thrown);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a link is its identity
    public boolean pull(Packet packet) {
        announcedMeanwhile = false;
        pulling = true;
        try {
            Link over = way == null ? link : way.get();
            currentPacket.is(packet);
            boolean filled = engine.test(packet);
            pulling = false;
            if (!filled) {
                announced = false;
                if (announcedMeanwhile) {
                    announce();
                }
                return false;
            }
            trace.sent(packet, over);
            if ((way == null ? link : way.get()) != over) {
                // The next packet goes another way: this link passes over what has left it.
                announced = false;
                announce();
            }
            return true;
        } catch (RuntimeException | Error e) {
            pulling = false;
            failed(e);
            return false;
        }
    }

    @Override
    public boolean begin(PlainRequest request, boolean isAlone) {
        try {
            return plain != null && plain.beginPlain(request, isAlone);
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    public void handedOver(PlainRequest request) {
        try {
            if (plain != null) {
                plain.plainHandedOver(request);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public boolean pull(PlainAnswer answer) {
        try {
            return plainAnswers != null && plainAnswers.pullPlainResponse(answer);
        } catch (RuntimeException | Error e) {
            failed(e);
            return false;
        }
    }

    @Override
    public @Nullable Link link() {
        return way == null ? link : way.get();
    }

    @Override
    public int queuePair() {
        return trace.number();
    }

    @Override
    public @Nullable AddressVector path() {
        return path;
    }

    @Override
    public ChoicePoint point() {
        return point.get();
    }

    /** Its name in a simulation. */
    @Override
    public String toString() {
        return trace + " " + role;
    }
}
