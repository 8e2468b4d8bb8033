// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.conformance.scenario.step.object;

import dev.verbatim.conformance.scenario.check.NameScope;
import dev.verbatim.conformance.scenario.form.Forms;
import dev.verbatim.conformance.scenario.form.Key;
import dev.verbatim.conformance.scenario.node.StepContext;
import dev.verbatim.conformance.scenario.step.QueriedAttributes;
import dev.verbatim.conformance.scenario.step.Step;
import dev.verbatim.conformance.scenario.step.StepWord;
import dev.verbatim.verbs.AtomicCapability;
import dev.verbatim.verbs.DeviceAttributes;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Asks what the device of the node can do. */
public record QueryDevice(Map<String, Object> wanted, Map<String, String> into) implements Step {

    /** The words; an attribute that is added needs a row here, in the same order, which a test checks. */
    public static final QueriedAttributes<DeviceAttributes> FACTS = new QueriedAttributes<DeviceAttributes>()
            .add("fw_ver", Forms.text("the version of firmware"), DeviceAttributes::firmwareVersion)
            .add("node_guid", Forms.word(), DeviceAttributes::guid)
            .add("sys_image_guid", Forms.word(), DeviceAttributes::systemImageGuid)
            .count("max_pd", DeviceAttributes::maxPd)
            .count("max_mr", DeviceAttributes::maxMr)
            .count("max_mw", DeviceAttributes::maxMw)
            .add("max_mr_size", Forms.word(), DeviceAttributes::maxMrSizeBytes)
            .add("page_size_cap", Forms.word(), DeviceAttributes::pageSizes)
            .count("vendor_id", DeviceAttributes::vendorId)
            .count("vendor_part_id", DeviceAttributes::vendorPartId)
            .count("hw_ver", DeviceAttributes::hardwareVersion)
            .count("max_qp", DeviceAttributes::maxQp)
            .count("max_qp_wr", DeviceAttributes::maxQpWr)
            .count("max_sge", DeviceAttributes::maxSge)
            .count("max_sge_rd", DeviceAttributes::maxSgeRd)
            .count("max_inline_data", DeviceAttributes::maxInlineDataBytes)
            .count("max_cq", DeviceAttributes::maxCq)
            .count("max_cqe", DeviceAttributes::maxCqe)
            .count("max_ah", DeviceAttributes::maxAh)
            .count("max_srq", DeviceAttributes::maxSrq)
            .count("max_srq_wr", DeviceAttributes::maxSrqWr)
            .count("max_srq_sge", DeviceAttributes::maxSrqSge)
            .count("max_xrcd", DeviceAttributes::maxXrcd)
            .count("max_qp_rd_atom", DeviceAttributes::maxQpRdAtom)
            .count("max_res_rd_atom", DeviceAttributes::maxResRdAtom)
            .count("max_qp_init_rd_atom", DeviceAttributes::maxQpInitRdAtom)
            .add(
                    "atomic_cap",
                    Forms.constant("against what atomics are atomic", AtomicCapability.class),
                    DeviceAttributes::atomicCapability)
            .count("num_comp_vectors", DeviceAttributes::completionVectors)
            .count("max_pkeys", DeviceAttributes::maxPkeys)
            .count("local_ca_ack_delay", DeviceAttributes::localAckDelay)
            .count("phys_port_cnt", DeviceAttributes::physicalPorts)
            .add("device_cap_flags", Forms.word(), DeviceAttributes::capabilities);

    /** Copies the maps. */
    public QueryDevice {
        wanted = Collections.unmodifiableMap(new LinkedHashMap<>(wanted));
        into = Collections.unmodifiableMap(new LinkedHashMap<>(into));
    }

    /** How it is written. */
    public static StepWord<QueryDevice> word() {
        StepWord<QueryDevice> word = new StepWord<>("query_device", QueryDevice.class);
        Key<QueryDevice, Map<String, Object>> head = word.head(
                FACTS.wanted("device_attributes", "the attributes of a device"),
                QueryDevice::wanted,
                "Attributes that the device must have.");
        Key<QueryDevice, Map<String, String>> into = word.optional(
                "into", FACTS.into("an attribute of a device"), Map.of(), QueryDevice::into, "Registers by attribute.");
        return word.making(values -> new QueryDevice(values.get(head), values.get(into)));
    }

    @Override
    public void check(NameScope scope) {
        into.values().forEach(register -> scope.sets("into", register));
    }

    @Override
    public void run(StepContext context) {
        FACTS.see(context, context.node().device().query(), wanted, into);
    }
}
