// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.cli.devinfo;

import dev.verbatim.verbs.Device;
import dev.verbatim.verbs.DeviceAttributes;
import dev.verbatim.verbs.DeviceCapabilities;
import dev.verbatim.verbs.LinkLayer;
import dev.verbatim.verbs.PortAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code ibv_devinfo -v} prints of a device: names and order are its own. */
public final class DeviceInfo {

    private static final int NAME_CHARS = 24;
    private static final int PORT_NAME_CHARS = 24;

    private static final Map<String, Long> CAPABILITIES = capabilities();

    private final List<String> lines = new ArrayList<>();

    private DeviceInfo() {}

    /** The lines of the device and its port. */
    public static List<String> of(Device device) {
        DeviceInfo info = new DeviceInfo();
        info.lines.add("hca_id:\t" + device.name());
        info.identity(device.query());
        info.limits(device.query());
        info.port(device);
        return List.copyOf(info.lines);
    }

    private static Map<String, Long> capabilities() {
        Map<String, Long> names = new LinkedHashMap<>();
        names.put("RC_RNR_NAK_GEN", (long) DeviceCapabilities.RC_RNR_NAK_GEN);
        names.put("SRQ_RESIZE", (long) DeviceCapabilities.SRQ_RESIZE);
        names.put("MEM_WINDOW", (long) DeviceCapabilities.MEM_WINDOW);
        names.put("XRC", (long) DeviceCapabilities.XRC);
        names.put("MEM_MGT_EXTENSIONS", (long) DeviceCapabilities.MEM_MGT_EXTENSIONS);
        names.put("MEM_WINDOW_TYPE_2A", (long) DeviceCapabilities.MEM_WINDOW_TYPE_2A);
        names.put("MEM_WINDOW_TYPE_2B", (long) DeviceCapabilities.MEM_WINDOW_TYPE_2B);
        names.put("FLUSH_GLOBAL", DeviceCapabilities.FLUSH_GLOBAL);
        names.put("FLUSH_PERSISTENT", DeviceCapabilities.FLUSH_PERSISTENT);
        names.put("ATOMIC_WRITE", DeviceCapabilities.ATOMIC_WRITE);
        return names;
    }

    private void identity(DeviceAttributes device) {
        line("transport", "InfiniBand (0)");
        line("fw_ver", device.firmwareVersion());
        line("node_guid", guid(device.guid()));
        line("sys_image_guid", guid(device.systemImageGuid()));
        line("vendor_id", hex(device.vendorId()));
        line("vendor_part_id", device.vendorPartId());
        line("hw_ver", hex(device.hardwareVersion()));
        line("phys_port_cnt", device.physicalPorts());
    }

    private void limits(DeviceAttributes device) {
        line("max_mr_size", hex(device.maxMrSizeBytes()));
        line("page_size_cap", hex(device.pageSizes()));
        line("max_qp", device.maxQp());
        line("max_qp_wr", device.maxQpWr());
        line("device_cap_flags", String.format(Locale.ROOT, "0x%08x", device.capabilities()));
        CAPABILITIES.forEach((name, bits) -> {
            if ((device.capabilities() & bits) == bits) {
                lines.add("\t\t\t\t\t" + name);
            }
        });
        line("max_sge", device.maxSge());
        line("max_sge_rd", device.maxSgeRd());
        line("max_cq", device.maxCq());
        line("max_cqe", device.maxCqe());
        line("max_mr", device.maxMr());
        line("max_pd", device.maxPd());
        line("max_qp_rd_atom", device.maxQpRdAtom());
        line("max_res_rd_atom", device.maxResRdAtom());
        line("max_qp_init_rd_atom", device.maxQpInitRdAtom());
        line(
                "atomic_cap",
                "ATOMIC_" + device.atomicCapability() + " ("
                        + device.atomicCapability().number() + ")");
        line("max_mw", device.maxMw());
        line("max_ah", device.maxAh());
        line("max_srq", device.maxSrq());
        line("max_srq_wr", device.maxSrqWr());
        line("max_srq_sge", device.maxSrqSge());
        line("max_pkeys", device.maxPkeys());
        line("local_ca_ack_delay", device.localAckDelay());
        line("num_comp_vectors", device.completionVectors());
    }

    private void port(Device device) {
        PortAttributes port = device.queryPort(1);
        lines.add("\t\tport:\t1");
        portLine("state", "PORT_" + port.state() + " (" + port.state().number() + ")");
        portLine("max_mtu", port.maxMtu().bytes() + " (" + port.maxMtu().number() + ")");
        portLine(
                "active_mtu", port.activeMtu().bytes() + " (" + port.activeMtu().number() + ")");
        portLine("sm_lid", port.subnetManagerLid());
        portLine("port_lid", port.lid());
        portLine("port_lmc", String.format(Locale.ROOT, "0x%02x", port.lidMaskCount()));
        portLine("link_layer", port.linkLayer() == LinkLayer.ETHERNET ? "Ethernet" : port.linkLayer());
        portLine("max_msg_sz", hex(port.maxMessageBytes()));
        portLine("max_vl_num", port.virtualLanes());
        portLine("bad_pkey_cntr", hex(port.badPkeys()));
        portLine("qkey_viol_cntr", hex(port.badQueueKeys()));
        portLine("sm_sl", port.subnetManagerServiceLevel());
        portLine("pkey_tbl_len", port.pkeyCount());
        portLine("gid_tbl_len", port.gidCount());
        portLine("subnet_timeout", port.subnetTimeout());
        portLine("init_type_reply", port.initTypeReply());
        portLine(
                "active_width",
                port.activeWidth().lanes() + "X (" + port.activeWidth().number() + ")");
        portLine(
                "active_speed",
                port.activeSpeed().rate() / 10.0 + " Gbps ("
                        + port.activeSpeed().number() + ")");
        portLine(
                "phys_state",
                (port.physicalState() == PortAttributes.DISABLED ? "DISABLED" : "LINK_UP") + " (" + port.physicalState()
                        + ")");
        for (int index = 0; index < port.gidCount(); index++) {
            portLine("GID[" + index + "]", device.queryGid(1, index));
        }
    }

    private void line(String name, Object value) {
        lines.add("\t" + padded(name + ":", NAME_CHARS) + value);
    }

    private void portLine(String name, Object value) {
        lines.add("\t\t\t" + padded(name + ":", PORT_NAME_CHARS) + value);
    }

    private static String padded(String text, int chars) {
        return text + " ".repeat(Math.max(1, chars - text.length()));
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }

    private static String guid(long guid) {
        String digits = String.format(Locale.ROOT, "%016x", guid);
        return String.join(
                ":", digits.substring(0, 4), digits.substring(4, 8), digits.substring(8, 12), digits.substring(12));
    }
}
