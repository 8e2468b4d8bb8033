// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.verbs;

import dev.verbatim.ibverbs.abi.Layouts.ibv_device;
import dev.verbatim.ibverbs.abi.Layouts.ibv_device_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_device_attr_ex;
import dev.verbatim.ibverbs.abi.Layouts.ibv_gid_entry;
import dev.verbatim.ibverbs.abi.Layouts.ibv_odp_caps;
import dev.verbatim.ibverbs.abi.Layouts.ibv_port_attr;
import dev.verbatim.ibverbs.abi.Layouts.ibv_values_ex;
import dev.verbatim.ibverbs.abi.Layouts.timespec;
import dev.verbatim.ibverbs.abi.Native;
import dev.verbatim.ibverbs.call.Refused;
import dev.verbatim.ibverbs.place.Adapter;
import dev.verbatim.ibverbs.place.Adapters;
import dev.verbatim.ibverbs.place.GidTable;
import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.ExtendedDeviceAttributes;
import dev.verbatim.verbs.Gid;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.PortAttributes;
import java.net.Inet4Address;
import java.util.List;

/** Devices: the list, names, opening and closing, and what they say of themselves and of their port. */
final class Devices {

    private static final long SYSFS = Native.permanentString("/sys");
    private static final long MOST_MESSAGE = 1L << 31;

    /** Of RoCE v2, as ConnectX says it: a UDP header (8), after one of IPv6 (1) or IPv4 (2). */
    private static final int UDP_IPV6 = 8 | 1, UDP_IPV4 = 8 | 2;

    /** GID types: of {@code ibv_query_gid_type} (0 InfiniBand or RoCE v1, 1 RoCE v2), and of {@code ibv_gid_entry}. */
    private static final int SYSFS_IB = 0, SYSFS_ROCE_V2 = 1, ENTRY_IB = 0, ENTRY_ROCE_V1 = 1, ENTRY_ROCE_V2 = 2;

    /** What an empty entry of the table is read as, and the error number of a query that says so. */
    private static final Gid NO_GID = new Gid(0, 0);

    private static final int ENODATA = 61;

    /** {@code IBV_VALUES_MASK_RAW_CLOCK}. */
    private static final int RAW_CLOCK = 1;

    private static final int SECOND_NANOS = 1_000_000_000;

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
        return ibv_device.name.of(Adapters.of(device).struct());
    }

    static long ibv_get_device_guid(long device) {
        return Long.reverseBytes(Adapters.of(device).device().query().guid());
    }

    static int ibv_get_device_index(long device) {
        return Adapters.of(device).index();
    }

    static long ibv_open_device(long device) {
        return new Context(Adapters.of(device)).address();
    }

    static int ibv_close_device(long context) {
        Context.TABLE.at(context).close();
        return 0;
    }

    static long ibv_import_device(int descriptor) {
        return Context.imported(descriptor).address();
    }

    static int ibv_query_device(long context, long attributes) {
        write(Context.TABLE.at(context).device().query(), attributes);
        return 0;
    }

    private static void write(DeviceAttributes all, long to) {
        Native.clear(to, ibv_device_attr.SIZE);
        Native.putString(ibv_device_attr.fw_ver.of(to), all.firmwareVersion(), ibv_device_attr.fw_ver.sizeBytes());
        ibv_device_attr.node_guid.setBigEndian(to, all.guid());
        ibv_device_attr.sys_image_guid.setBigEndian(to, all.systemImageGuid());
        ibv_device_attr.max_mr_size.set(to, all.maxMrSizeBytes());
        ibv_device_attr.page_size_cap.set(to, all.pageSizes());
        ibv_device_attr.vendor_id.set(to, all.vendorId());
        ibv_device_attr.vendor_part_id.set(to, all.vendorPartId());
        ibv_device_attr.hw_ver.set(to, all.hardwareVersion());
        ibv_device_attr.max_qp.set(to, all.maxQp());
        ibv_device_attr.max_qp_wr.set(to, all.maxQpWr());
        ibv_device_attr.device_cap_flags.set(to, (int) all.capabilities());
        ibv_device_attr.max_sge.set(to, all.maxSge());
        ibv_device_attr.max_sge_rd.set(to, all.maxSgeRd());
        ibv_device_attr.max_cq.set(to, all.maxCq());
        ibv_device_attr.max_cqe.set(to, all.maxCqe());
        ibv_device_attr.max_mr.set(to, all.maxMr());
        ibv_device_attr.max_pd.set(to, all.maxPd());
        ibv_device_attr.max_qp_rd_atom.set(to, all.maxQpRdAtom());
        ibv_device_attr.max_res_rd_atom.set(to, all.maxResRdAtom());
        ibv_device_attr.max_qp_init_rd_atom.set(to, all.maxQpInitRdAtom());
        ibv_device_attr.atomic_cap.set(to, all.atomicCapability().number());
        ibv_device_attr.max_mw.set(to, all.maxMw());
        ibv_device_attr.max_ah.set(to, all.maxAh());
        ibv_device_attr.max_srq.set(to, all.maxSrq());
        ibv_device_attr.max_srq_wr.set(to, all.maxSrqWr());
        ibv_device_attr.max_srq_sge.set(to, all.maxSrqSge());
        ibv_device_attr.max_pkeys.set(to, all.maxPkeys());
        ibv_device_attr.local_ca_ack_delay.set(to, all.localAckDelay());
        ibv_device_attr.phys_port_cnt.set(to, all.physicalPorts());
    }

    /** Writes no further than the program's struct reaches. */
    static int op_query_device_ex(long context, long input, long attributes, long sizeBytes) {
        Device device = Context.TABLE.at(context).device();
        if (input != 0 && Native.getInt(input) != 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask of the input has unknown bits");
        }
        if (sizeBytes < ibv_device_attr.SIZE + Long.BYTES) {
            throw new Refused(
                    Errno.EINVAL.number(), "attr_size=" + sizeBytes + " has no room for the first attributes");
        }
        long whole = Native.allocate(ibv_device_attr_ex.SIZE);
        DeviceAttributes all = device.query();
        ExtendedDeviceAttributes more = device.queryExtended();
        write(all, ibv_device_attr_ex.orig_attr.of(whole));
        long onDemand = ibv_device_attr_ex.odp_caps.of(whole);
        ibv_odp_caps.general_caps.set(onDemand, more.onDemand().general());
        ibv_odp_caps.per_transport_caps$rc_odp_caps.set(
                onDemand, more.onDemand().rc());
        ibv_odp_caps.per_transport_caps$uc_odp_caps.set(
                onDemand, more.onDemand().uc());
        ibv_odp_caps.per_transport_caps$ud_odp_caps.set(
                onDemand, more.onDemand().ud());
        ibv_device_attr_ex.xrc_odp_caps.set(whole, more.onDemand().xrc());
        ibv_device_attr_ex.completion_timestamp_mask.set(whole, more.timestampMask());
        ibv_device_attr_ex.hca_core_clock.set(whole, more.clockKilohertz());
        ibv_device_attr_ex.device_cap_flags_ex.set(whole, all.capabilities());
        ibv_device_attr_ex.max_dm_size.set(whole, more.maxDeviceMemoryBytes());
        ibv_device_attr_ex.cq_mod_caps$max_cq_count.set(whole, more.maxModerationCount());
        ibv_device_attr_ex.cq_mod_caps$max_cq_period.set(whole, more.maxModerationPeriodMicros());
        ibv_device_attr_ex.phys_port_cnt_ex.set(whole, all.physicalPorts());
        Native.clear(attributes, sizeBytes);
        Native.copy(whole, attributes, Math.min(sizeBytes, ibv_device_attr_ex.SIZE));
        Native.free(whole);
        return 0;
    }

    static int op_query_rt_values(long context, long values) {
        Device device = Context.TABLE.at(context).device();
        int asked = ibv_values_ex.comp_mask.get(values);
        if ((asked & ~RAW_CLOCK) != 0) {
            throw new Refused(Errno.EINVAL.number(), "comp_mask=" + asked + " has unknown bits");
        }
        if ((asked & RAW_CLOCK) != 0) {
            long now = device.clockNanos();
            long clock = ibv_values_ex.raw_clock.of(values);
            timespec.tv_sec.set(clock, now / SECOND_NANOS);
            timespec.tv_nsec.set(clock, now % SECOND_NANOS);
        }
        return 0;
    }

    // ---- the port

    static int ibv_query_port(long context, int port, long attributes) {
        // The symbol is called by programs whose struct has no port_cap_flags2.
        return op_query_port(context, port, attributes, ibv_port_attr.port_cap_flags2.offset());
    }

    static int op_query_port(long context, int port, long attributes, long sizeBytes) {
        Context at = Context.TABLE.at(context);
        PortAttributes of = at.device().queryPort(port & 0xff);
        int entries = at.adapter().gids(port & 0xff).size();
        long whole = Native.allocate(ibv_port_attr.SIZE);
        ibv_port_attr.state.set(whole, of.state().number());
        ibv_port_attr.max_mtu.set(whole, of.maxMtu().number());
        ibv_port_attr.active_mtu.set(whole, of.activeMtu().number());
        ibv_port_attr.gid_tbl_len.set(whole, entries);
        ibv_port_attr.max_msg_sz.set(whole, (int) Math.min(of.maxMessageBytes(), MOST_MESSAGE));
        ibv_port_attr.bad_pkey_cntr.set(whole, of.badPkeys());
        ibv_port_attr.qkey_viol_cntr.set(whole, of.badQueueKeys());
        ibv_port_attr.pkey_tbl_len.set(whole, of.pkeyCount());
        ibv_port_attr.lid.set(whole, of.linkLayer() == LinkLayer.INFINIBAND ? of.lid() : 0);
        ibv_port_attr.sm_lid.set(whole, of.subnetManagerLid());
        ibv_port_attr.lmc.set(whole, of.lidMaskCount());
        ibv_port_attr.max_vl_num.set(whole, of.virtualLanes());
        ibv_port_attr.sm_sl.set(whole, of.subnetManagerServiceLevel());
        ibv_port_attr.subnet_timeout.set(whole, of.subnetTimeout());
        ibv_port_attr.init_type_reply.set(whole, of.initTypeReply());
        ibv_port_attr.active_width.set(whole, of.activeWidth().number());
        ibv_port_attr.active_speed.set(whole, of.activeSpeed().number());
        ibv_port_attr.phys_state.set(whole, of.physicalState());
        ibv_port_attr.link_layer.set(whole, of.linkLayer().number());
        ibv_port_attr.flags.set(whole, of.flags());
        Native.clear(attributes, sizeBytes);
        Native.copy(whole, attributes, Math.clamp(sizeBytes, 0, ibv_port_attr.SIZE));
        Native.free(whole);
        return 0;
    }

    static int ibv_query_port_speed(long context, int port, long speed) {
        PortAttributes of = Context.TABLE.at(context).device().queryPort(port);
        Native.putLong(speed, (long) of.activeWidth().lanes() * of.activeSpeed().rate());
        return 0;
    }

    static int ibv_query_gid(long context, int port, int index, long gid) {
        GidTable.Entry entry = Context.TABLE.at(context).gidAt(port & 0xff, index);
        Vectors.putGid(entry == null ? NO_GID : entry.gid(), gid);
        return 0;
    }

    static int ibv_query_pkey(long context, int port, int index, long pkey) {
        int value = Context.TABLE.at(context).device().queryPkey(port & 0xff, index);
        Native.putShort(pkey, Short.reverseBytes((short) value));
        return 0;
    }

    /** The key is big-endian, as all keys that programs have. */
    static int ibv_get_pkey_index(long context, int port, int pkey) {
        Device device = Context.TABLE.at(context).device();
        int wanted = Short.toUnsignedInt(Short.reverseBytes((short) pkey));
        int count = device.queryPort(port & 0xff).pkeyCount();
        for (int i = 0; i < count; i++) {
            if ((device.queryPkey(port & 0xff, i) & 0xffff) == wanted) {
                return i;
            }
        }
        throw new Refused(Errno.EINVAL.number(), String.format("pkey=0x%04x is not in the table", wanted));
    }

    static int _ibv_query_gid_ex(long context, int port, int index, long entry, int flags, long sizeBytes) {
        Context of = Context.TABLE.at(context);
        if (flags != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "flags=" + flags + " are not known");
        }
        GidTable.Entry at = of.gidAt(port, index);
        if (at == null) {
            throw new Refused(ENODATA, "gid_index=" + index + " is empty");
        }
        write(of, at, port, index, entry, sizeBytes);
        return 0;
    }

    private static void write(Context of, GidTable.Entry at, int port, int index, long entry, long sizeBytes) {
        long whole = Native.allocate(ibv_gid_entry.SIZE);
        Vectors.putGid(at.gid(), ibv_gid_entry.gid.of(whole));
        ibv_gid_entry.gid_index.set(whole, index);
        ibv_gid_entry.port_num.set(whole, port);
        boolean isEthernet = isEthernet(of.device(), port);
        ibv_gid_entry.gid_type.set(whole, !isEthernet ? ENTRY_IB : at.isV1() ? ENTRY_ROCE_V1 : ENTRY_ROCE_V2);
        Native.copy(whole, entry, Math.clamp(sizeBytes, 0, ibv_gid_entry.SIZE));
        Native.free(whole);
    }

    static boolean isEthernet(Device device, int port) {
        return device.queryPort(port).linkLayer() == LinkLayer.ETHERNET;
    }

    /** How adapters name the network header of the datagrams that come, in the service level of their completions. */
    static int networkHeaderOf(Device device) {
        boolean isIpv4 = device.queryGid(1, 0).toInetAddress() instanceof Inet4Address;
        return !isEthernet(device, 1) ? 0 : isIpv4 ? UDP_IPV4 : UDP_IPV6;
    }

    static long _ibv_query_gid_table(long context, long entries, long most, int flags, long sizeBytes) {
        Context of = Context.TABLE.at(context);
        if (flags != 0) {
            throw new Refused(Errno.EOPNOTSUPP.number(), "flags=" + flags + " are not known");
        }
        int known = 0;
        for (int port = 1; port <= of.device().gids().size(); port++) {
            for (int i = 0; i < of.adapter().gids(port).size(); i++) {
                GidTable.Entry at = of.gidAt(port, i);
                if (at != null && known < most) {
                    write(of, at, port, i, entries + known * sizeBytes, sizeBytes);
                }
                known += at == null ? 0 : 1;
            }
        }
        if (most < known) {
            throw new Refused(Errno.EINVAL.number(), "max_entries=" + most + " is less than entries=" + known);
        }
        return known;
    }

    static int ibv_query_gid_type(long context, int port, int index, long type) {
        Context of = Context.TABLE.at(context);
        GidTable.Entry at = of.gidAt(port & 0xff, index);
        boolean isV2 = at != null && !at.isV1() && isEthernet(of.device(), port & 0xff);
        Native.putInt(type, isV2 ? SYSFS_ROCE_V2 : SYSFS_IB);
        return 0;
    }

    static int ibv_resolve_eth_l2_from_gid(long context, long attributes, long mac, long vlan) {
        // There is no Ethernet under the packets: the address is made of the GID, as for local addresses.
        Gid gid = Vectors.read(Context.TABLE.at(context), attributes).destination();
        long bits = gid.interfaceId();
        Native.putByte(mac, 2);
        for (int i = 1; i < 6; i++) {
            Native.putByte(mac + i, (int) (bits >>> (8 * (5 - i))));
        }
        Native.putShort(vlan, 0xffff);
        return 0;
    }

    // ---- what sysfs would say

    static long ibv_get_sysfs_path() {
        return SYSFS;
    }

    static int ibv_read_sysfs_file(long directory, long file, long buffer, long sizeBytes) {
        return read(Native.string(directory), Native.string(file), buffer, sizeBytes);
    }

    static int ibv_read_ibdev_sysfs_file(long buffer, long sizeBytes, long device, long format) {
        return read(Adapters.of(device).name(), Native.string(format), buffer, sizeBytes);
    }

    private static int read(String directory, String file, long buffer, long sizeBytes) {
        String text = switch (file.substring(file.lastIndexOf('/') + 1)) {
            case "node_type" -> "1: CA";
            case "fw_ver" -> "1.0";
            case "board_id" -> "verbatim";
            case "hca_type" -> "Verbatim";
            case "hw_rev" -> "1";
            case "abi_version" -> "1";
            default ->
                throw new Refused(
                        Errno.ENOENT.number(), directory + "/" + file + " is not among what this device tells");
        };
        if (sizeBytes <= 0) {
            throw new Refused(Errno.EINVAL.number(), "size=" + sizeBytes + " leaves no room");
        }
        Native.putString(buffer, text, (int) Math.min(sizeBytes, Integer.MAX_VALUE));
        return text.length();
    }
}
