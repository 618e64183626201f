#!/bin/sh
# Makes a node of the namespaces: $1 is a folder of the run, $2 the control group of its Pods.
set -eu
folder=$1
group=$2
mount --make-rshared /

# Where the kubelet, the runtime and the plugins of the network write: on this
# node those folders are the run's.
mount -t tmpfs -o mode=755 none /run
for place in /var/lib /var/log; do
  mkdir -p "$folder/written$place" "$folder/work$place"
  mount -t overlay none "$place" \
    -o "lowerdir=$place,upperdir=$folder/written$place,workdir=$folder/work$place"
done

# The kubelet would set these for the whole machine; on this node it finds them as it wants them.
mkdir -p "$folder/kernel"
for pair in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
  kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
  file=$folder/kernel/$(echo "${pair%=*}" | tr / -)
  echo "${pair#*=}" > "$file"
  mount --bind "$file" "/proc/sys/${pair%=*}"
done

# All Pods are below one group, in each hierarchy of v1.
for hierarchy in /sys/fs/cgroup/*/; do
  mkdir -p "$hierarchy$group"
  for file in cpuset.cpus cpuset.mems; do
    [ ! -f "$hierarchy$file" ] || cat "$hierarchy$file" > "$hierarchy$group/$file"
  done
done
