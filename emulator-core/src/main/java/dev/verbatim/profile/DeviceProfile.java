// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.profile;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The behaviour of a device in points on which real devices differ; immutable. Each switch is read in one place of the
 * device.
 *
 * <p>The default, {@link #STRICT_IBTA}, follows the InfiniBand rules. The other profiles imitate devices as far as
 * there are switches; {@code docs/profiles.md} compares them and lists the sources.
 */
public final class DeviceProfile {

    /** What the rules say. */
    public static final DeviceProfile STRICT_IBTA = new Builder("STRICT_IBTA").build();

    /**
     * Behaviour of soft-RoCE, the software device of Linux, as measured on a 6.1 kernel; without its crashes, hangs and
     * missing checks.
     */
    public static final DeviceProfile RXE_LIKE = Presets.rxeLike();

    /** Behaviour of mlx5, the adapters ConnectX-4 and newer, as recorded by public conformance tests (K.3). */
    public static final DeviceProfile MLX5_LIKE = Presets.mlx5Like();

    /** Behaviour of irdma, the adapters E800 and X722, as recorded by public conformance tests (K.3). */
    public static final DeviceProfile IRDMA_LIKE = Presets.irdmaLike();

    /**
     * What C programs expect that were written against common adapters and soft-RoCE: the behaviour that the Linux drivers share, with
     * generous queues and all operations of the emulator. It imitates no particular device.
     */
    public static final DeviceProfile LINUX_LIKE = Presets.linuxLike();

    private static final List<DeviceProfile> PRESETS =
            List.of(STRICT_IBTA, RXE_LIKE, MLX5_LIKE, IRDMA_LIKE, LINUX_LIKE);

    /** 0 and 1 are the management queue pairs (QP-01); the next few are left out to be told from small counts. */
    public static final int FIRST_QP_NUMBER = 0x11;

    private static final int ALL_QP_NUMBERS = 0x100_0000 - FIRST_QP_NUMBER;

    private final Builder values;

    private DeviceProfile(Builder values) {
        this.values = new Builder(values);
    }

    /**
     * Returns the profile with a given name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static DeviceProfile named(String name) {
        for (DeviceProfile preset : PRESETS) {
            if (preset.name().equals(name)) {
                return preset;
            }
        }
        throw new IllegalArgumentException("profile=" + name + " is none of "
                + PRESETS.stream().map(DeviceProfile::name).collect(Collectors.joining(", ")));
    }

    /** The predefined profiles: {@link #STRICT_IBTA} first, then those that imitate devices. */
    public static List<DeviceProfile> presets() {
        return PRESETS;
    }

    /** A builder that starts from this profile. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Name for messages. */
    public String name() {
        return values.name;
    }

    /** Limits of the device. */
    public DeviceLimits limits() {
        return values.limits;
    }

    /** Switches for memory windows. */
    public WindowSwitches windows() {
        return values.windows;
    }

    /** Switches for posting. */
    public PostingSwitches posting() {
        return values.posting;
    }

    /** Switches for completions and events. */
    public CompletionSwitches completions() {
        return values.completions;
    }

    /** Whether a region of length 0 can be registered (MR-30). */
    public boolean zeroLengthMr() {
        return values.zeroLengthMr;
    }

    /** Whether a device without on-demand paging refuses it as unknown (EINVAL) instead of unsupported (EOPNOTSUPP) (MR-05). */
    public boolean onDemandUnknown() {
        return values.onDemandUnknown;
    }

    /** Whether a region's remote key equals its local key (MR-13). */
    public boolean lkeyEqualsRkey() {
        return values.lkeyEqualsRkey;
    }

    /**
     * Whether a region without remote rights has a remote key as well, where it is not the local one; otherwise it is 0 (MR-13).
     */
    public boolean rkeyWithoutRights() {
        return values.rkeyWithoutRights;
    }

    /** Whether programs may choose Q_Keys with the highest bit set, as those with CAP_NET_RAW may on Linux (QV-11). */
    public boolean privilegedQkeys() {
        return values.privilegedQkeys;
    }

    /**
     * The seed of the order of key indexes and of their first variants; empty if keys are assigned in ascending order
     * (KEY-P6).
     */
    public OptionalLong keySeed() {
        return values.keySeed;
    }

    /**
     * Whether the profile specifies how keys are assigned. Otherwise they are sequential if all devices are in one JVM,
     * and random with a fresh seed if the fabric uses a network.
     */
    public boolean isKeyOrderChosen() {
        return values.isKeyOrderChosen;
    }

    /** The number of queue pair numbers; a number is reused after all others were assigned (QP-08). */
    public int qpNumbers() {
        return values.qpNumbers;
    }

    /** Whether receive elements are checked as a whole, not only the bytes that a message fills (MR-43). */
    public boolean strictRecvSge() {
        return values.strictRecvSge;
    }

    /** Whether the local element of a READ or atomic is checked before the request is sent (MR-42). */
    public boolean earlyReadLkey() {
        return values.earlyReadLkey;
    }

    /** Whether retry_cnt 7 means unlimited retries (RT-02). */
    public boolean infiniteRetrySeven() {
        return values.infiniteRetrySeven;
    }

    /** Whether req_notify without a channel is refused with EINVAL (CQ-05). */
    public boolean notifyNeedsChannel() {
        return values.notifyNeedsChannel;
    }

    /** Whether queues get one entry less than the next power of two instead of the requested size (QP-02, CQ-01, SRQ-01). */
    public boolean roundsUpQueues() {
        return values.roundsUpQueues;
    }

    /**
     * Whether elements and inline data share their room, 16 bytes for an element: a queue pair gets room for as much inline data as its
     * elements take, although it did not ask for it, and as many elements as its inline room holds (QP-02, QP-03).
     */
    public boolean elementsHoldInline() {
        return values.elementsHoldInline;
    }

    /** Whether shared receive queues can be resized (SRQ-05). */
    public boolean srqResize() {
        return values.srqResize;
    }

    /** Whether XRC is supported; if not, EOPNOTSUPP (XRC-01, QP-04). */
    public boolean xrc() {
        return values.xrc;
    }

    /** Whether RESET to ERR is refused, as Linux does (QS-07). */
    public boolean resetToErrRefused() {
        return values.resetToErrRefused;
    }

    /** Whether a re-registration can change the memory of a region; if not, EOPNOTSUPP (MR-68). */
    public boolean reregChangesTranslation() {
        return values.reregChangesTranslation;
    }

    /** Whether a re-registration can change the rights of a region; if not, EOPNOTSUPP (MR-63). */
    public boolean reregChangesAccess() {
        return values.reregChangesAccess;
    }

    /** Whether a region keeps its keys when it is re-registered (MR-65). */
    public boolean reregKeepsKeys() {
        return values.reregKeepsKeys;
    }

    /** Whether a region stays usable after a refused re-registration; if not, it can only be closed (MR-63). */
    public boolean reregFailureKeepsRegion() {
        return values.reregFailureKeepsRegion;
    }

    /** Whether ATOMIC_WRITE is supported (NW-01). */
    public boolean atomicWrite() {
        return values.atomicWrite;
    }

    /** Whether FLUSH to global visibility and to persistence is supported (NW-02, MR-06). */
    public boolean flush() {
        return values.flush;
    }

    /** Whether the device has memory of its own that programs can allocate (DM-01). */
    public boolean deviceMemory() {
        return values.deviceMemory;
    }

    /** Whether regions can be registered with ON_DEMAND (MR-73). */
    public boolean onDemandPaging() {
        return values.onDemandPaging;
    }

    /** Whether null regions can be allocated (MR-75). */
    public boolean nullRegions() {
        return values.nullRegions;
    }

    @Override
    public String toString() {
        return values.name;
    }

    /** Collects the switches of a profile. */
    public static final class Builder {

        private String name;
        private DeviceLimits limits = DeviceLimits.DEFAULT;
        private WindowSwitches windows = WindowSwitches.STRICT;
        private PostingSwitches posting = PostingSwitches.STRICT;
        private CompletionSwitches completions = CompletionSwitches.STRICT;
        private boolean zeroLengthMr = true;
        private boolean onDemandUnknown;
        private boolean lkeyEqualsRkey;
        private boolean rkeyWithoutRights;
        private boolean privilegedQkeys;
        private OptionalLong keySeed = OptionalLong.empty();
        private boolean isKeyOrderChosen;
        private int qpNumbers = ALL_QP_NUMBERS;
        private boolean strictRecvSge;
        private boolean earlyReadLkey;
        private boolean infiniteRetrySeven;
        private boolean notifyNeedsChannel;
        private boolean roundsUpQueues;
        private boolean elementsHoldInline;
        private boolean resetToErrRefused;
        private boolean srqResize = true;
        private boolean xrc = true;
        private boolean reregChangesTranslation = true;
        private boolean reregChangesAccess = true;
        private boolean reregKeepsKeys;
        private boolean reregFailureKeepsRegion;
        private boolean atomicWrite = true;
        private boolean flush = true;
        private boolean deviceMemory;
        private boolean onDemandPaging;
        private boolean nullRegions;

        Builder(String name) {
            this.name = name;
        }

        private Builder(Builder other) {
            name = other.name;
            limits = other.limits;
            windows = other.windows;
            posting = other.posting;
            completions = other.completions;
            zeroLengthMr = other.zeroLengthMr;
            onDemandUnknown = other.onDemandUnknown;
            lkeyEqualsRkey = other.lkeyEqualsRkey;
            rkeyWithoutRights = other.rkeyWithoutRights;
            privilegedQkeys = other.privilegedQkeys;
            keySeed = other.keySeed;
            isKeyOrderChosen = other.isKeyOrderChosen;
            qpNumbers = other.qpNumbers;
            strictRecvSge = other.strictRecvSge;
            earlyReadLkey = other.earlyReadLkey;
            infiniteRetrySeven = other.infiniteRetrySeven;
            notifyNeedsChannel = other.notifyNeedsChannel;
            roundsUpQueues = other.roundsUpQueues;
            elementsHoldInline = other.elementsHoldInline;
            resetToErrRefused = other.resetToErrRefused;
            srqResize = other.srqResize;
            xrc = other.xrc;
            reregChangesTranslation = other.reregChangesTranslation;
            reregChangesAccess = other.reregChangesAccess;
            reregKeepsKeys = other.reregKeepsKeys;
            reregFailureKeepsRegion = other.reregFailureKeepsRegion;
            atomicWrite = other.atomicWrite;
            flush = other.flush;
            deviceMemory = other.deviceMemory;
            onDemandPaging = other.onDemandPaging;
            nullRegions = other.nullRegions;
        }

        /** Sets {@link DeviceProfile#name()}. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** Sets {@link DeviceProfile#limits()}. */
        public Builder limits(DeviceLimits value) {
            limits = value;
            return this;
        }

        /** Sets {@link DeviceProfile#windows()}. */
        public Builder windows(WindowSwitches value) {
            windows = value;
            return this;
        }

        /** Sets {@link DeviceProfile#posting()}. */
        public Builder posting(PostingSwitches value) {
            posting = value;
            return this;
        }

        /** Sets {@link DeviceProfile#completions()}. */
        public Builder completions(CompletionSwitches value) {
            completions = value;
            return this;
        }

        /** Sets {@link DeviceProfile#zeroLengthMr()}. */
        public Builder zeroLengthMr(boolean value) {
            zeroLengthMr = value;
            return this;
        }

        /** Sets {@link DeviceProfile#onDemandUnknown()}. */
        public Builder onDemandUnknown(boolean value) {
            onDemandUnknown = value;
            return this;
        }

        /** Sets {@link DeviceProfile#lkeyEqualsRkey()}. */
        public Builder lkeyEqualsRkey(boolean value) {
            lkeyEqualsRkey = value;
            return this;
        }

        /** Sets {@link DeviceProfile#rkeyWithoutRights()}. */
        public Builder rkeyWithoutRights(boolean value) {
            rkeyWithoutRights = value;
            return this;
        }

        /** Sets {@link DeviceProfile#privilegedQkeys()}. */
        public Builder privilegedQkeys(boolean value) {
            privilegedQkeys = value;
            return this;
        }

        /** Assigns keys in an order that is unpredictable without the seed (KEY-P6). */
        public Builder randomKeys(long seed) {
            keySeed = OptionalLong.of(seed);
            isKeyOrderChosen = true;
            return this;
        }

        /** Assigns keys in ascending order: readable, but predictable. */
        public Builder sequentialKeys() {
            keySeed = OptionalLong.empty();
            isKeyOrderChosen = true;
            return this;
        }

        /**
         * Sets {@link DeviceProfile#qpNumbers()}: with few numbers, they are reused soon.
         *
         * @throws IllegalArgumentException if there are none, or more than 24 bits leave
         */
        public Builder qpNumbers(int value) {
            if (value < 1 || value > ALL_QP_NUMBERS) {
                throw new IllegalArgumentException("qpNumbers=" + value + " is not in 1.." + ALL_QP_NUMBERS);
            }
            qpNumbers = value;
            return this;
        }

        /** Sets {@link DeviceProfile#strictRecvSge()}. */
        public Builder strictRecvSge(boolean value) {
            strictRecvSge = value;
            return this;
        }

        /** Sets {@link DeviceProfile#earlyReadLkey()}. */
        public Builder earlyReadLkey(boolean value) {
            earlyReadLkey = value;
            return this;
        }

        /** Sets {@link DeviceProfile#infiniteRetrySeven()}. */
        public Builder infiniteRetrySeven(boolean value) {
            infiniteRetrySeven = value;
            return this;
        }

        /** Sets {@link DeviceProfile#notifyNeedsChannel()}. */
        public Builder notifyNeedsChannel(boolean value) {
            notifyNeedsChannel = value;
            return this;
        }

        /** Sets {@link DeviceProfile#roundsUpQueues()}. */
        public Builder roundsUpQueues(boolean value) {
            roundsUpQueues = value;
            return this;
        }

        /** Sets {@link DeviceProfile#elementsHoldInline()}. */
        public Builder elementsHoldInline(boolean value) {
            elementsHoldInline = value;
            return this;
        }

        /** Sets {@link DeviceProfile#resetToErrRefused()}. */
        public Builder resetToErrRefused(boolean value) {
            resetToErrRefused = value;
            return this;
        }

        /** Sets {@link DeviceProfile#srqResize()}. */
        public Builder srqResize(boolean value) {
            srqResize = value;
            return this;
        }

        /** Sets {@link DeviceProfile#xrc()}. */
        public Builder xrc(boolean value) {
            xrc = value;
            return this;
        }

        /** Sets {@link DeviceProfile#reregChangesTranslation()}. */
        public Builder reregChangesTranslation(boolean value) {
            reregChangesTranslation = value;
            return this;
        }

        /** Sets {@link DeviceProfile#reregChangesAccess()}. */
        public Builder reregChangesAccess(boolean value) {
            reregChangesAccess = value;
            return this;
        }

        /** Sets {@link DeviceProfile#reregKeepsKeys()}. */
        public Builder reregKeepsKeys(boolean value) {
            reregKeepsKeys = value;
            return this;
        }

        /** Sets {@link DeviceProfile#reregFailureKeepsRegion()}. */
        public Builder reregFailureKeepsRegion(boolean value) {
            reregFailureKeepsRegion = value;
            return this;
        }

        /** Sets {@link DeviceProfile#atomicWrite()}. */
        public Builder atomicWrite(boolean value) {
            atomicWrite = value;
            return this;
        }

        /** Sets {@link DeviceProfile#flush()}. */
        public Builder flush(boolean value) {
            flush = value;
            return this;
        }

        /** Sets {@link DeviceProfile#deviceMemory()}. */
        public Builder deviceMemory(boolean value) {
            deviceMemory = value;
            return this;
        }

        /** Sets {@link DeviceProfile#onDemandPaging()}. */
        public Builder onDemandPaging(boolean value) {
            onDemandPaging = value;
            return this;
        }

        /** Sets {@link DeviceProfile#nullRegions()}. */
        public Builder nullRegions(boolean value) {
            nullRegions = value;
            return this;
        }

        /** The profile. */
        public DeviceProfile build() {
            return new DeviceProfile(this);
        }

        @Override
        public String toString() {
            return "builder of " + name;
        }
    }
}
