// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.soak.verb;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Everything that threads do: a new verb is one row. */
final class Verbs {

    private static final long REST_NANOS = 50_000;

    static final List<Verb> TABLE = List.of(
            new Verb("rest", 300, worker -> LockSupport.parkNanos(REST_NANOS)),
            new Verb("post_send", 700, PostVerbs::send),
            new Verb("post_send chain", 120, PostVerbs::sendChain),
            new Verb("bind_mw", 30, PostVerbs::bindTypeOne),
            new Verb("post_recv", 500, PostVerbs::receive),
            new Verb("post_recv chain", 80, PostVerbs::receiveChain),
            new Verb("poll_cq", 1000, CqVerbs::poll),
            new Verb("req_notify_cq", 60, CqVerbs::arm),
            new Verb("get_cq_event", 60, CqVerbs::event),
            new Verb("get_async_event", 60, CqVerbs::asyncEvent),
            new Verb("ack events", 40, worker -> worker.acknowledge(2)),
            new Verb("connect", 120, QpVerbs::connectIfBroken),
            new Verb("reconnect", 4, QpVerbs::connect),
            new Verb("modify_qp RESET", 2, QpVerbs::reset),
            new Verb("modify_qp ERR", 2, QpVerbs::toError),
            new Verb("modify_qp SQD", 4, QpVerbs::drain),
            new Verb("modify_qp RTS", 12, QpVerbs::resume),
            new Verb("modify_qp any", 20, QpVerbs::modifyAnyhow),
            new Verb("modify_qp wrong", 8, QpVerbs::modifyWrongly),
            new Verb("query_qp", 20, QpVerbs::query),
            new Verb("create_qp wrong", 4, QpVerbs::createWrongly),
            new Verb("destroy_qp", 3, QpVerbs::destroy),
            new Verb("reg_mr", 60, MemoryVerbs::register),
            new Verb("rereg_mr", 8, MemoryVerbs::reregister),
            new Verb("reg_mr wrong", 10, MemoryVerbs::registerWrongly),
            new Verb("dereg_mr", 10, MemoryVerbs::deregister),
            new Verb("alloc_mw", 30, MemoryVerbs::allocateWindow),
            new Verb("dealloc_mw", 12, MemoryVerbs::deallocateWindow),
            new Verb("look at free memory", 10, MemoryVerbs::look),
            new Verb("create_srq", 12, SrqVerbs::create),
            new Verb("create_srq wrong", 3, SrqVerbs::createWrongly),
            new Verb("post_srq_recv", 120, SrqVerbs::receive),
            new Verb("modify_srq", 12, SrqVerbs::modify),
            new Verb("destroy_srq", 4, SrqVerbs::destroy),
            new Verb("alloc_pd", 6, ObjectVerbs::allocatePd),
            new Verb("dealloc_pd", 4, ObjectVerbs::deallocatePd),
            new Verb("create_cq", 20, ObjectVerbs::createCq),
            new Verb("create_cq wrong", 4, ObjectVerbs::createCqWrongly),
            new Verb("resize_cq", 12, ObjectVerbs::resizeCq),
            new Verb("open_xrcd", 4, ObjectVerbs::openXrcDomain),
            new Verb("create_ah", 20, ObjectVerbs::createAddressHandle),
            new Verb("destroy_ah", 5, ObjectVerbs::destroyAddressHandle),
            new Verb("destroy_cq", 8, ObjectVerbs::destroyCq),
            new Verb("create_comp_channel", 6, ObjectVerbs::createChannel),
            new Verb("destroy_comp_channel", 4, ObjectVerbs::destroyChannel),
            new Verb("inject", 2, ObjectVerbs::inject),
            new Verb("query_device", 4, ObjectVerbs::query));

    private static final int SUM = TABLE.stream().mapToInt(Verb::weight).sum();

    private Verbs() {}

    static Verb draw(RandomGenerator random) {
        int at = random.nextInt(SUM);
        for (Verb verb : TABLE) {
            at -= verb.weight();
            if (at < 0) {
                return verb;
            }
        }
        throw new IllegalStateException("weights sum to less than " + SUM);
    }
}
