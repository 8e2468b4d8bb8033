// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.cm;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ece;
import dev.verbatim.ibverbs.abi.Layouts.ibv_qp_attr;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_id;
import dev.verbatim.ibverbs.abi.Layouts.rdma_cm_join_mc_attr_ex;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.verbs.QueuePairAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.QpAttributes;
import dev.verbatim.verbs.QpState;

/** Options of identifiers, attributes of their queue pairs, and what the device does not have: groups, enhanced connections. */
final class Options {

    private static final int EADDRNOTAVAIL = Errno.EADDRNOTAVAIL.number(), EINVAL = Errno.EINVAL.number();
    private static final int LEVEL_ID = 0, LEVEL_IB = 1;
    private static final int TYPE_OF_SERVICE = 0, REUSE_ADDRESS = 1, ONE_FAMILY = 2, ACK_TIMEOUT = 3;

    /** Q_Key of port space UDP: {@code RDMA_UDP_QKEY}. */
    private static final int QUEUE_KEY = 0x0123_4567;

    /** Bits of {@code rdma_cm_join_mc_attr_ex.comp_mask}. */
    private static final int HAS_ADDRESS = 1, HAS_FLAGS = 2, UNKNOWN = 4;

    /** Linux copies no more. */
    private static final int MOST_LENGTH = 4 << 20;

    private static final int MOST_JOIN_FLAG = 1, ENOTSUP = 95;

    private Options() {}

    static int rdma_set_option(long id, int level, int option, long value, long length) {
        Id of = Id.TABLE.at(id);
        if (Long.compareUnsigned(length, MOST_LENGTH) > 0) {
            throw new Refused(EINVAL, "optlen=" + Long.toUnsignedString(length) + " is more than any option has");
        }
        if (value == 0 && length != 0) {
            throw new Refused(Errno.EFAULT.number(), "optval is NULL");
        }
        if (level == LEVEL_IB) {
            throw new Refused(Refused.ENOSYS, "paths of the program's are not taken");
        }
        if (level != LEVEL_ID || option < TYPE_OF_SERVICE || option > ACK_TIMEOUT) {
            throw new Refused(Refused.ENOSYS, "level=" + level + " optname=" + option + " is not known");
        }
        boolean isByte = option == TYPE_OF_SERVICE || option == ACK_TIMEOUT;
        if (length != (isByte ? Byte.BYTES : Integer.BYTES)) {
            throw new Refused(EINVAL, "optname=" + option + " has another size than optlen=" + length);
        }
        int said = isByte ? Native.getByte(value) & 0xff : Native.getInt(value);
        switch (option) {
            case TYPE_OF_SERVICE -> of.option(known -> known.typeOfService(said));
            case ACK_TIMEOUT -> ackTimeout(of, said);
            case REUSE_ADDRESS -> of.option(known -> known.reuseAddress(said != 0));
            case ONE_FAMILY -> of.option(known -> known.oneFamily(said != 0));
            default -> throw new IllegalArgumentException(option + " was refused above");
        }
        return 0;
    }

    private static void ackTimeout(Id of, int code) {
        if (of.isDatagram()) {
            throw new Refused(EINVAL, "ack timeout=" + code + ": datagrams are not acknowledged");
        }
        of.option(known -> known.ackTimeout(code));
    }

    static int rdma_init_qp_attr(long id, long attributes, long mask) {
        Id of = Id.TABLE.at(id);
        QpState[] states = QpState.values();
        int number = ibv_qp_attr.qp_state.get(attributes);
        if (number < QpState.INIT.number() || number > QpState.RTS.number()) {
            throw new Refused(EINVAL, "qp_state=" + number + " is not INIT, RTR or RTS");
        }
        QpState state = states[number];
        QpAttributes wanted = of.isDatagram() ? ofDatagrams(of, state) : of.id().initQpAttributes(state);
        QueuePairAttributes.write(wanted, attributes);
        Native.putInt(mask, wanted.mask());
        return 0;
    }

    private static QpAttributes ofDatagrams(Id of, QpState state) {
        Home unused = of.home();
        QpAttributes wanted = new QpAttributes().state(state);
        return switch (state) {
            case INIT -> wanted.pkeyIndex(0).portNumber(1).queueKey(QUEUE_KEY);
            case RTS -> wanted.sqPsn(0);
            default -> wanted;
        };
    }

    static int rdma_set_local_ece(long id, long ece) {
        Id of = Id.TABLE.at(id);
        if (of.qp() != null || ece == 0 || ibv_ece.vendor_id.get(ece) == 0 || ibv_ece.comp_mask.get(ece) != 0) {
            throw new Refused(EINVAL, "there is a queue pair already, or ece names no vendor");
        }
        // As with a peer that does not know them, the options are not taken up.
        return 0;
    }

    static int rdma_get_remote_ece(long id, long ece) {
        Id of = Id.TABLE.at(id);
        if (of.qp() != null || ece == 0) {
            throw new Refused(EINVAL, "there is a queue pair already, or ece is NULL");
        }
        Native.clear(ece, ibv_ece.SIZE);
        return 0;
    }

    static int rdma_join_multicast(long id, long address, long context) {
        return join(Id.TABLE.at(id), address);
    }

    static int rdma_join_multicast_ex(long id, long attributes, long context) {
        Id of = Id.TABLE.at(id);
        int mask = rdma_cm_join_mc_attr_ex.comp_mask.get(attributes);
        if (mask < 0 || mask >= UNKNOWN) {
            throw new Refused(ENOTSUP, "comp_mask=" + mask + " has unknown bits");
        }
        int flag = rdma_cm_join_mc_attr_ex.join_flags.get(attributes);
        if (mask != (HAS_ADDRESS | HAS_FLAGS) || flag < 0 || flag > MOST_JOIN_FLAG) {
            throw new Refused(
                    EINVAL, "comp_mask=" + mask + " join_flags=" + flag + " name no address, or no way to join");
        }
        return join(of, rdma_cm_join_mc_attr_ex.addr.get(attributes));
    }

    private static int join(Id of, long address) {
        if (IdAddresses.length(address) == 0) {
            throw new Refused(EINVAL, "the address is of no known family");
        }
        if (rdma_cm_id.verbs.get(of.address()) == 0) {
            throw new Refused(EINVAL, "the identifier has no device yet");
        }
        throw new Refused(Refused.ENOSYS, "the device has no multicast groups");
    }

    static int rdma_leave_multicast(long id, long address) {
        Id unused = Id.TABLE.at(id);
        throw new Refused(
                IdAddresses.length(address) == 0 ? EINVAL : EADDRNOTAVAIL, "the identifier has not joined that group");
    }
}
