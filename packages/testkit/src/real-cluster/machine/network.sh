# Holds a network namespace open, and routes between what is connected to it.
set -e
ip link set lo up
echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6
echo 1 >/proc/sys/net/ipv4/ip_forward
# A connection that nobody owns any more keeps its namespace for as long as it hopes for an answer.
echo 1 >/proc/sys/net/ipv4/tcp_orphan_retries
touch "$1"
exec sleep infinity
