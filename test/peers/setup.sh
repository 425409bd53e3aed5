#!/usr/bin/env bash
# Installs the strangers that the peer tests talk to, from Debian. Does nothing when all of them are here. `setup.sh long` also
# installs what `.ci/debian long` takes.
set -eu
packages=(
  # For the Debian packages: Node of both architectures is stripped, that of the other one runs, and a repository is made.
  apt-utils
  binutils-aarch64-linux-gnu
  binutils-x86-64-linux-gnu
  libc6-arm64-cross
  libstdc++6-arm64-cross
  lintian
  man-db
  qemu-user-static
  avahi-daemon
  avahi-utils
  dbus
  fish
  gcc
  influxdb
  iproute2
  libc6-dev
  libmodbus-dev
  lighttpd
  lighttpd-mod-webdav
  mbpoll
  mosquitto
  mosquitto-clients
  nats-server
  nftables
  prometheus
  # For the example of a cloud service.
  postgresql
  python3-paho-mqtt
  python3-pymodbus
  # pymodbus imports both, and Debian only recommends them.
  python3-serial
  python3-serial-asyncio
  rabbitmq-server
  socat
  systemd
  zsh
)
# A machine with systemd as its first process, containers, and a root that is nothing but Debian.
[ "${1-}" != long ] || packages+=(docker-compose mmdebstrap podman runc systemd-container)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "all peers are here: ${packages[*]}"
  exit 0
fi
echo "installing ${missing[*]}"
sudo=""
if [ "$(id -u)" -ne 0 ]; then sudo="sudo"; fi
$sudo apt-get update
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
