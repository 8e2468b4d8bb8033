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
        } else if (kind != "C") {
            write_line("EXPORTED long " called "(SIX) { return call(index_" $1 ", a, b, c, d, e, f); }")
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

# What libverbatim-paths.so shows in the place of /sys/class/infiniband* and /dev/infiniband, for as many devices as there may be.
device=0
while [ $device -lt 16 ]; do
    class=$output/paths/sys/class
    mkdir -p "$class/infiniband/verbatim$device/ports/1/counters" \
        "$class/infiniband_verbs/uverbs$device" "$output/paths/dev/infiniband"
    echo "1: CA" >"$class/infiniband/verbatim$device/node_type"
    echo "4: ACTIVE" >"$class/infiniband/verbatim$device/ports/1/state"
    echo "verbatim$device" >"$class/infiniband_verbs/uverbs$device/ibdev"
    echo 1 >"$class/infiniband_verbs/uverbs$device/abi_version"
    : >"$output/paths/dev/infiniband/uverbs$device"
    device=$((device + 1))
done
: >"$output/paths/dev/infiniband/rdma_cm"

# compile COMPILER ARCHITECTURE
compile() {
    mkdir -p "$output/$2"
    "$1" -std=gnu11 -O2 -g -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Werror \
        -I "$work" -I "$java_home/include" -I "$java_home/include/linux" \
        -Wl,-soname,libibverbs.so.1 -Wl,--version-script="$work/versions.map" -Wl,-z,now -Wl,-z,nodelete \
        -o "$output/$2/libverbatim.so" "$here/verbatim.c" "$here/touch.S" -ldl -lpthread
    "$1" -std=gnu11 -O2 -g -fPIC -shared -Wall -Wextra -Werror -Wl,-soname,libverbatim-paths.so \
        -o "$output/$2/libverbatim-paths.so" "$here/paths.c" -ldl
    ln -sf libverbatim.so "$output/$2/libibverbs.so.1"
    ln -sf libverbatim.so "$output/$2/librdmacm.so.1"
}

compile "${CC:-cc}" "$(uname -m)"
cross=aarch64-linux-gnu-gcc
if [ "$(uname -m)" != aarch64 ] && command -v "$cross" >/dev/null; then
    compile "$cross" aarch64
fi
