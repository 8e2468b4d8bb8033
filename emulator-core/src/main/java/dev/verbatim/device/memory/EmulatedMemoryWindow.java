// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.device.memory;

import dev.verbatim.device.context.PdIdentity;
import dev.verbatim.device.context.QpIdentity;
import dev.verbatim.fabric.DevicePart;
import dev.verbatim.verbs.AccessFlags;
import dev.verbatim.verbs.BindInfo;
import dev.verbatim.verbs.Errno;
import dev.verbatim.verbs.MemoryWindow;
import dev.verbatim.verbs.MemoryWindowType;
import dev.verbatim.verbs.ProtectionDomain;
import dev.verbatim.verbs.Rule;
import dev.verbatim.verbs.VerbsException;
import dev.verbatim.verbs.WindowBinding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A memory window as the device has it. Its state is that of section L: a window of type 1 is always valid, perhaps for no
 * bytes; one of type 2 is free or bound. Changed on the lane only, by the requests of queue pairs.
 *
 * <p>There may be a million of them, so it holds nothing that can be found elsewhere: what it was before is in the
 * {@link KeyHistory}.
 */
public final class EmulatedMemoryWindow implements MemoryWindow, RemoteTarget {

    private final DeviceMemory memory;
    private final PdIdentity domain;
    private final boolean type2;
    private final boolean comparesDomain;
    private final int handle;
    private volatile int rkey;
    private int key;
    private @Nullable EmulatedMemoryRegion region;
    private @Nullable QpIdentity user;
    private long address;
    private long lengthBytes;
    private int access;
    private int binding;
    private int boundBy;
    private boolean withinRegion;
    private volatile boolean open = true;

    EmulatedMemoryWindow(
            DeviceMemory memory,
            PdIdentity domain,
            MemoryWindowType type,
            boolean comparesDomain,
            int handle,
            int rkey) {
        this.memory = memory;
        this.domain = domain;
        this.type2 = type == MemoryWindowType.TYPE_2;
        this.comparesDomain = comparesDomain;
        this.handle = handle;
        this.rkey = rkey;
        this.key = rkey;
    }

    @Override
    public ProtectionDomain pd() {
        return domain.handle();
    }

    /** The domain that it is in. */
    public PdIdentity domain() {
        return domain;
    }

    @Override
    public MemoryWindowType type() {
        return type2 ? MemoryWindowType.TYPE_2 : MemoryWindowType.TYPE_1;
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int rkey() {
        touched();
        return rkey;
    }

    /** The same for the device, whose looks are no program's. */
    int shownKey() {
        return rkey;
    }

    /** What programs see as its key from now on. */
    public void rkey(int value) {
        rkey = value;
    }

    private void touched() {
        domain.device().lane().touched(domain.device().name(), DevicePart.KEYS);
    }

    /** Programs see the key of the last good bind again, unless another bind was posted behind the one that failed. */
    public synchronized void giveBack(int failedKey) {
        touched();
        if (rkey == failedKey) {
            rkey = key;
        }
    }

    @Override
    public int currentRkey() {
        return domain.device().onLane(() -> key);
    }

    @Override
    public List<WindowBinding> life() {
        return domain.device().onLane(() -> {
            List<WindowBinding> life = new ArrayList<>(memory.keys().history().of(handle));
            if (isBound()) {
                life.add(new WindowBinding(binding, key, boundBy, address, lengthBytes, access, null));
            }
            return life;
        });
    }

    /** What revoked its last binding, in some words; null if there was none, or if that is forgotten. On the lane. */
    public @Nullable String lastEnd() {
        List<WindowBinding> before = memory.keys().history().of(handle);
        return before.isEmpty() ? null : before.get(before.size() - 1).end();
    }

    /** Whether programs may still name it. */
    public boolean isOpen() {
        return open;
    }

    /** The key of its present binding, or of the last one; at first that of its allocation. */
    public int key() {
        return key;
    }

    /** How many times it was bound. */
    @Override
    public int binding() {
        return binding;
    }

    /** Whether it is bound to bytes of a region. */
    public boolean isBound() {
        return region != null;
    }

    @Override
    public EmulatedMemoryRegion region() {
        EmulatedMemoryRegion under = region;
        if (under == null) {
            throw new IllegalStateException(this + " is bound to nothing");
        }
        return under;
    }

    /** The queue pair that may use it, in the life in which it bound it; null for any of the domain (type 1). */
    @Nullable
    public QpIdentity user() {
        return user;
    }

    /** Number of the queue pair that bound it last. */
    public int boundBy() {
        return boundBy;
    }

    /** The first byte, as the region has it. */
    long address() {
        return address;
    }

    /** How many bytes it is bound to. */
    @Override
    public long boundBytes() {
        return lengthBytes;
    }

    /** Its access flags. */
    int access() {
        return access;
    }

    /** The first address that its key understands (MW-107). */
    @Override
    public long firstAddress() {
        return (access & AccessFlags.ZERO_BASED) == 0 ? address : 0;
    }

    /** Whether the bytes from {@code from} on lie inside, in unsigned arithmetic that cannot wrap (MW-107). */
    boolean covers(long from, long count) {
        return AddressRange.covers(firstAddress(), lengthBytes, from, count);
    }

    @Override
    public long indexOf(long coveredAddress) {
        return region().indexOf(coveredAddress - firstAddress() + address);
    }

    /** Whether its users must be in its domain (type 1, 2B). */
    boolean comparesDomain() {
        return comparesDomain;
    }

    /** Whether all its bytes are in the region; they may not be if the bind did not check (MW-57). */
    boolean isWithinRegion() {
        return withinRegion;
    }

    /** It is bound from now on. */
    public void bind(int newKey, EmulatedMemoryRegion newRegion, BindInfo info, QpIdentity binder) {
        key = newKey;
        region = newRegion;
        newRegion.countWindows(1);
        address = info.address();
        lengthBytes = info.lengthBytes();
        access = info.access();
        withinRegion = newRegion.covers(address, lengthBytes);
        if (type2) {
            user = binder;
            binder.countWindows(1);
        }
        binding++;
        boundBy = binder.qpNumber();
    }

    /** It is bound to nothing from now on. */
    public void unbind() {
        if (region != null) {
            region.countWindows(-1);
        }
        if (user != null) {
            user.countWindows(-1);
        }
        region = null;
        user = null;
        address = 0;
        lengthBytes = 0;
        access = 0;
    }

    /** It has this key, for no bytes (type 1, MW-24). */
    public void bindToNothing(int newKey, QpIdentity binder) {
        key = newKey;
        binding++;
        boundBy = binder.qpNumber();
    }

    @Override
    public void close() {
        domain.device().callTold(() -> {
            if (!open) {
                throw VerbsException.of(Errno.ENOENT, Rule.MW_06, "%s was deallocated before", this);
            }
            end();
            domain.device().closed(this);
        });
    }

    /** Ends it. On the lane. */
    void end() {
        open = false;
        memory.deallocate(this);
    }

    @Override
    public String toString() {
        return "window " + handle + " of " + type();
    }
}
