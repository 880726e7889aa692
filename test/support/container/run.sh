#!/bin/sh
# Runs a command as the first process of a container: in its own namespaces of processes and mounts, on a root that cannot be written,
# as user 10001, without capabilities. $1: the root, $2: the volume, the rest: the command, after its environment.
set -e
root=$1 volume=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$volume" "$root/data"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid \
  unshare --root="$root" --wd=/ --setgid 10001 --setuid 10001 env -i PATH=/usr/local/bin:/usr/bin:/bin "$@"
