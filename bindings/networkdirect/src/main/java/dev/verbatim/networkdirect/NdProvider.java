// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.networkdirect;

import dev.verbatim.verbs.Device;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The devices that are available as NetworkDirect adapters ({@code IND2Provider}). */
public final class NdProvider extends NdObject {

    private final NdProfile profile;
    private final Map<Long, Device> devices = new LinkedHashMap<>();

    private NdProvider(NdProfile profile, List<Device> devices) {
        this.profile = profile;
        for (Device device : devices) {
            if (this.devices.putIfAbsent(device.query().guid(), device) != null) {
                throw new IllegalArgumentException("two devices have the GUID of " + device.name());
            }
        }
    }

    /** A provider of these devices. Releasing it does not close them. */
    public static NdProvider of(NdProfile profile, Device... devices) {
        return new NdProvider(profile, List.of(devices));
    }

    /** The same with {@link NdProfile#REFERENCE}. */
    public static NdProvider of(Device... devices) {
        return of(NdProfile.REFERENCE, devices);
    }

    /**
     * The addresses of all adapters, with port 0.
     *
     * @param list where they go; null or too short is BUFFER_OVERFLOW, and it is untouched
     * @param count set to how many there are
     */
    public NdStatus queryAddressList(InetSocketAddress @Nullable [] list, NdSize count) {
        return count.copy(all(), list);
    }

    private InetSocketAddress[] all() {
        return devices.values().stream()
                .map(device -> new InetSocketAddress(device.gid().toInetAddress(), 0))
                .toArray(InetSocketAddress[]::new);
    }

    /**
     * The id of the adapter with this address; the port does not matter.
     *
     * @throws NdException INVALID_ADDRESS if no adapter has it
     */
    public long resolveAddress(InetSocketAddress address) {
        for (Map.Entry<Long, Device> each : devices.entrySet()) {
            if (each.getValue().gid().toInetAddress().equals(address.getAddress())) {
                return each.getKey();
            }
        }
        throw new NdException(NdStatus.INVALID_ADDRESS, "no adapter has the address %s", address);
    }

    /** Whether an adapter has that address: SUCCESS or INVALID_ADDRESS ({@code NdCheckAddress}). */
    public NdStatus checkAddress(InetSocketAddress address) {
        try {
            long unused = resolveAddress(address);
            return NdStatus.SUCCESS;
        } catch (NdException unknown) {
            return unknown.status();
        }
    }

    /**
     * Opens an adapter. Each call returns another instance, with a protection domain of its own. The provider may be released before the
     * adapter.
     *
     * @throws NdException INVALID_PARAMETER for an unknown id, INVALID_HANDLE if the provider was released, NO_MEMORY
     */
    public NdAdapter openAdapter(long adapterId) {
        Device device = devices.get(adapterId);
        if (isReleased()) {
            throw new NdException(NdStatus.INVALID_HANDLE, "the provider was released");
        }
        if (device == null) {
            throw new NdException(NdStatus.INVALID_PARAMETER, "no adapter has id=0x%016x", adapterId);
        }
        return NdAdapter.open(device, profile);
    }

    @Override
    ObjectCalls calls() {
        return ObjectCalls.NONE;
    }

    /** The devices stay as they are. */
    @Override
    void end() {}
}
