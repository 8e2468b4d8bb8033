#!/bin/sh
# Copyright 2026 The Verbatim Authors
# SPDX-License-Identifier: Apache-2.0
#
# Usage: build.sh OUTPUT-DIRECTORY JAVA-HOME
# Makes libverbatim.so, with the names libibverbs.so.1 and librdmacm.so.1, for this machine's architecture and, where its compiler is
# there, for aarch64.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
output=$1
java_home=$2
work=$output/work
mkdir -p "$work"

# From symbols.txt: indexes.h, forwarders.h, and a list of all "SYMBOL@VERSION" for versions.map.
awk -v work="$work" '
    function write_line(line) { print line >(work "/forwarders.h") }
    BEGIN {
        private = "IBVERBS_PRIVATE_25 IBVERBS_PRIVATE_34 IBVERBS_PRIVATE_57 IBVERBS_PRIVATE_59 IBVERBS_PRIVATE_65"
        printf "enum {" >(work "/indexes.h")
        write_line("#define SIX long a, long b, long c, long d, long e, long f")
    }
    /^#/ || NF == 0 { next }
    {
        kind = $3; sub(/:.*/, "", kind)
        value = $3; sub(/^[^:]*:/, "", value)
        called = "verbatim_" (kind == "old" ? "old_" : "") $1
        if (kind == "refuse" || kind == "old") {
            write_line("EXPORTED long " called "(SIX) { return failed(fails_" $2 ", " value "); }")
        } else if (kind == "answer") {
            write_line("EXPORTED long " called "(SIX) { return " value "; }")
        } else if (kind == "wait") {
            split(value, taken, "+")
            write_line("EXPORTED long " called "(SIX) { if (!a || !b) { return failed(fails_" $2 ", EINVAL); } return noted_wait(CALLER, index_" taken[1] ", a + " taken[2] ", a, b, c); }")
        } else if (kind == "variable") {
            write_line("EXPORTED char " called ";")
        } else {
            write_line("EXPORTED long " called "(SIX) { if (IS_NOTED) { return noted_call(CALLER, index_" $1 ", a, b, c, d, e, f); } note_caller(CALLER); return call(index_" $1 ", a, b, c, d, e, f); }")
            print "index_" $1 "," >(work "/indexes.h")
            table = table "    {\"" $3 "." $1 "\", fails_" $2 ", " called "},\n"
        }
        for (i = 4; i <= NF; i++) {
            many = split($i == "IBVERBS_PRIVATE" ? private : $i, nodes, " ")
            for (n = 1; n <= many; n++) {
                at = i == 4 && n == many && kind != "old" ? "@@" : "@"
                write_line("__asm__(\".symver " called ", " $1 at nodes[n] "\");")
                print nodes[n]
            }
        }
    }
    END {
        print "symbol_count};" >(work "/indexes.h")
        write_line("static const struct symbol symbols[] = {\n" table "};")
    }
' "$here/symbols.txt" | sort -u -V >"$work/versions"
ibverbs=
rdmacm=
while read -r node; do
    case $node in
        IBVERBS_PRIVATE*) parent= ;;
        IBVERBS_*) parent=$ibverbs; ibverbs=$node ;;
        *) parent=$rdmacm; rdmacm=$node ;;
    esac
    echo "$node {$([ "$node" != IBVERBS_1.0 ] || echo " local: verbatim_*; ")} $parent;"
done <"$work/versions" >"$work/versions.map"

# What libverbatim-paths.so shows in the place of /sys/class/infiniband* and /dev/infiniband: a directory for each link layer and number
# of devices, as paths/ethernet-1, with links to the devices, as sysfs has them.
write() { # DIRECTORY, then NAME=TEXT each
    directory=$1
    shift
    for line; do echo "${line#*=}" >"$directory/${line%%=*}"; done
}

counters="port_rcv_data=0 port_rcv_packets=0 port_rcv_errors=0 port_xmit_data=0 port_xmit_packets=0 port_xmit_discards=0 link_downed=0"
rm -rf "$output/paths"
for link in ethernet ib; do
    [ $link = ethernet ] && layer=Ethernet || layer=InfiniBand
    devices='' verbs=''
    number=0
    while [ $number -lt 16 ]; do
        device=$output/paths/all/$link/verbatim$number
        verb=$output/paths/all/$link/uverbs$number
        port=$device/ports/1
        mkdir -p "$port/counters" "$port/hw_counters" "$port/pkeys" "$port/gid_attrs/types" "$port/gid_attrs/ndevs" \
            "$device/device/infiniband/verbatim$number" "$verb"
        write "$device" "node_type=1: CA" "node_desc=verbatim$number" hca_type=verbatim board_id=verbatim fw_ver=0
        write "$port" "state=4: ACTIVE" "phys_state=5: LinkUp" "link_layer=$layer" "rate=10 Gb/sec (4X SDR)" lid=0x0 sm_lid=0x0 \
            lid_mask_count=0 sm_sl=0
        # shellcheck disable=SC2086 # several words
        write "$port/counters" $counters
        write "$port/pkeys" 0=0xffff
        write "$port/gid_attrs/types" "0=RoCE v2"
        write "$port/gid_attrs/ndevs" 0=lo
        write "$device/device" vendor=0x0 device=0x0 numa_node=-1
        write "$verb" "ibdev=verbatim$number" abi_version=1
        ln -s "../verbatim$number/device" "$verb/device"
        devices="$devices ../../../../all/$link/verbatim$number"
        verbs="$verbs ../../../../all/$link/uverbs$number"
        number=$((number + 1))
        shown=$output/paths/$link-$number
        mkdir -p "$shown/sys/class/infiniband" "$shown/sys/class/infiniband_verbs" "$shown/dev/infiniband"
        # shellcheck disable=SC2086 # several words
        ln -s $devices "$shown/sys/class/infiniband"
        # shellcheck disable=SC2086 # several words
        ln -s $verbs "$shown/sys/class/infiniband_verbs"
        echo 6 >"$shown/sys/class/infiniband_verbs/abi_version"
        # Programs ask whether it is a character device that they may read and write, and nothing else.
        for verb in $verbs rdma_cm; do ln -s /dev/null "$shown/dev/infiniband/${verb##*/}"; done
    done
done

# For programs that are built with sanitizers of the compiler.
mkdir -p "$output/suppressions"
cp "$here"/suppressions/* "$output/suppressions"

# link COMPILER WORDS: the same bytes, wherever that is done
link() {
    compiler=$1
    shift
    "$compiler" "-ffile-prefix-map=$here=." "-ffile-prefix-map=$work=." "-ffile-prefix-map=$java_home=java" "-ffile-prefix-map=$PWD=." \
        -std=gnu11 -O2 -g -fPIC -shared -Wall -Wextra -Werror "$@"
}

# compile COMPILER ARCHITECTURE
compile() {
    mkdir -p "$output/$2"
    link "$1" -fvisibility=hidden -Wno-unused-parameter \
        -I "$work" -I "$here" -I "$java_home/include" -I "$java_home/include/linux" \
        -Wl,-soname,libibverbs.so.1 -Wl,--version-script="$work/versions.map" -Wl,-z,now -Wl,-z,nodelete \
        -o "$output/$2/libverbatim.so" "$here/verbatim.c" "$here/child.c" "$here/imports.c" "$here/stack.S" "$here/touch.S" -ldl -lpthread
    link "$1" -Wl,-soname,libverbatim-paths.so \
        -o "$output/$2/libverbatim-paths.so" "$here/paths.c" "$here/netlink.c" -ldl
    link "$1" -fno-builtin -fno-omit-frame-pointer -Wl,-soname,libverbatim-memory.so -Wl,-z,nodelete \
        -o "$output/$2/libverbatim-memory.so" "$here/memory.c" -ldl
    ln -sf libverbatim.so "$output/$2/libibverbs.so.1"
    ln -sf libverbatim.so "$output/$2/librdmacm.so.1"
}

compile "${CC:-cc}" "$(uname -m)"
cross=aarch64-linux-gnu-gcc
if [ "$(uname -m)" != aarch64 ] && command -v "$cross" >/dev/null; then
    compile "$cross" aarch64
fi
