#!/bin/sh
# Keeps this node in the cluster; with `ready` it says whether the node works there, and with
# `serve` it starts the server. PEERS names six nodes in order, host:port each (and :port of the bus
# where it is not the usual one). In a new cluster the first three take the slots; a node without
# slots follows a primary. A node whose address changed while it was away is met again, as the
# others know the old one.
# Logs in as `joiner`: its password is in REDISCLI_AUTH, words for TLS in CLI_OPTIONS.
set -u
PRIMARIES=3
SLOTS=16384
NODE=${NODE:-${HOSTNAME##*-}}
EVERY_SECONDS=${EVERY_SECONDS:-5}

# The peer of a number.
peer() { echo "${PEERS}" | tr -s ' ' '\n' | sed -n "$(($1 + 1))p"; }
host_of() { echo "$1" | cut -d : -f 1; }
port_of() { echo "$1" | cut -d : -f 2; }
bus_of() { echo "$1" | cut -s -d : -f 3; }
address_of() { getent ahostsv4 "$(host_of "$1")" | head -n 1 | cut -d ' ' -f 1; }
OWN=$(peer "${NODE}")

# Asks a peer; options are several words, or none.
ask_at() {
  asked=$1
  shift
  # shellcheck disable=SC2086
  redis-cli -h "$(host_of "${asked}")" -p "$(port_of "${asked}")" --user joiner --no-auth-warning \
    ${CLI_OPTIONS:-} "$@" | tr -d '\r'
}
ask() { ask_at "${OWN}" "$@"; }
field() { ask cluster info | grep "^$1:" | cut -d : -f 2; }

# This node has slots or follows a primary.
has_part() { ask cluster nodes | grep myself | grep -q -e slave -e ' connected [0-9[]'; }

# The cluster is whole, and this node has its part in it.
ready() {
  [ "$(field cluster_state)" = ok ] || return 1
  has_part || return 1
  ask info replication | grep -q -e '^role:master' -e '^master_link_status:up'
}

# Lines of the other nodes that answer.
linked() {
  ask cluster nodes | grep -v -e myself -e handshake -e fail -e noaddr | grep ' connected'
}

meet_others() {
  for other in ${PEERS}; do
    [ "${other}" = "${OWN}" ] && continue
    address=$(address_of "${other}")
    [ -z "${address}" ] && continue
    linked | grep -q " ${address}:$(port_of "${other}")@" && continue
    # shellcheck disable=SC2046 # The bus may be left out.
    ask cluster meet "${address}" "$(port_of "${other}")" $(bus_of "${other}") > /dev/null
  done
}

first_slot() { echo $(($1 * SLOTS / PRIMARIES)); }

# Whether a list of nodes gives some slot between two to anyone.
has_slots_between() {
  awk -v first="$1" -v last="$2" '{
    for (i = 9; i <= NF; i++) {
      if ($i ~ /^\[/) continue
      split($i, range, "-")
      to = range[2] == "" ? range[1] : range[2]
      if (range[1] + 0 <= last && to + 0 >= first) found = 1
    }
  } END { exit !found }'
}

# In a new cluster only: a node that lost its disk must not take slots, with which it lost the keys.
# So each of the others is asked, and has to answer.
take_slots() {
  first=$(first_slot "${NODE}")
  last=$(($(first_slot $((NODE + 1))) - 1))
  for other in ${PEERS}; do
    nodes=$(ask_at "${other}" cluster nodes)
    echo "${nodes}" | grep -q myself || return
    echo "${nodes}" | has_slots_between "${first}" "${last}" && return
  done
  ask cluster addslotsrange "${first}" "${last}"
}

# Primaries that answer and have slots: how many replicas each has, and its name.
primaries() {
  nodes=$(linked)
  echo "${nodes}" | grep -e 'master .* connected [0-9]' | while read -r id address _; do
    echo "$(echo "${nodes}" | grep -c "slave ${id} ") ${id} ${address}"
  done
}

# Follows its own primary where that has no replica, else the one with the fewest.
follow() {
  own_primary=none
  if [ "${NODE}" -ge "${PRIMARIES}" ]; then
    own_peer=$(peer $((NODE - PRIMARIES)))
    own_primary="$(address_of "${own_peer}"):$(port_of "${own_peer}")@"
  fi
  chosen=$(primaries | grep -e "^0 .* ${own_primary}" | cut -d ' ' -f 2)
  [ -z "${chosen}" ] && chosen=$(primaries | sort -n | head -n 1 | cut -d ' ' -f 2)
  [ -n "${chosen}" ] && ask cluster replicate "${chosen}"
}

# A replica beside another one goes to a primary that has none. A node that has just joined may not
# know yet who follows whom, and so choose a primary that has its replica. Of several, the first id
# goes.
even_out() {
  lone=$(primaries | grep '^0 ' | head -n 1 | cut -d ' ' -f 2)
  [ -z "${lone}" ] && return
  own=$(ask cluster nodes | grep 'myself,slave')
  [ -z "${own}" ] && return
  own_id=${own%% *}
  beside=$(linked | grep "slave $(echo "${own}" | cut -d ' ' -f 4) " | cut -d ' ' -f 1)
  [ -z "${beside}" ] && return
  first_id=$(printf '%s\n' "${own_id}" "${beside}" | sort | head -n 1)
  [ "${first_id}" = "${own_id}" ] && ask cluster replicate "${lone}"
}

# What this node lacks: slots where the cluster is new, a primary where it is whole.
take_part() {
  has_part && return
  [ "$(linked | wc -l)" -ge $(($(echo "${PEERS}" | wc -w) - 1)) ] || return
  if [ "$(field cluster_slots_assigned)" -eq "${SLOTS}" ]; then
    follow
  elif [ "${NODE}" -lt "${PRIMARIES}" ]; then
    take_slots
  fi
}

case "${1:-}" in
ready)
  ready
  exit
  ;;
serve)
  # A node with an empty disk waits until another one has taken over from it: at its old address it
  # would be known as another node, and no one would miss the one that it was.
  shift
  [ -f "${DATA:-/data}/nodes.conf" ] || sleep "${EMPTY_SECONDS:-10}"
  exec "$@"
  ;;
esac
trap 'exit 0' TERM INT
while true; do
  if [ "$(ask ping)" = PONG ]; then
    meet_others
    take_part
    even_out
  fi
  sleep "${EVERY_SECONDS}" &
  wait $!
done
