// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.Verbatim;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.EventType;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.PathMtu;
import dev.verbatim.verbs.QpState;
import dev.verbatim.verbs.QpType;
import dev.verbatim.verbs.ReregistrationError;
import dev.verbatim.verbs.ReregistrationFlags;
import dev.verbatim.verbs.SendFlags;
import dev.verbatim.verbs.WcFlags;
import dev.verbatim.verbs.WcOpcode;
import dev.verbatim.verbs.WcStatus;
import dev.verbatim.verbs.WrOpcode;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/verbs-mapping.md says, and the numbers that programs in C know. */
class VerbsMappingTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "verbs-mapping.md");
    private static final Pattern OURS = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final Pattern THEIRS = Pattern.compile("`((?:mult_to_|mbps_to_)?ibv_\\w+)`");

    /** The functions of verbs.h that programs call most; without a row for each the page is not complete. */
    private static final String CALLS = """
            ibv_get_device_list ibv_free_device_list ibv_get_device_name ibv_get_device_guid ibv_open_device ibv_close_device
            ibv_query_device ibv_query_device_ex ibv_query_port ibv_query_gid ibv_query_pkey ibv_get_async_event
            ibv_ack_async_event ibv_fork_init ibv_alloc_pd ibv_dealloc_pd ibv_alloc_td ibv_alloc_parent_domain ibv_reg_mr
            ibv_reg_mr_iova ibv_reg_dmabuf_mr ibv_rereg_mr ibv_dereg_mr ibv_advise_mr ibv_alloc_mw ibv_dealloc_mw ibv_bind_mw
            ibv_inc_rkey ibv_alloc_dm ibv_create_comp_channel ibv_destroy_comp_channel ibv_create_cq ibv_create_cq_ex
            ibv_start_poll ibv_next_poll ibv_end_poll ibv_resize_cq ibv_modify_cq ibv_destroy_cq ibv_poll_cq ibv_req_notify_cq
            ibv_get_cq_event ibv_ack_cq_events ibv_create_ah ibv_destroy_ah ibv_init_ah_from_wc ibv_create_ah_from_wc
            ibv_attach_mcast ibv_detach_mcast ibv_create_srq ibv_create_srq_ex ibv_modify_srq ibv_query_srq ibv_get_srq_num
            ibv_destroy_srq ibv_post_srq_recv ibv_open_xrcd ibv_close_xrcd ibv_create_qp ibv_create_qp_ex ibv_open_qp
            ibv_modify_qp ibv_query_qp ibv_query_qp_data_in_order ibv_destroy_qp ibv_post_send ibv_post_recv ibv_wr_start
            ibv_wr_complete ibv_wr_abort ibv_wr_send ibv_wr_send_imm ibv_wr_send_inv ibv_wr_rdma_write ibv_wr_rdma_write_imm
            ibv_wr_rdma_read ibv_wr_atomic_cmp_swp ibv_wr_atomic_fetch_add ibv_wr_atomic_write ibv_wr_flush ibv_wr_bind_mw
            ibv_wr_local_inv ibv_wr_set_sge ibv_wr_set_sge_list ibv_wr_set_inline_data ibv_wr_set_inline_data_list
            ibv_wr_set_ud_addr ibv_wr_set_xrc_srqn ibv_wr_send_tso ibv_create_wq ibv_create_flow ibv_wc_status_str
            ibv_event_type_str ibv_port_state_str ibv_node_type_str ibv_rate_to_mbps ibv_rate_to_mult""";

    @Test
    void eachPublicMethodIsOnThePage() throws Exception {
        String page = Files.readString(DOCUMENT);
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : PublicTypes.beside(Device.class)) {
            for (Method method : type.getDeclaredMethods()) {
                String name = type.getSimpleName() + "." + method.getName();
                if (PublicTypes.isToBeTold(method) && !page.contains("`" + name + "`")) {
                    missing.add(name);
                }
            }
        }
        assertThat(missing)
                .as("methods that docs/verbs-mapping.md does not name")
                .isEmpty();
    }

    @Test
    void eachNameOfOursOnThePageExists() throws Exception {
        for (MatchResult name :
                OURS.matcher(Files.readString(DOCUMENT)).results().toList()) {
            Class<?> type =
                    name.group(1).equals("Verbatim") ? Verbatim.class : PublicTypes.named(name.group(1), Device.class);
            if (type == null) {
                assertThat(name.group()).isIn("`VerbsMappingTest`", "`NULL`");
            } else if (name.group(2) != null) {
                assertThat(PublicTypes.membersOf(type)).as(name.group()).contains(name.group(2));
            }
        }
    }

    @Test
    void eachCallOfLibibverbsIsOnThePageOnce() throws IOException {
        TreeMap<String, Integer> rows = new TreeMap<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("| `")) {
                String first = line.substring(1, line.indexOf('|', 1));
                THEIRS.matcher(first).results().forEach(call -> rows.merge(call.group(1), 1, Integer::sum));
            }
        }
        assertThat(rows).containsKeys(CALLS.split("\\s+", -1));
        assertThat(rows.keySet()).hasSizeGreaterThan(120);
        assertThat(Files.readAllLines(DOCUMENT))
                .filteredOn(line -> line.startsWith("| ") && line.split("\\|", -1)[2].isBlank())
                .as("rows that say neither what it is here nor that it is left out")
                .isEmpty();
    }

    static Stream<Arguments> enums() {
        return Stream.of(
                Arguments.of(MemoryWindowType.class, "TYPE_1 1, TYPE_2 2"),
                Arguments.of(
                        ReregistrationError.class,
                        "INPUT -1, DONT_FORK_NEW -2, DO_FORK_OLD -3, CMD -4, CMD_AND_DO_FORK_NEW -5"),
                Arguments.of(
                        WcStatus.class,
                        "SUCCESS 0, LOC_LEN_ERR 1, LOC_QP_OP_ERR 2, LOC_EEC_OP_ERR 3, LOC_PROT_ERR 4, WR_FLUSH_ERR 5,"
                                + " MW_BIND_ERR 6, BAD_RESP_ERR 7, LOC_ACCESS_ERR 8, REM_INV_REQ_ERR 9, REM_ACCESS_ERR 10,"
                                + " REM_OP_ERR 11, RETRY_EXC_ERR 12, RNR_RETRY_EXC_ERR 13, LOC_RDD_VIOL_ERR 14,"
                                + " REM_INV_RD_REQ_ERR 15, REM_ABORT_ERR 16, INV_EECN_ERR 17, INV_EEC_STATE_ERR 18, FATAL_ERR 19,"
                                + " RESP_TIMEOUT_ERR 20, GENERAL_ERR 21, TM_ERR 22, TM_RNDV_INCOMPLETE 23"),
                Arguments.of(
                        WcOpcode.class,
                        "SEND 0, RDMA_WRITE 1, RDMA_READ 2, COMP_SWAP 3, FETCH_ADD 4, BIND_MW 5, LOCAL_INV 6, TSO 7, FLUSH 8,"
                                + " ATOMIC_WRITE 9, RECV 128, RECV_RDMA_WITH_IMM 129"),
                Arguments.of(
                        WrOpcode.class,
                        "RDMA_WRITE 0, RDMA_WRITE_WITH_IMM 1, SEND 2, SEND_WITH_IMM 3, RDMA_READ 4, ATOMIC_CMP_AND_SWP 5,"
                                + " ATOMIC_FETCH_AND_ADD 6, LOCAL_INV 7, BIND_MW 8, SEND_WITH_INV 9, TSO 10, DRIVER1 11,"
                                + " FLUSH 14, ATOMIC_WRITE 15"),
                Arguments.of(QpState.class, "RESET 0, INIT 1, RTR 2, RTS 3, SQD 4, SQE 5, ERR 6"),
                Arguments.of(QpType.class, "RC 2, UC 3, UD 4, RAW_PACKET 8, XRC_SEND 9, XRC_RECV 10"),
                Arguments.of(LinkLayer.class, "UNSPECIFIED 0, INFINIBAND 1, ETHERNET 2"),
                Arguments.of(PathMtu.class, "MTU_256 1, MTU_512 2, MTU_1024 3, MTU_2048 4, MTU_4096 5"),
                Arguments.of(
                        EventType.class,
                        "CQ_ERR 0, QP_FATAL 1, QP_REQ_ERR 2, QP_ACCESS_ERR 3, COMM_EST 4, SQ_DRAINED 5, PATH_MIG 6,"
                                + " PATH_MIG_ERR 7, DEVICE_FATAL 8, PORT_ACTIVE 9, PORT_ERR 10, LID_CHANGE 11, PKEY_CHANGE 12,"
                                + " SM_CHANGE 13, SRQ_ERR 14, SRQ_LIMIT_REACHED 15, QP_LAST_WQE_REACHED 16,"
                                + " CLIENT_REREGISTER 17, GID_CHANGE 18, WQ_FATAL 19"));
    }

    @ParameterizedTest
    @MethodSource("enums")
    void constantsHaveTheNumbersOfLibibverbs(Class<? extends Enum<?>> type, String numbers) throws Exception {
        TreeSet<String> ours = new TreeSet<>();
        for (Enum<?> constant : type.getEnumConstants()) {
            ours.add(constant.name() + " " + type.getMethod("number").invoke(constant));
        }
        assertThat(ours).containsExactlyInAnyOrder(numbers.split(", ", -1));
    }

    static Stream<Arguments> flags() {
        return Stream.of(
                Arguments.of(
                        AccessFlags.class,
                        "LOCAL_WRITE 1, REMOTE_WRITE 2, REMOTE_READ 4, REMOTE_ATOMIC 8, MW_BIND 16, ZERO_BASED 32,"
                                + " ON_DEMAND 64, HUGETLB 128, FLUSH_GLOBAL 256, FLUSH_PERSISTENT 512,"
                                + " RELAXED_ORDERING 1048576, UNORDERED 2097152"),
                Arguments.of(ReregistrationFlags.class, "CHANGE_TRANSLATION 1, CHANGE_PD 2, CHANGE_ACCESS 4, ALL 7"),
                Arguments.of(SendFlags.class, "FENCE 1, SIGNALED 2, SOLICITED 4, INLINE 8, IP_CSUM 16"),
                Arguments.of(WcFlags.class, "GRH 1, WITH_IMM 2, IP_CSUM_OK 4, WITH_INV 8"));
    }

    @ParameterizedTest
    @MethodSource("flags")
    void bitsAreThoseOfLibibverbs(Class<?> type, String numbers) throws Exception {
        assertThat(bits(type)).containsExactlyInAnyOrder(numbers.split(", ", -1));
    }

    @Test
    void capabilitiesAreThoseOfLibibverbs() throws Exception {
        assertThat(Stream.of(
                                "RESIZE_MAX_WR 0",
                                "AUTO_PATH_MIG 4",
                                "CURR_QP_STATE_MOD 7",
                                "RC_RNR_NAK_GEN 12",
                                "SRQ_RESIZE 13",
                                "MEM_WINDOW 17",
                                "XRC 20",
                                "MEM_MGT_EXTENSIONS 21",
                                "MEM_WINDOW_TYPE_2A 23",
                                "MEM_WINDOW_TYPE_2B 24")
                        .map(text -> text.split(" ", -1))
                        .map(words -> words[0] + " " + (1L << Integer.parseInt(words[1])))
                        .toList())
                .containsAll(bits(DeviceCapabilities.class).stream()
                        .filter(bit -> !bit.matches("(FLUSH|ATOMIC_WRITE)\\w* .*"))
                        .toList());
    }

    private static Set<String> bits(Class<?> type) throws IllegalAccessException {
        Set<String> bits = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                bits.add(field.getName() + " " + field.get(null));
            }
        }
        return bits;
    }
}
