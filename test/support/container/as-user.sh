#!/bin/sh
# Runs a command on the root of a Debian as its user 1000, in its own namespaces of processes and mounts. $1: the root, $2: the folder
# in it, the rest: the command, after its environment.
set -e
root=$1 folder=$2
shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
chmod 1777 "$root/tmp"
exec chroot --userspec=1000:1000 "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/ann \
  sh -c 'cd "$0" && exec env "$@"' "$folder" "$@"
