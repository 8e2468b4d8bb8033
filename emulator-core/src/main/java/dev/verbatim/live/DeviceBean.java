// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.live;

import dev.verbatim.verbs.Device;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * A device among the MXBeans of this process, as {@code dev.verbatim:type=Device,name="left",gid="..."}. Nothing is opened for
 * it: how the process is reached is up to the settings of the JVM.
 */
public final class DeviceBean implements DeviceMXBean, AutoCloseable {

    private final Device device;
    private final MBeanServer server;
    private final ObjectName objectName;

    private DeviceBean(Device device, MBeanServer server) throws JMException {
        this.device = device;
        this.server = server;
        this.objectName = new ObjectName("dev.verbatim:type=Device,name=" + ObjectName.quote(device.name()) + ",gid="
                + ObjectName.quote(device.gid().toString()));
    }

    /**
     * Registers the device with the MBean server of the platform, until the bean is closed.
     *
     * @throws IllegalStateException if that server refuses it, as it does a device that is registered already
     */
    public static DeviceBean register(Device device) {
        try {
            DeviceBean bean = new DeviceBean(device, ManagementFactory.getPlatformMBeanServer());
            bean.server.registerMBean(bean, bean.objectName);
            return bean;
        } catch (JMException e) {
            throw new IllegalStateException(
                    "device " + device.name() + " " + device.gid() + " cannot be registered: " + e.getMessage()
                            + "; close the bean that it has",
                    e);
        }
    }

    /** The name that it is registered with. */
    public ObjectName objectName() {
        return objectName;
    }

    @Override
    public String getName() {
        return device.name();
    }

    @Override
    public String getGid() {
        return device.gid().toString();
    }

    @Override
    public Map<String, Long> getCounters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        device.counters().forEach((counter, value) -> counters.put(counter.statisticName(), value));
        return counters;
    }

    /** Removes the bean; does nothing if that was done. */
    @Override
    public void close() {
        try {
            server.unregisterMBean(objectName);
        } catch (InstanceNotFoundException e) {
            // It was removed before.
        } catch (JMException e) {
            throw new IllegalStateException("bean " + objectName + " cannot be removed: " + e.getMessage(), e);
        }
    }

    /** The object's name. */
    @Override
    public String toString() {
        return objectName.toString();
    }
}
