// Copyright 2026 The Verbatim Authors
// SPDX-License-Identifier: Apache-2.0
package dev.verbatim.ibverbs.place;

import dev.verbatim.verbs.Gid;
import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The GID table of a port: entries that all lead to its device, in the forms in which adapters have its address, and empty ones between
 * them. Without a list in the settings it has the device's own GID and nothing else.
 *
 * <p>The link-local form of a.b.c.d is {@code fe80::AAff:feBB:CCDD} in hexadecimal digits, made of a MAC address as adapters make theirs.
 */
public final class GidTable {

    /** What an entry holds; the names of settings are those of the constants, in lower case and with dashes. */
    enum Form {
        /** Nothing. */
        NONE,
        /** The address of the device, for RoCE v1. */
        IPV4_V1,
        /** The address of the device. */
        IPV4,
        /** The link-local address, for RoCE v1. */
        LINK_LOCAL_V1,
        /** The link-local address. */
        LINK_LOCAL;

        boolean isLinkLocal() {
            return this == LINK_LOCAL || this == LINK_LOCAL_V1;
        }
    }

    /** Most entries, as adapters have. */
    private static final int MOST_ENTRIES = 256;

    private static final long LINK_LOCAL_PREFIX = 0xfe80L << 48;
    private static final long IPV4_MAPPED = 0xffffL << Integer.SIZE;
    private static final long LOCAL_MARK = 0xff_fe00_0000L;
    private static final long LOCAL_MASK = 0xffff_00ff_ff00_0000L;
    private static final long LOW_8_BITS = 0xff, LOW_24_BITS = 0xff_ffff;
    private static final int THIRD_OCTETS = 24, FIRST_OCTET_OF_LOCAL = 40;

    /**
     * An entry.
     *
     * @param isV1 whether it is of RoCE v1
     */
    public record Entry(Gid gid, boolean isV1) {}

    private final List<@Nullable Entry> entries = new ArrayList<>();

    /**
     * That of a device.
     *
     * @param own its GID
     * @param wanted the forms; empty for its own alone
     */
    GidTable(Gid own, List<Form> wanted) {
        for (Form form : wanted) {
            Gid gid = form == Form.NONE ? null : form.isLinkLocal() ? linkLocalOf(own) : own;
            entries.add(gid == null ? null : new Entry(gid, form == Form.LINK_LOCAL_V1 || form == Form.IPV4_V1));
        }
        if (wanted.isEmpty()) {
            entries.add(new Entry(own, false));
        }
    }

    /**
     * The forms of a list with commas; {@code mlx5} stands for the four that ConnectX has.
     *
     * @throws IllegalArgumentException if it is none
     */
    static List<Form> parse(String list) {
        List<Form> forms = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            if (word.equals("mlx5")) {
                forms.addAll(List.of(Form.LINK_LOCAL_V1, Form.LINK_LOCAL, Form.IPV4_V1, Form.IPV4));
            } else {
                forms.add(Stream.of(Form.values())
                        .filter(form -> nameOf(form).equals(word))
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalArgumentException("--gids=" + list + ": '" + word + "' is none of mlx5, "
                                        + String.join(
                                                ", ",
                                                Stream.of(Form.values())
                                                        .map(GidTable::nameOf)
                                                        .toList()))));
            }
        }
        if (forms.size() > MOST_ENTRIES || forms.stream().allMatch(form -> form == Form.NONE)) {
            throw new IllegalArgumentException(
                    "--gids=" + list + " has no entry that leads to the device, or more than " + MOST_ENTRIES
                            + "; add ipv4 or link-local");
        }
        return forms;
    }

    private static String nameOf(Form form) {
        return form.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static @Nullable Gid linkLocalOf(Gid gid) {
        if (gid.prefix() == LINK_LOCAL_PREFIX) {
            return gid;
        }
        if (!(gid.toInetAddress() instanceof Inet4Address)) {
            return null;
        }
        long address = gid.interfaceId();
        long first = (address >>> THIRD_OCTETS) & LOW_8_BITS;
        return new Gid(LINK_LOCAL_PREFIX, (first << FIRST_OCTET_OF_LOCAL) | LOCAL_MARK | (address & LOW_24_BITS));
    }

    /** The GID by which the device is known whose GID in any form that is. */
    public static Gid knownBy(Gid gid) {
        long local = gid.interfaceId();
        return gid.prefix() == LINK_LOCAL_PREFIX && (local & LOCAL_MASK) == LOCAL_MARK
                ? new Gid(
                        0,
                        IPV4_MAPPED
                                | (((local >>> FIRST_OCTET_OF_LOCAL) & LOW_8_BITS) << THIRD_OCTETS)
                                | (local & LOW_24_BITS))
                : gid;
    }

    /** How many entries it has. */
    public int size() {
        return entries.size();
    }

    /** The entry with an index below the size; null if it is empty. */
    public @Nullable Entry at(int index) {
        return entries.get(index);
    }

    /** The index that a program is told which asked for none: the first of RoCE v2, or else the first that is not empty. */
    static int usualIndex(List<Form> wanted) {
        for (List<Form> forms :
                List.of(List.of(Form.IPV4), List.of(Form.LINK_LOCAL), List.of(Form.IPV4_V1, Form.LINK_LOCAL_V1))) {
            for (int i = 0; i < wanted.size(); i++) {
                if (forms.contains(wanted.get(i))) {
                    return i;
                }
            }
        }
        return 0;
    }
}
