// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_ah_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_global_route;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.place.GidTable;
import dev.verbatim.ibverbs.place.Settings;
import dev.verbatim.verbs.AddressVector;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.Gid;

/** {@code struct ibv_ah_attr} as an address vector, and back; GIDs as their 16 bytes. */
public final class Vectors {

    private static final int FLOW_LABEL = 0xf_ffff;
    private static final int USUAL_HOP_LIMIT = 64;
    private static final int USUAL_INDEX = Settings.ofProcess().usualGidIndex();

    private Vectors() {}

    /**
     * Reads a vector. One without a GRH names a LID, which leads to a GID of the same network. A port has one GID, whichever entry of its
     * table is named.
     *
     * @throws Refused EINVAL if the table has no such entry, or it is empty
     */
    static AddressVector read(Context context, long attributes) {
        Device device = context.device();
        long grh = ibv_ah_attr.grh.of(attributes);
        boolean isGlobal = ibv_ah_attr.is_global.get(attributes) != 0;
        int port = ibv_ah_attr.port_num.get(attributes);
        int level = ibv_ah_attr.sl.get(attributes);
        if (!isGlobal && device.queryPort(1).flags() == 0) {
            Gid gid = device.gidOfLid(ibv_ah_attr.dlid.get(attributes));
            return new AddressVector(gid, true, port, 0, 0, USUAL_HOP_LIMIT, 0, level);
        }
        int index = ibv_global_route.sgid_index.get(grh);
        if (isGlobal && port >= 1 && port <= device.gids().size() && context.gidAt(port, index) == null) {
            throw new Refused(Errno.EINVAL.number(), "sgid_index=" + index + " is empty");
        }
        return new AddressVector(
                GidTable.knownBy(gidAt(ibv_global_route.dgid.of(grh))),
                isGlobal,
                port,
                0,
                // Linux takes the lower bits, and programs set all.
                ibv_global_route.flow_label.get(grh) & FLOW_LABEL,
                ibv_global_route.hop_limit.get(grh),
                ibv_global_route.traffic_class.get(grh),
                level);
    }

    /** Writes a vector. */
    public static void write(AddressVector vector, long attributes) {
        long grh = ibv_ah_attr.grh.of(attributes);
        putGid(vector.destination(), ibv_global_route.dgid.of(grh));
        ibv_global_route.flow_label.set(grh, vector.flowLabel());
        ibv_global_route.sgid_index.set(grh, USUAL_INDEX);
        ibv_global_route.hop_limit.set(grh, vector.hopLimit());
        ibv_global_route.traffic_class.set(grh, vector.trafficClass());
        ibv_ah_attr.dlid.set(attributes, (int) (vector.destination().interfaceId() & 0xffff));
        ibv_ah_attr.sl.set(attributes, vector.serviceLevel());
        ibv_ah_attr.is_global.set(attributes, vector.global() ? 1 : 0);
        ibv_ah_attr.port_num.set(attributes, vector.portNumber());
    }

    /** The GID in 16 bytes of memory. */
    public static Gid gidAt(long address) {
        return new Gid(Long.reverseBytes(Native.getLong(address)), Long.reverseBytes(Native.getLong(address + 8)));
    }

    /** Writes a GID as 16 bytes. */
    public static void putGid(Gid gid, long address) {
        Native.putLong(address, Long.reverseBytes(gid.prefix()));
        Native.putLong(address + 8, Long.reverseBytes(gid.interfaceId()));
    }
}
