// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_wc;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.Grh;
import dev.verbatim.verbs.WcFlags;

/** Address handles. */
final class AddressHandles {

    private static final int MOST_HOPS = 255;

    private AddressHandles() {}

    static long ibv_create_ah(long pd, long attributes) {
        Pd of = Pd.TABLE.at(pd);
        return create(of, Vectors.read(of.context(), attributes));
    }

    private static long create(Pd of, AddressVector vector) {
        return new Ah(of, of.domain().createAddressHandle(vector)).address();
    }

    static long ibv_create_ah_from_wc(long pd, long completion, long grh, int port) {
        Pd of = Pd.TABLE.at(pd);
        return create(of, answerTo(of.context().device(), completion, grh, port));
    }

    static int ibv_init_ah_from_wc(long context, int port, long completion, long grh, long attributes) {
        AddressVector vector = answerTo(Context.TABLE.at(context).device(), completion, grh, port);
        Native.clear(attributes, ibv_ah_attr.SIZE);
        Vectors.write(vector, attributes);
        return 0;
    }

    private static AddressVector answerTo(Device device, long completion, long grh, int port) {
        if ((ibv_wc.wc_flags.get(completion) & WcFlags.GRH) == 0) {
            throw new Refused(Errno.EINVAL.number(), "the completion has no GRH");
        }
        Grh header = headerAt(grh);
        Gid own = device.queryGid(port, 0);
        if (!own.equals(header.destination())) {
            throw new Refused(Errno.EINVAL.number(), "the datagram was for " + header.destination());
        }
        return new AddressVector(
                header.source(),
                true,
                port,
                0,
                header.flowLabel(),
                MOST_HOPS,
                header.trafficClass(),
                Devices.isEthernet(device, port) ? 0 : ibv_wc.sl.get(completion));
    }

    private static Grh headerAt(long grh) {
        try {
            return Grh.parse(Native.buffer(grh, Grh.BYTES), 0);
        } catch (IllegalArgumentException e) {
            throw new Refused(Errno.EINVAL.number(), e.getMessage());
        }
    }

    static int ibv_destroy_ah(long ah) {
        Ah of = Ah.TABLE.toDestroy(ah);
        of.handle().close();
        Ah.TABLE.remove(of);
        return 0;
    }

    static int ibv_attach_mcast(long qp, long gid, int lid) {
        Qp unused = Qp.TABLE.at(qp);
        throw new Refused(Errno.EOPNOTSUPP.number(), "the device has no multicast groups");
    }

    static int ibv_detach_mcast(long qp, long gid, int lid) {
        Qp unused = Qp.TABLE.at(qp);
        throw new Refused(Errno.EOPNOTSUPP.number(), "the device has no multicast groups");
    }
}
