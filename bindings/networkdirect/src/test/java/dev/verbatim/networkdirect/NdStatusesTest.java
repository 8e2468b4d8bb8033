// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.WcStatus;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of section 4.4, and that of 4.5. */
class NdStatusesTest {

    private static final Set<NdRequestType> ALL = EnumSet.allOf(NdRequestType.class);

    @ParameterizedTest
    @CsvSource({
        "SUCCESS, SUCCESS, SUCCESS",
        "LOC_QP_OP_ERR, INTERNAL_ERROR, INTERNAL_ERROR",
        "GENERAL_ERR, INTERNAL_ERROR, INTERNAL_ERROR",
        "FATAL_ERR, INTERNAL_ERROR, INTERNAL_ERROR",
        "LOC_PROT_ERR, ACCESS_VIOLATION, ACCESS_VIOLATION",
        "LOC_ACCESS_ERR, ACCESS_VIOLATION, ACCESS_VIOLATION",
        "WR_FLUSH_ERR, CANCELED, CANCELED",
        "REM_ACCESS_ERR, ACCESS_VIOLATION, REMOTE_ERROR",
        "REM_OP_ERR, DATA_ERROR, REMOTE_ERROR",
        "REM_INV_REQ_ERR, DATA_ERROR, REMOTE_ERROR",
        "BAD_RESP_ERR, DATA_ERROR, REMOTE_ERROR",
        "RNR_RETRY_EXC_ERR, IO_TIMEOUT, IO_TIMEOUT",
        "RETRY_EXC_ERR, IO_TIMEOUT, IO_TIMEOUT",
        "RESP_TIMEOUT_ERR, IO_TIMEOUT, IO_TIMEOUT",
        "REM_ABORT_ERR, REQUEST_ABORTED, REMOTE_ERROR"
    })
    void statusOfACompletionIsTheSameForEachRequest(WcStatus status, String reference, String documented) {
        for (NdRequestType type : ALL) {
            assertThat(of(status, type, Statuses.REFERENCE).name()).isEqualTo(reference);
            assertThat(of(status, type, Statuses.DOCUMENTED).name()).isEqualTo(documented);
        }
    }

    @Test
    void messageThatIsTooLongIsCalledDifferentlyByReceivesAlone() {
        for (NdRequestType type : ALL) {
            assertThat(of(WcStatus.LOC_LEN_ERR, type, Statuses.REFERENCE)).isEqualTo(NdStatus.DATA_OVERRUN);
            assertThat(of(WcStatus.LOC_LEN_ERR, type, Statuses.DOCUMENTED))
                    .isEqualTo(type == NdRequestType.RECEIVE ? NdStatus.BUFFER_OVERFLOW : NdStatus.DATA_OVERRUN);
        }
    }

    @Test
    void readsThatThisSideForbidsHaveAStatusOfTheirOwn() {
        assertThat(NdStatuses.ofCompletion(WcStatus.LOC_QP_OP_ERR, NdRequestType.READ, Statuses.REFERENCE, true, null))
                .isEqualTo(NdStatus.DATA_ERROR);
        assertThat(NdStatuses.ofCompletion(WcStatus.LOC_QP_OP_ERR, NdRequestType.READ, Statuses.DOCUMENTED, true, null))
                .isEqualTo(NdStatus.INVALID_DEVICE_REQUEST);
        assertThat(NdStatuses.ofCompletion(WcStatus.LOC_QP_OP_ERR, NdRequestType.WRITE, Statuses.REFERENCE, true, null))
                .isEqualTo(NdStatus.INTERNAL_ERROR);
    }

    @ParameterizedTest
    @EnumSource(Statuses.class)
    void windowFailsByItselfOrByItsRegion(Statuses whose) {
        assertThat(ofBind(whose, "MW-45")).isEqualTo(NdStatus.INVALID_DEVICE_REQUEST);
        assertThat(ofBind(whose, "MW-47")).isEqualTo(NdStatus.INVALID_DEVICE_REQUEST);
        for (String ofRegion : new String[] {"MW-42", "MW-48", "MW-49", "MW-50", "MW-51", "MW-52"}) {
            assertThat(ofBind(whose, ofRegion)).isEqualTo(NdStatus.ACCESS_VIOLATION);
        }
        assertThat(of(WcStatus.MW_BIND_ERR, NdRequestType.INVALIDATE, whose))
                .isEqualTo(NdStatus.INVALID_DEVICE_REQUEST);
        assertThat(of(WcStatus.MW_BIND_ERR, NdRequestType.BIND, whose))
                .isEqualTo(whose == Statuses.REFERENCE ? NdStatus.ACCESS_VIOLATION : NdStatus.INVALID_DEVICE_REQUEST);
    }

    private static NdStatus ofBind(Statuses whose, String rule) {
        return NdStatuses.ofCompletion(
                WcStatus.MW_BIND_ERR, NdRequestType.BIND, whose, false, Refusal.of(Rule.of(rule), "because"));
    }

    private static NdStatus of(WcStatus status, NdRequestType type, Statuses whose) {
        return NdStatuses.ofCompletion(status, type, whose, false, null);
    }

    @Test
    void everyStatusOfADeviceHasOneHere() {
        for (WcStatus status : WcStatus.values()) {
            for (Statuses whose : Statuses.values()) {
                assertThat(of(status, NdRequestType.SEND, whose).isSuccess()).isEqualTo(status == WcStatus.SUCCESS);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ENOMEM, NO_MORE_ENTRIES, INSUFFICIENT_RESOURCES",
        "EINVAL, CONNECTION_INVALID, INVALID_PARAMETER",
        "EFAULT, ACCESS_VIOLATION, ACCESS_VIOLATION",
        "EIO, DEVICE_REMOVED, DEVICE_REMOVED",
        "ENOENT, UNSUCCESSFUL, DEVICE_REMOVED",
        "EBUSY, UNSUCCESSFUL, DEVICE_BUSY",
        "EOPNOTSUPP, UNSUCCESSFUL, NOT_SUPPORTED",
        "ETIMEDOUT, UNSUCCESSFUL, IO_TIMEOUT",
        "EPERM, UNSUCCESSFUL, UNSUCCESSFUL"
    })
    void errnoOfAVerbBecomesAStatus(Errno errno, String ofPost, String ofVerb) {
        assertThat(NdStatuses.ofPost(errno).name()).isEqualTo(ofPost);
        assertThat(NdStatuses.ofVerb(errno).name()).isEqualTo(ofVerb);
    }
}
