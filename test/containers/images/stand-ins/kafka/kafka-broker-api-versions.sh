#!/bin/bash
# The official one is a Java program; this sends the same request, ApiVersions, by hand.
host=${2%%:*}
port=${2##*:}
exec 3<>"/dev/tcp/$host/$port" || exit 1
printf '\x00\x00\x00\x0e\x00\x12\x00\x00\x00\x00\x00\x01\x00\x04test' >&3
[ "$(head -c 4 <&3 | wc -c)" = 4 ]
