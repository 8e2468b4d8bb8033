// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.soak.verb;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Everything that threads do: a new verb is one row. */
final class Verbs {

    private static final long REST_NANOS = 50_000;

    static final List<Verb> TABLE = List.of(
            new Verb("rest", 300, worker -> LockSupport.parkNanos(REST_NANOS)),
            new Verb("post_send", 700, Traffic::send),
            new Verb("post_send chain", 120, Traffic::sendChain),
            new Verb("bind_mw", 30, Traffic::bindTypeOne),
            new Verb("post_recv", 500, Traffic::receive),
            new Verb("post_recv chain", 80, Traffic::receiveChain),
            new Verb("poll_cq", 1000, Completions::poll),
            new Verb("req_notify_cq", 60, Completions::arm),
            new Verb("get_cq_event", 60, Completions::event),
            new Verb("get_async_event", 60, Completions::asyncEvent),
            new Verb("ack events", 40, worker -> worker.acknowledge(2)),
            new Verb("connect", 120, Connections::connectIfBroken),
            new Verb("reconnect", 4, Connections::connect),
            new Verb("modify_qp RESET", 2, Connections::reset),
            new Verb("modify_qp ERR", 2, Connections::toError),
            new Verb("modify_qp SQD", 4, Connections::drain),
            new Verb("modify_qp RTS", 12, Connections::resume),
            new Verb("modify_qp any", 20, Connections::modifyAnyhow),
            new Verb("modify_qp wrong", 8, Connections::modifyWrongly),
            new Verb("query_qp", 20, Connections::query),
            new Verb("create_qp wrong", 4, Connections::createWrongly),
            new Verb("destroy_qp", 3, Connections::destroy),
            new Verb("reg_mr", 60, Regions::register),
            new Verb("rereg_mr", 8, Regions::reregister),
            new Verb("reg_mr wrong", 10, Regions::registerWrongly),
            new Verb("dereg_mr", 10, Regions::deregister),
            new Verb("alloc_mw", 30, Regions::allocateWindow),
            new Verb("dealloc_mw", 12, Regions::deallocateWindow),
            new Verb("look at free memory", 10, Regions::look),
            new Verb("create_srq", 12, SharedReceives::create),
            new Verb("create_srq wrong", 3, SharedReceives::createWrongly),
            new Verb("post_srq_recv", 120, SharedReceives::receive),
            new Verb("modify_srq", 12, SharedReceives::modify),
            new Verb("destroy_srq", 4, SharedReceives::destroy),
            new Verb("alloc_pd", 6, Objects::allocatePd),
            new Verb("dealloc_pd", 4, Objects::deallocatePd),
            new Verb("create_cq", 20, Objects::createCq),
            new Verb("create_cq wrong", 4, Objects::createCqWrongly),
            new Verb("resize_cq", 12, Objects::resizeCq),
            new Verb("open_xrcd", 4, Objects::openXrcDomain),
            new Verb("create_ah", 20, Objects::createAddressHandle),
            new Verb("destroy_ah", 5, Objects::destroyAddressHandle),
            new Verb("destroy_cq", 8, Objects::destroyCq),
            new Verb("create_comp_channel", 6, Objects::createChannel),
            new Verb("destroy_comp_channel", 4, Objects::destroyChannel),
            new Verb("inject", 2, Objects::inject),
            new Verb("query_device", 4, Objects::query));

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
