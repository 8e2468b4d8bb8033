// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Native;

/** Names of numbers, and rates. */
final class Names {

    private static final long[] NODES = strings(
            "unknown",
            "InfiniBand channel adapter",
            "InfiniBand switch",
            "InfiniBand router",
            "iWARP NIC",
            "usNIC",
            "usNIC UDP",
            "unspecified");
    private static final long[] PORTS =
            strings("no state change (NOP)", "down", "init", "armed", "active", "active defer");
    private static final long[] EVENTS = strings(
            "CQ error",
            "local work queue catastrophic error",
            "invalid request local work queue error",
            "local access violation work queue error",
            "communication established",
            "send queue drained",
            "path migrated",
            "path migration request error",
            "local catastrophic error",
            "port active",
            "port error",
            "LID change",
            "P_Key change",
            "SM change",
            "SRQ catastrophic error",
            "SRQ limit reached",
            "last WQE reached",
            "client reregistration",
            "GID table change",
            "WQ fatal");
    private static final long[] STATUSES = strings(
            "success",
            "local length error",
            "local QP operation error",
            "local EE context operation error",
            "local protection error",
            "Work Request Flushed Error",
            "memory management operation error",
            "bad response error",
            "local access error",
            "remote invalid request error",
            "remote access error",
            "remote operation error",
            "transport retry counter exceeded",
            "RNR retry counter exceeded",
            "local RDD violation error",
            "remote invalid RD request",
            "aborted error",
            "invalid EE context number",
            "invalid EE context state",
            "fatal error",
            "response timeout error",
            "general error",
            "TM error",
            "TM software rendezvous");
    private static final long[] OPCODES = strings(
            "RDMA_WRITE",
            "RDMA_WRITE_WITH_IMM",
            "SEND",
            "SEND_WITH_IMM",
            "RDMA_READ",
            "ATOMIC_CMP_AND_SWP",
            "ATOMIC_FETCH_AND_ADD",
            "LOCAL_INV",
            "BIND_MW",
            "SEND_WITH_INV",
            "TSO",
            "DRIVER1");
    private static final long UNKNOWN = Native.permanentString("unknown");

    /** {@code enum ibv_rate}: number, multiple of 2.5 Gbit/s (0 if it is none), Mbit/s. */
    private static final int[][] RATES = {
        {2, 1, 2500}, {5, 2, 5000}, {3, 4, 10000}, {6, 8, 20000}, {4, 12, 30000}, {7, 16, 40000},
        {8, 24, 60000}, {9, 32, 80000}, {10, 48, 120000}, {11, 0, 14062}, {12, 0, 56250}, {13, 0, 112500},
        {14, 0, 168750}, {15, 0, 25781}, {16, 0, 103125}, {17, 0, 206250}, {18, 0, 309375}, {19, 20, 53125},
        {20, 40, 106250}, {21, 80, 212500}, {22, 160, 425000}, {23, 320, 850000}, {24, 480, 1275000}
    };

    private Names() {}

    private static long[] strings(String... texts) {
        long[] addresses = new long[texts.length];
        for (int i = 0; i < texts.length; i++) {
            addresses[i] = Native.permanentString(texts[i]);
        }
        return addresses;
    }

    private static long name(long[] names, int number) {
        return number >= 0 && number < names.length ? names[number] : UNKNOWN;
    }

    static long ibv_node_type_str(int type) {
        return name(NODES, type);
    }

    static long ibv_port_state_str(int state) {
        return name(PORTS, state);
    }

    static long ibv_event_type_str(int event) {
        return name(EVENTS, event);
    }

    static long ibv_wc_status_str(int status) {
        return name(STATUSES, status);
    }

    static long ibv_wr_opcode_str(int opcode) {
        return name(OPCODES, opcode);
    }

    static int ibv_rate_to_mult(int rate) {
        for (int[] row : RATES) {
            if (row[0] == rate && row[1] > 0) {
                return row[1];
            }
        }
        return -1;
    }

    static int mult_to_ibv_rate(int multiple) {
        for (int[] row : RATES) {
            if (row[1] == multiple && multiple > 0) {
                return row[0];
            }
        }
        return 0;
    }

    static int ibv_rate_to_mbps(int rate) {
        for (int[] row : RATES) {
            if (row[0] == rate) {
                return row[2];
            }
        }
        return -1;
    }

    static int mbps_to_ibv_rate(int megabits) {
        for (int[] row : RATES) {
            if (row[2] == megabits) {
                return row[0];
            }
        }
        return 0;
    }
}
