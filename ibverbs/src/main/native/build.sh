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

# symbols.h: what answers each symbol, and its versions. versions.map: their order.
awk '
    /^#/ || NF == 0 { next }
    {
        kind = $3; sub(/:.*/, "", kind)
        value = $3; sub(/^[^:]*:/, "", value)
        function_name = kind == "old" ? "old_" $1 : $1
        if (kind == "refuse" || kind == "old") {
            print "#ifdef REFUSE\nREFUSE(" function_name ", fails_" $2 ", " value ")\n#endif"
        } else if (kind == "answer") {
            print "#ifdef ANSWER\nANSWER(" $1 ", " value ")\n#endif"
        } else if (kind != "C") {
            print "#ifdef JAVA\nJAVA(" $1 ", fails_" $2 ", \"" $3 "\")\n#endif"
        }
        for (i = 4; i <= NF; i++) {
            many = split($i == "IBVERBS_PRIVATE" ? private : $i, nodes, " ")
            for (n = 1; n <= many; n++) {
                at = i == 4 && n == many && kind != "old" ? "@@" : "@"
                print "#ifdef VERSION\nVERSION(\"verbatim_" function_name "\", \"" $1 at nodes[n] "\")\n#endif"
            }
        }
    }
' private="IBVERBS_PRIVATE_25 IBVERBS_PRIVATE_34 IBVERBS_PRIVATE_57 IBVERBS_PRIVATE_59 IBVERBS_PRIVATE_65" "$here/symbols.txt" >"$work/symbols.h"
ibverbs=
rdmacm=
sed -n 's/.*"[^"]*@\([A-Z_0-9.]*\)".*/\1/p' "$work/symbols.h" | sort -u -V | while read -r node; do
    case $node in
        IBVERBS_PRIVATE*) parent= ;;
        IBVERBS_*) parent=$ibverbs; ibverbs=$node ;;
        *) parent=$rdmacm; rdmacm=$node ;;
    esac
    echo "$node {$([ "$node" != IBVERBS_1.0 ] || echo " local: verbatim_*; ")} $parent;"
done >"$work/versions.map"

# compile COMPILER ARCHITECTURE
compile() {
    mkdir -p "$output/$2"
    "$1" -std=gnu11 -O2 -g -fPIC -shared -fvisibility=hidden -Wall -Wextra -Wno-unused-parameter -Werror \
        -I "$work" -I "$java_home/include" -I "$java_home/include/linux" \
        -Wl,-soname,libibverbs.so.1 -Wl,--version-script="$work/versions.map" -Wl,-z,now -Wl,-z,nodelete \
        -o "$output/$2/libverbatim.so" "$here/verbatim.c" -ldl -lpthread
    ln -sf libverbatim.so "$output/$2/libibverbs.so.1"
    ln -sf libverbatim.so "$output/$2/librdmacm.so.1"
}

compile "${CC:-cc}" "$(uname -m)"
cross=aarch64-linux-gnu-gcc
if [ "$(uname -m)" != aarch64 ] && command -v "$cross" >/dev/null; then
    compile "$cross" aarch64
fi
