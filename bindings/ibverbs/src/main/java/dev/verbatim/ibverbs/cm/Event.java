// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_event;
import dev.verbatim.ibverbs.abi.Layouts.rdma_conn_param;
import dev.verbatim.ibverbs.abi.Layouts.rdma_ud_param;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.verbs.Vectors;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Errno;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A {@code struct rdma_cm_event}, until it is acknowledged. */
final class Event extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<Event> TABLE = new Table<>(new Field.I32(rdma_cm_event.SIZE), "rdma_cm_event");

    /** Behind the handle. */
    private static final int DATA = rdma_cm_event.SIZE + Long.BYTES;

    /** {@code RDMA_CM_EVENT_ADDRINFO_RESOLVED}, {@code RDMA_CM_EVENT_USER}. */
    static final int ADDRINFO_RESOLVED = 16, USER = 18;

    /** Whose acknowledgement an identifier waits for when it is destroyed. */
    private final Id counted;

    private final @Nullable CmEvent event;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    /**
     * Describes an event of the device.
     *
     * @param id of the event; that of the new connection for a request
     * @param listener of a request; null for other events
     */
    Event(CmEvent event, Id id, @Nullable Id listener) {
        super(DATA + event.privateData().length);
        this.event = event;
        this.counted = listener == null ? id : listener;
        rdma_cm_event.id.set(address(), id.address());
        rdma_cm_event.listen_id.set(address(), listener == null ? 0 : listener.address());
        rdma_cm_event.event.set(address(), event.type().number());
        rdma_cm_event.status.set(address(), event.status());
        byte[] data = event.privateData();
        if (data.length > 0) {
            Native.putBytes(address() + DATA, data, data.length);
            rdma_conn_param.private_data.set(parameters(), address() + DATA);
            rdma_conn_param.private_data_len.set(parameters(), data.length);
        }
        if (id.isDatagram()) {
            describeDatagram(event);
        } else {
            describeConnection(event.parameters());
        }
        TABLE.add(this);
    }

    /**
     * An event that no device tells of.
     *
     * @param argument {@code param.arg}
     */
    Event(Id id, int type, int status, long argument) {
        super(DATA);
        this.event = null;
        this.counted = id;
        rdma_cm_event.id.set(address(), id.address());
        rdma_cm_event.event.set(address(), type);
        rdma_cm_event.status.set(address(), status);
        Native.putLong(parameters(), argument);
        TABLE.add(this);
    }

    /** Of the union that begins with data and length in both cases. */
    private long parameters() {
        return rdma_cm_event.param.of(address());
    }

    private void describeConnection(ConnectionParameters said) {
        long conn = parameters();
        rdma_conn_param.responder_resources.set(conn, said.responderResources());
        rdma_conn_param.initiator_depth.set(conn, said.initiatorDepth());
        rdma_conn_param.flow_control.set(conn, said.flowControl() ? 1 : 0);
        rdma_conn_param.retry_count.set(conn, said.retryCount());
        rdma_conn_param.rnr_retry_count.set(conn, said.rnrRetryCount());
        rdma_conn_param.srq.set(conn, said.srq() ? 1 : 0);
        rdma_conn_param.qp_num.set(conn, said.qpNumber());
    }

    private void describeDatagram(CmEvent said) {
        long ud = parameters();
        AddressVector vector = said.addressVector();
        if (vector != null) {
            Vectors.write(vector, rdma_ud_param.ah_attr.of(ud));
        }
        rdma_ud_param.qp_num.set(ud, said.parameters().qpNumber());
        rdma_ud_param.qkey.set(ud, said.queueKey());
    }

    int type() {
        return rdma_cm_event.event.get(address());
    }

    int status() {
        return rdma_cm_event.status.get(address());
    }

    /** What happened, as a sentence. */
    String explanation() {
        return event == null ? "event " + type() : event.explanation();
    }

    boolean isAbout(Id id) {
        return counted.address() == id.address();
    }

    /** The program gets it; false if its identifier is being destroyed, and the event with it. */
    boolean isTaken() {
        return counted.eventTaken() || !drop();
    }

    /** It is not needed: nobody has got it. Returns true. */
    boolean drop() {
        TABLE.remove(this);
        return true;
    }

    /**
     * The program has seen it.
     *
     * @throws Refused EINVAL if it was acknowledged before
     */
    void acknowledge() {
        if (acknowledged.getAndSet(true)) {
            throw new Refused(Errno.EINVAL.number(), "the event was acknowledged before");
        }
        TABLE.remove(this);
        if (event != null) {
            event.acknowledge();
        }
        counted.eventAcknowledged();
    }
}
