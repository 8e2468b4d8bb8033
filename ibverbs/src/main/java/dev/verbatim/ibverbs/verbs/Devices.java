// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_device;
import dev.verbatim.ibverbs.abi.Layouts.ibv_device_attr;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.verbs.DeviceAttributes;
import java.util.List;

/** Devices: the list, names, opening and closing, and what they say of themselves. */
final class Devices {

    private Devices() {}

    static long ibv_get_device_list(long count) {
        List<Adapter> all = Adapters.all();
        long list = Native.allocate((all.size() + 1L) * Long.BYTES);
        for (int i = 0; i < all.size(); i++) {
            Native.putLong(list + (long) i * Long.BYTES, all.get(i).struct());
        }
        if (count != 0) {
            Native.putInt(count, all.size());
        }
        return list;
    }

    static void ibv_free_device_list(long list) {
        Native.free(list);
    }

    static long ibv_get_device_name(long device) {
        return ibv_device.name.of(device);
    }

    static long ibv_open_device(long device) {
        return new Context(Adapters.of(device)).address();
    }

    static int ibv_close_device(long context) {
        Context.TABLE.at(context).close();
        return 0;
    }

    static int ibv_query_device(long context, long attributes) {
        DeviceAttributes all = Context.TABLE.at(context).device().query();
        Native.clear(attributes, ibv_device_attr.SIZE);
        Native.putString(
                ibv_device_attr.fw_ver.of(attributes), all.firmwareVersion(), ibv_device_attr.fw_ver.sizeBytes());
        ibv_device_attr.node_guid.setBigEndian(attributes, all.guid());
        ibv_device_attr.max_qp.set(attributes, all.maxQp());
        return 0;
    }
}
