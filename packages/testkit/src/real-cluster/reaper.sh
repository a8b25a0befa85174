# The promise of a real cluster, kept by a process of its own: when standard input ends, however its owner ended, every
# program of the cluster is dead and the folder "$1" is gone.
#
# A program registers itself before it starts, by a file named after its pid in "$1/pids" (component.ts); it leads a
# process group of its own. Moving the folder away comes first and shuts the door: who registered is seen below, and who
# comes too late finds no folder to register in and gives up.

trap '' HUP INT TERM
umask 077

mkdir -p "$1/pids" || exit 1
echo ready
while read -r _; do :; done

mv "$1" "$1.gone"
for file in "$1.gone/pids"/*; do
  [ -e "$file" ] && kill -s KILL -- "-${file##*/}"
done
# A dying program may still create a file while its folder is being removed.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  rm -rf "$1.gone" && exit 0
  sleep 0.1
done
exit 1
