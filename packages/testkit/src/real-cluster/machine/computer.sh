# The first process of a computer that is made of namespaces. It lends the root file system of the machine it runs on, and
# takes care that nothing it does is seen there: what programs write below /var and /run ends up in the folder "$1", and
# the settings of the kernel that a kubelet changes are plain files here.

set -e
umask 022
disk=$1
hostname "$2"
ip link set lo up
echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
echo 1 >/proc/sys/net/ipv4/ip_forward
# A connection that nobody owns any more keeps its namespace for as long as it hopes for an answer.
echo 1 >/proc/sys/net/ipv4/tcp_orphan_retries

# Volumes mounted by a kubelet have to appear in containers.
mount --make-rshared /
mount -t tmpfs tmpfs /run
mkdir -p "$disk/var" "$disk/work" "$disk/kubelet" "$disk/containerd" "$disk/sysctl" /run/disk
mount --bind "$disk" /run/disk
cd /run/disk
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
  kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  file=sysctl/$(echo "$setting" | tr / -)
  cat "/proc/sys/$setting" >"$file"
  mount --bind "$file" "/proc/sys/$setting"
done
mount -t overlay overlay -o "lowerdir=/var,upperdir=$disk/var,workdir=$disk/work" /var
# Images are layers of an overlay, which cannot lie on another one.
for folder in kubelet containerd; do
  mkdir -p "/var/lib/$folder"
  mount --bind "/run/disk/$folder" "/var/lib/$folder"
done
touch "$disk/up"

# Whoever loses its parent becomes a child of this process, which has to bury it.
cd /
while :; do
  sleep 86400 &
  wait
done
