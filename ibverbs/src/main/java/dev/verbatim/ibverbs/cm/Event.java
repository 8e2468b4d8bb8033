// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.cm.CmEvent;
import dev.verbatim.cm.CmEventType;
import dev.verbatim.cm.ConnectionParameters;
import dev.verbatim.cm.PortSpace;
import dev.verbatim.ibverbs.abi.Field;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_event;
import dev.verbatim.ibverbs.abi.Layouts.rdma_conn_param;
import dev.verbatim.ibverbs.abi.Layouts.rdma_ud_param;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Struct;
import dev.verbatim.ibverbs.call.Table;
import dev.verbatim.ibverbs.verbs.Vectors;
import dev.verbatim.verbs.AddressVector;

/** A {@code struct rdma_cm_event}, until it is acknowledged. */
final class Event extends Struct {

    /** The struct has no handle, so one is behind it. */
    static final Table<Event> TABLE = new Table<>(new Field.I32(rdma_cm_event.SIZE), "rdma_cm_event");

    private final CmEvent event;
    private final long privateData;

    /**
     * Describes an event.
     *
     * @param listener of a request; 0 for other events
     */
    Event(CmEvent event, Id id, long listener) {
        super(rdma_cm_event.SIZE + Long.BYTES);
        this.event = event;
        byte[] bytes = event.privateData();
        privateData = bytes.length == 0 ? 0 : Native.allocate(bytes.length);
        if (privateData != 0) {
            Native.putBytes(privateData, bytes, bytes.length);
        }
        rdma_cm_event.id.set(address(), id.address());
        rdma_cm_event.listen_id.set(address(), listener);
        rdma_cm_event.event.set(address(), event.type().number());
        rdma_cm_event.status.set(address(), event.status());
        if (id.portSpace() == PortSpace.UDP) {
            describeDatagram(bytes.length);
        } else {
            describeConnection(bytes.length);
        }
        TABLE.add(this);
    }

    private void describeConnection(int length) {
        long conn = rdma_cm_event.param$conn.of(address());
        ConnectionParameters parameters = event.parameters();
        rdma_conn_param.private_data.set(conn, privateData);
        rdma_conn_param.private_data_len.set(conn, length);
        rdma_conn_param.responder_resources.set(conn, parameters.responderResources());
        rdma_conn_param.initiator_depth.set(conn, parameters.initiatorDepth());
        rdma_conn_param.flow_control.set(conn, parameters.flowControl() ? 1 : 0);
        rdma_conn_param.retry_count.set(conn, parameters.retryCount());
        rdma_conn_param.rnr_retry_count.set(conn, parameters.rnrRetryCount());
        rdma_conn_param.srq.set(conn, parameters.srq() ? 1 : 0);
        rdma_conn_param.qp_num.set(conn, parameters.qpNumber());
    }

    private void describeDatagram(int length) {
        long ud = rdma_cm_event.param$ud.of(address());
        rdma_ud_param.private_data.set(ud, privateData);
        rdma_ud_param.private_data_len.set(ud, length);
        AddressVector vector = event.addressVector();
        if (vector != null) {
            Vectors.write(vector, rdma_ud_param.ah_attr.of(ud));
        }
        rdma_ud_param.qp_num.set(ud, event.parameters().qpNumber());
        rdma_ud_param.qkey.set(ud, event.queueKey());
    }

    CmEvent event() {
        return event;
    }

    CmEventType type() {
        return event.type();
    }

    /** The program has seen it. */
    void acknowledge() {
        TABLE.remove(this);
        Native.free(privateData);
        event.acknowledge();
    }
}
