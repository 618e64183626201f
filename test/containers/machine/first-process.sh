#!/bin/sh
# First process of the namespaces of a run: mounts what a container engine needs, then only waits,
# and reaps what others leave. Its end is the end of every process in here, by the kernel.
# The first argument says whether the network is one of its own.
set -eu
network=$1

# The engine and its runtimes refuse a mixture of control groups v1 and v2. So the hierarchies of
# v1 are mounted again, below the group of the caller, whose limits still hold.
if [ ! -f /sys/fs/cgroup/cgroup.controllers ]; then
  mount -t tmpfs -o mode=755 none /sys/fs/cgroup
  for controller in cpuset cpu cpuacct memory devices freezer blkio pids; do
    grep -q "^$controller[[:space:]]" /proc/cgroups || continue
    mkdir "/sys/fs/cgroup/$controller"
    mount -t cgroup -o "$controller" none "/sys/fs/cgroup/$controller"
  done
  mkdir /sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd none /sys/fs/cgroup/systemd
fi

# Nothing is in this network but loopback: no packet leaves.
if [ "$network" = own ]; then
  ip link set lo up
  echo 1 > /proc/sys/net/ipv4/ip_forward
  echo 1 > /proc/sys/net/ipv4/conf/all/route_localnet
fi

echo ready
while :; do
  sleep 3600 &
  wait $! || true
done
