# Copyright 2026 The Verbatim Authors
# SPDX-License-Identifier: Apache-2.0
#
# Rows of lab/interop/run with a guest that stops or dies, with a program that dies, with a route that shrinks, and with two guests. Read by lab/interop/run.

gone_rows() {
    local how
    # Who waits for a message has nothing outstanding, and hears nothing.
    for how in pause kill; do
        row "guest-$how-in-the-middle" "gone" gone $how guest "pingpong --iters 1000000" \
            "ibv_rc_pingpong -g ${gid[4]:-0} -s 4096 -n 1000000" '^remote address' 'RETRY_EXC_ERR|did not complete within'
    done
    # Here messages are always outstanding.
    for how in pause kill; do
        row "guest-$how-under-requests" "gone-requests" gone $how java "ucmatose --messages 2000 --size 65536" \
            "ucmatose -s ${at[0,4]} -C 2000 -S 65536" '^connected' 'RETRY_EXC_ERR'
    done
    row "guest-pause-goes-on-java-serves" "goes-on" goes_on java "rping --verbose" "rping -c -V -a ${at[0,4]} -C 400 -S 2000"
    row "guest-pause-goes-on-guest-serves" "goes-on" goes_on guest "rping --verbose --validate --count 400 --size 2000" \
        "rping -s -a ${at[1,4]} -C 400 -S 2000"
    row "guest-program-killed" "program" program_killed
    row "route-shrinks" "route" route_shrinks
}

# Whether the guest can be stopped; says so if it cannot.
can_stop() {
    [ "${VERBATIM_INTEROP_PEER:-}" != local ] || {
        echo "skipped: a local peer cannot be stopped"
        return 1
    }
}

# gone HOW SERVER JAVA-ARGUMENTS GUEST-COMMAND BEGUN ENDED: stops guest 1 by 'pause' or 'kill' when Java has printed BEGUN.
# Java then ends with a failure ENDED, within 60 s, and leaves nothing open; and later a program works again.
gone() {
    local how=$1 command=$4 begun=$5 ended=$6 java_process guest_process reason='' began
    can_stop || return
    patience=20 start_both 4 "$2" "$3" "$command"
    await_line "$work/java" "$begun" "$java_process" 300 || reason="nothing went on: $(last_lines "$work/java")"
    sleep 1
    "$guest" "$how" 1
    began=$SECONDS
    code_of "$java_process" && reason="$reason verbatim ended with 0"
    [ $((SECONDS - began)) -le 60 ] || reason="$reason verbatim did not complete within 60 s"
    grep -qE "$ended" "$work/java" || reason="$reason another end: $(last_lines "$work/java")"
    if [ "$how" = pause ]; then
        "$guest" resume 1
        kill_in_guest "${command%% *}"
    fi
    end_gone "$reason"
}

# end_gone REASON: waits for the guest's program, and prints the reason and what is left behind; or else why a guest that is started
# again where it must does no pings.
end_gone() {
    local reason
    code_of "$guest_process"
    reason="$1 $(left_behind 1)"
    reason=${reason# }
    if [ -n "$reason" ]; then
        echo "$reason"
    elif ensure_guest 1; then
        run_pair 4 java "rping" "rping -c -V -a ${at[0,4]} -C 3 -S 1000"
    else
        echo "the guest does not start again"
    fi
}

# How many pings Java has seen; 0 before it has begun.
pings() { cat "$work/java" 2>/dev/null | grep -c 'ping data'; }

# Waits until Java has seen 20 pings.
await_pings() {
    local tries=300
    while [ $tries -gt 0 ] && kill -0 "$java_process" 2>/dev/null; do
        [ "$(pings)" -lt 20 ] || return 0
        sleep 0.1
        tries=$((tries - 1))
    done
    return 1
}

# goes_on SERVER JAVA-ARGUMENTS GUEST-COMMAND: a guest that stops for 5 s, which is shorter than all retries, and does all 400 pings.
goes_on() {
    local java_process guest_process before
    can_stop || return
    start_both 4 "$@"
    if await_pings; then
        "$guest" pause 1
        sleep 5
        before=$(pings)
        "$guest" resume 1
        [ "$before" -lt 400 ] || echo "the pings were done before the guest stopped"
    else
        echo "no 20 pings: $(last_lines "$work/java")"
    fi
    end_pair "$1" "$3"
    [ "$(pings)" -eq 400 ] || echo "$(pings) pings of 400"
}

# The kernel of the guest disconnects for a program that dies, long before retries run out.
program_killed() {
    local java_process guest_process reason='' began
    start_both 4 java "rping --verbose" "rping -c -a ${at[0,4]} -C 100000 -S 2000"
    await_pings || reason="no 20 pings: $(last_lines "$work/java")"
    kill_in_guest rping KILL
    began=$SECONDS
    code_of "$java_process"
    [ $((SECONDS - began)) -le 15 ] || reason="$reason verbatim did not complete within 15 s"
    grep -qE 'disconnected|WR_FLUSH_ERR|[0-9]+ pings$' "$work/java" || reason="$reason another end: $(last_lines "$work/java")"
    end_gone "$reason"
}

# The route to the guest carries less than the path MTU from the middle on: EMSGSIZE, with its remedy, and RETRY_EXC_ERR.
route_shrinks() {
    local java_process guest_process reason=''
    start_both 4 java "rping --verbose" "rping -c -a ${at[0,4]} -C 100000 -S 4000"
    await_pings || reason="no 20 pings: $(last_lines "$work/java")"
    "$guest" host ip route add "${at[1,4]}/32" dev bridge mtu 600
    code_of "$java_process"
    "$guest" host ip route del "${at[1,4]}/32"
    grep -q 'too long; .* use a smaller path MTU' "$work/java" || reason="$reason no remedy: $(last_lines "$work/java")"
    grep -q 'RETRY_EXC_ERR' "$work/java" || reason="$reason another end: $(last_lines "$work/java")"
    kill_in_guest rping
    end_gone "$reason"
}

# One device that serves two guests at the same time.
two_guests_rows() {
    row "two-guests-ucmatose" "two" two_guests "ucmatose --connections 2 --messages 50 --size 8000" "ucmatose -s ${at[0,4]} -C 50 -S 8000"
    row "two-guests-cmtime" "two" two_guests "cmtime --connections 40" "cmtime -s ${at[0,4]} -c 20"
}

# two_guests JAVA-ARGUMENTS GUEST-COMMAND
two_guests() {
    local reason='' java_process guest_process other
    [ "$guests" -eq 2 ] || { echo "skipped: needs --guests 2"; return; }
    ensure_guest 2 || { echo "skipped: guest 2 does not start"; return; }
    start_both 4 java "$1" "$2"
    "$guest" run 2 $row_seconds "$2" >"$work/other" 2>&1 &
    other=$!
    code_of "$guest_process" || reason="guest 1: $(last_lines "$work/guest")"
    wait $other || reason="$reason guest 2: $(last_lines "$work/other")"
    code_of "$java_process" || reason="$reason verbatim: $(last_lines "$work/java")"
    reason="$reason $(left_behind 1 2)"
    echo "${reason# }"
}
