// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.call.Answers;

/** Made by SymbolsTest of symbols.txt. */
public final class CmAnswers {

    public static final int SYMBOLS = 1379706359;

    private CmAnswers() {}

    public static final class OfAddresses extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 107 -> Addresses.rdma_getaddrinfo(a, b, c, d);
                case 108 -> {
                    Addresses.rdma_freeaddrinfo(a);
                    yield 0;
                }
                case 109 -> Addresses.rdma_resolve_addrinfo(a, b, c, d);
                case 110 -> Addresses.rdma_query_addrinfo(a, b);
                case 111 -> Addresses.rdma_get_devices(a);
                case 112 -> {
                    Addresses.rdma_free_devices(a);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfChannels extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 70 -> Channels.rdma_create_event_channel();
                case 71 -> {
                    Channels.rdma_destroy_event_channel(a);
                    yield 0;
                }
                case 72 -> Channels.rdma_ack_cm_event(a);
                case 73 -> Channels.rdma_event_str((int) a);
                case 74 -> Channels.rdma_write_cm_event(a, (int) b, (int) c, d);
                case 217 -> Channels.take_cm_event(a, b);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfEndpoints extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 98 -> Endpoints.rdma_create_ep(a, b, c, d);
                case 99 -> {
                    Endpoints.rdma_destroy_ep(a);
                    yield 0;
                }
                case 100 -> Endpoints.rdma_get_request(a, b);
                case 101 -> Endpoints.rdma_create_qp(a, b, c);
                case 102 -> Endpoints.rdma_create_qp_ex(a, b);
                case 103 -> {
                    Endpoints.rdma_destroy_qp(a);
                    yield 0;
                }
                case 104 -> Endpoints.rdma_create_srq(a, b, c);
                case 105 -> Endpoints.rdma_create_srq_ex(a, b);
                case 106 -> {
                    Endpoints.rdma_destroy_srq(a);
                    yield 0;
                }
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfIds extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 75 -> Ids.rdma_create_id(a, b, c, (int) d);
                case 76 -> Ids.rdma_destroy_id(a);
                case 77 -> Ids.rdma_bind_addr(a, b);
                case 78 -> Ids.rdma_resolve_addr(a, b, c, (int) d);
                case 79 -> Ids.rdma_resolve_route(a, (int) b);
                case 80 -> Ids.rdma_listen(a, (int) b);
                case 81 -> Ids.rdma_connect(a, b);
                case 82 -> Ids.rdma_establish(a);
                case 83 -> Ids.rdma_accept(a, b);
                case 84 -> Ids.rdma_reject(a, b, (int) c);
                case 85 -> Ids.rdma_reject_ece(a, b, (int) c);
                case 86 -> Ids.rdma_notify(a, (int) b);
                case 87 -> Ids.rdma_disconnect(a);
                case 88 -> Ids.rdma_migrate_id(a, b);
                case 90 -> Ids.rdma_get_src_port(a);
                case 91 -> Ids.rdma_get_dst_port(a);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }

    public static final class OfOptions extends Answers {
        @Override
        protected long call(int index, long a, long b, long c, long d, long e, long f) {
            return switch (index) {
                case 89 -> Options.rdma_set_option(a, (int) b, (int) c, d, e);
                case 92 -> Options.rdma_init_qp_attr(a, b, c);
                case 93 -> Options.rdma_set_local_ece(a, b);
                case 94 -> Options.rdma_get_remote_ece(a, b);
                case 95 -> Options.rdma_join_multicast(a, b, c);
                case 96 -> Options.rdma_join_multicast_ex(a, b, c);
                case 97 -> Options.rdma_leave_multicast(a, b);
                default -> throw new IllegalArgumentException("index=" + index);
            };
        }
    }
}
