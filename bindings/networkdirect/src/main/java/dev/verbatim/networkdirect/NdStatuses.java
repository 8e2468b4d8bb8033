// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.networkdirect.NdProfile.Statuses;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Refusal;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WcStatus;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table that translates errors of verbs to statuses. Documentation and reference differ in some rows; {@link #ofCompletion} decides
 * what depends on the request.
 */
final class NdStatuses {

    /** Rules that a Bind breaks by its region, not by its window. */
    private static final Set<Rule> OF_REGION =
            EnumSet.of(Rule.MW_42, Rule.MW_43, Rule.MW_48, Rule.MW_49, Rule.MW_50, Rule.MW_51, Rule.MW_52, Rule.MW_58);

    private record Row(NdStatus reference, NdStatus documented) {
        NdStatus by(Statuses whose) {
            return whose == Statuses.REFERENCE ? reference : documented;
        }
    }

    private static final Row INTERNAL = new Row(NdStatus.INTERNAL_ERROR, NdStatus.INTERNAL_ERROR);
    private static final Row TOO_SMALL = new Row(NdStatus.DATA_OVERRUN, NdStatus.BUFFER_OVERFLOW);
    private static final Row NO_READS = new Row(NdStatus.DATA_ERROR, NdStatus.INVALID_DEVICE_REQUEST);
    private static final Row BIND = new Row(NdStatus.ACCESS_VIOLATION, NdStatus.INVALID_DEVICE_REQUEST);
    private static final Map<WcStatus, Row> COMPLETIONS = new EnumMap<>(WcStatus.class);

    static {
        COMPLETIONS.put(WcStatus.SUCCESS, new Row(NdStatus.SUCCESS, NdStatus.SUCCESS));
        COMPLETIONS.put(WcStatus.LOC_LEN_ERR, new Row(NdStatus.DATA_OVERRUN, NdStatus.DATA_OVERRUN));
        COMPLETIONS.put(WcStatus.LOC_PROT_ERR, new Row(NdStatus.ACCESS_VIOLATION, NdStatus.ACCESS_VIOLATION));
        COMPLETIONS.put(WcStatus.LOC_ACCESS_ERR, new Row(NdStatus.ACCESS_VIOLATION, NdStatus.ACCESS_VIOLATION));
        COMPLETIONS.put(WcStatus.WR_FLUSH_ERR, new Row(NdStatus.CANCELED, NdStatus.CANCELED));
        COMPLETIONS.put(WcStatus.MW_BIND_ERR, BIND);
        COMPLETIONS.put(WcStatus.REM_ACCESS_ERR, new Row(NdStatus.ACCESS_VIOLATION, NdStatus.REMOTE_ERROR));
        COMPLETIONS.put(WcStatus.REM_OP_ERR, new Row(NdStatus.DATA_ERROR, NdStatus.REMOTE_ERROR));
        COMPLETIONS.put(WcStatus.REM_INV_REQ_ERR, new Row(NdStatus.DATA_ERROR, NdStatus.REMOTE_ERROR));
        COMPLETIONS.put(WcStatus.REM_INV_RD_REQ_ERR, new Row(NdStatus.DATA_ERROR, NdStatus.REMOTE_ERROR));
        COMPLETIONS.put(WcStatus.BAD_RESP_ERR, new Row(NdStatus.DATA_ERROR, NdStatus.REMOTE_ERROR));
        COMPLETIONS.put(WcStatus.RNR_RETRY_EXC_ERR, new Row(NdStatus.IO_TIMEOUT, NdStatus.IO_TIMEOUT));
        COMPLETIONS.put(WcStatus.RETRY_EXC_ERR, new Row(NdStatus.IO_TIMEOUT, NdStatus.IO_TIMEOUT));
        COMPLETIONS.put(WcStatus.RESP_TIMEOUT_ERR, new Row(NdStatus.IO_TIMEOUT, NdStatus.IO_TIMEOUT));
        COMPLETIONS.put(WcStatus.REM_ABORT_ERR, new Row(NdStatus.REQUEST_ABORTED, NdStatus.REMOTE_ERROR));
    }

    private NdStatuses() {}

    /**
     * The status of a completion.
     *
     * @param readsForbidden whether the queue pair has an outbound Read limit of 0
     * @param why the rule that was broken, if it is known
     */
    static NdStatus ofCompletion(
            WcStatus status, NdRequestType type, Statuses whose, boolean readsForbidden, @Nullable Refusal why) {
        if (status == WcStatus.SUCCESS) {
            return NdStatus.SUCCESS;
        }
        Row row = COMPLETIONS.getOrDefault(status, INTERNAL);
        if (status == WcStatus.LOC_LEN_ERR && type == NdRequestType.RECEIVE) {
            row = TOO_SMALL;
        } else if (status == WcStatus.LOC_QP_OP_ERR && type == NdRequestType.READ && readsForbidden) {
            row = NO_READS;
        } else if (status == WcStatus.MW_BIND_ERR) {
            return ofWindow(type, whose, why);
        }
        return row.by(whose);
    }

    /** An Invalidate fails by its window alone; a Bind by its window or its region. */
    private static NdStatus ofWindow(NdRequestType type, Statuses whose, @Nullable Refusal why) {
        if (type == NdRequestType.INVALIDATE) {
            return NdStatus.INVALID_DEVICE_REQUEST;
        }
        if (why == null) {
            return BIND.by(whose);
        }
        return OF_REGION.contains(why.brokenRule()) ? NdStatus.ACCESS_VIOLATION : NdStatus.INVALID_DEVICE_REQUEST;
    }

    /** The status for an error of posting a request. */
    static NdStatus ofPost(Errno errno) {
        return switch (errno) {
            case ENOMEM -> NdStatus.NO_MORE_ENTRIES;
            case EINVAL -> NdStatus.CONNECTION_INVALID;
            case EFAULT -> NdStatus.ACCESS_VIOLATION;
            case EIO -> NdStatus.DEVICE_REMOVED;
            default -> NdStatus.UNSUCCESSFUL;
        };
    }

    /** The same, with the refusal as its reason. */
    static NdStatus ofPost(VerbsException refused) {
        return ofPost(refused.errno()).because(refused.refusal());
    }

    /** The same, with the refusal as its reason. */
    static NdStatus ofVerb(VerbsException refused) {
        return ofVerb(refused.errno()).because(refused.refusal());
    }

    /** The same, with the refusal as its reason. */
    static NdStatus ofConnection(VerbsException refused) {
        return ofConnection(refused.errno()).because(refused.refusal());
    }

    /** The status for an error of binding an identifier to an address. */
    static NdStatus ofBind(VerbsException refused) {
        return switch (refused.errno()) {
            case EINVAL, EADDRNOTAVAIL, EACCES, EIO -> NdStatus.INVALID_ADDRESS;
            default -> ofConnection(refused);
        };
    }

    /** The first of them that is not SUCCESS. */
    static NdStatus first(NdStatus... all) {
        for (NdStatus status : all) {
            if (!status.isSuccess()) {
                return status;
            }
        }
        return NdStatus.SUCCESS;
    }

    /** The status for an error of connection management. */
    static NdStatus ofConnection(Errno errno) {
        return switch (errno) {
            case EADDRINUSE -> NdStatus.SHARING_VIOLATION;
            case EADDRNOTAVAIL -> NdStatus.INVALID_ADDRESS;
            case ECONNREFUSED, EACCES -> NdStatus.CONNECTION_REFUSED;
            case ECONNABORTED -> NdStatus.CONNECTION_ABORTED;
            case EHOSTUNREACH -> NdStatus.HOST_UNREACHABLE;
            case EINVAL, ENOTCONN -> NdStatus.CONNECTION_INVALID;
            case ENODEV -> NdStatus.DEVICE_REMOVED;
            default -> ofVerb(errno);
        };
    }

    /** The status for the status of an event, which is an error number below 0. */
    static NdStatus ofEvent(int status) {
        for (Errno errno : Errno.values()) {
            if (errno.number() == -status) {
                return ofConnection(errno);
            }
        }
        return NdStatus.UNSUCCESSFUL;
    }

    /** Whether Connect may be repeated after this status: the documentation permits it for more statuses than the reference. */
    static boolean isWorthAnotherTry(NdStatus status, Statuses whose) {
        return status.equals(NdStatus.IO_TIMEOUT)
                || (whose == Statuses.DOCUMENTED
                        && (status.equals(NdStatus.CONNECTION_REFUSED)
                                || status.equals(NdStatus.HOST_UNREACHABLE)
                                || status.equals(NdStatus.NETWORK_UNREACHABLE)));
    }

    /** The status for an error of creating or changing an object. */
    static NdStatus ofVerb(Errno errno) {
        return switch (errno) {
            case ENOMEM -> NdStatus.INSUFFICIENT_RESOURCES;
            case EINVAL -> NdStatus.INVALID_PARAMETER;
            case EFAULT, EACCES -> NdStatus.ACCESS_VIOLATION;
            case EBUSY -> NdStatus.DEVICE_BUSY;
            case EOPNOTSUPP -> NdStatus.NOT_SUPPORTED;
            case EIO, ENOENT -> NdStatus.DEVICE_REMOVED;
            case ETIMEDOUT -> NdStatus.IO_TIMEOUT;
            default -> NdStatus.UNSUCCESSFUL;
        };
    }
}
