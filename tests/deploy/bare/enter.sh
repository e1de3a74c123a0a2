# Runs a command in the bare root, as the first process of the namespaces that tests/deploy/bare/enter.ts made:
# enter.sh ROOT STATE UID COMMAND… . Exits with 70 when the command left processes behind, otherwise with the
# command's exit code.
set -eu
root=$1 state=$2 uid=$3
shift 3

mount --rbind "$root" "$root"
mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
for file in resolv.conf hosts; do mount --bind "/etc/$file" "$root/etc/$file"; done
for dir in home root tmp mnt; do mount --bind "$state/$dir" "$root/$dir"; done

# Not chroot: the kernel lets no account create a user namespace below one.
cd "$root"
pivot_root . .
umount --lazy .
cd /

code=0
if [ "$uid" = 0 ]; then "$@" || code=$?
else setpriv --reuid "$uid" --regid "$uid" --init-groups "$@" || code=$?
fi

# Processes that are ending get a minute; the others end with this process.
for second in $(seq 60); do
  left=
  for each in /proc/[0-9]*; do
    pid=${each##*/}
    [ "$pid" != 1 ] || continue
    state_line=$(grep -s '^State:' "$each/status" || true)
    case $state_line in '' | *Z*) continue ;; esac
    left="$left $pid ($(tr '\0' ' ' < "$each/cmdline" 2>/dev/null || true))"
  done
  [ -n "$left" ] || exit "$code"
  sleep 1
done
echo "[bare] left running:$left" >&2
exit 70
