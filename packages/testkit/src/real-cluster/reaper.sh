# The promise of a real cluster, kept by a process of its own: when standard input ends, however its owner ended, every
# program of the cluster is dead, and its control groups, its cables and the folder "$1" are gone. What a reaper left that
# was itself killed, the next one takes care of; a folder without the lock of a reaper is none of ours.
#
# A program registers itself before it starts, by a file named after its pid in "$1/pids" (component.ts). It leads a
# process group of its own and works in the folder, or is inside namespaces that end with such a program. Moving the
# folder away comes first and shuts the door: who registered is seen below, and who comes too late finds no folder to
# register in and gives up.

trap '' HUP INT TERM
umask 077

# Whether process $1 works in folder $2: pids come back, and who works elsewhere is somebody else.
works_in() {
  [ ! -d /proc/self ] || [ "$(readlink "/proc/$1/cwd")" = "$2" ]
}

kill_programs() {
  for file in "$1/pids"/*; do
    [ -e "$file" ] && works_in "${file##*/}" "$1" && kill -s KILL -- "-${file##*/}"
  done
}

# Whether nobody works in folder $1 any more. Where it cannot be seen who does, what was killed counts as dead.
is_deserted() {
  for file in "$1/pids"/*; do
    [ -d /proc/self ] && works_in "${file##*/}" "$1" && return 1
  done
  return 0
}

# Control groups are named after the folder, in every hierarchy there is, and go from the bottom up once empty.
remove_cgroups() {
  for group in "/sys/fs/cgroup/$1" /sys/fs/cgroup/*/"$1"; do
    [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} + || return 1
  done
}

# Cables to this machine have the name of the folder as their alias. They would go with their other end, but a connection
# that waits for its last packet can keep that for a minute.
remove_cables() {
  for alias in /sys/class/net/*/ifalias; do
    cable=${alias%/ifalias}
    [ ! -e "$alias" ] || [ "$(cat "$alias")" != "$1" ] || ip link delete "${cable##*/}"
  done
}

# A dying program may still create a file in its folder, or that folder anew under its old name, and is in its control group.
reap() {
  [ "$1" = "$2" ] || mv "$1" "$2" || return
  kill_programs "$2"
  name=$(basename "$2" .gone)
  remove_cables "$name"
  for _ in $(seq 100); do
    is_deserted "$2" && remove_cgroups "$name" && rm -rf "$1" "$2" && return
    sleep 0.1
  done
  return 1
}

# Whether a reaper watches over the folder: it has a lock for as long as it lives.
is_guarded() {
  [ ! -f "$1/guarded" ] || ! flock --nonblock "$1/guarded" true
}

sweep() {
  for folder in "$1"/liqo-ts-*; do
    is_guarded "$folder" || reap "$folder" "${folder%.gone}.gone"
  done
}

mkdir -p "$1/pids" || exit 1
if command -v flock >/dev/null; then
  sweep "$(dirname "$1")"
  # Under another name until it is locked, for a reaper that sweeps right now.
  exec 9>"$1/lock" && flock 9 && mv "$1/lock" "$1/guarded"
fi
echo ready
while read -r _; do :; done
reap "$1" "$1.gone"
