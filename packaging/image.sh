#!/usr/bin/env bash
# Makes a container image of a .deb of `make dist`, with buildah and without a daemon.
#
#     packaging/image.sh [--base IMAGE | --bootstrap] [--output FOLDER] PACKAGE.deb
#
# It writes FOLDER/b2c-harness-VERSION-image-ARCHITECTURE.tar.gz (default: the package's folder), for `docker load` and
# `podman load`. The recipe is packaging/Containerfile.
#
# The base is debian:stable-slim. Where no registry answers, or with --bootstrap, mmdebstrap makes one of this system's
# release, with this system's package sources.
#
# Exit codes: 0 made; 1 wrong usage or a failed step; 3 a tool is missing here.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
base=docker.io/library/debian:stable-slim
bootstrap=""
output=""
package=""

usage() {
  sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case "$1" in
    --base) base=${2:?--base needs an image}; shift 2 ;;
    --bootstrap) bootstrap=1; shift ;;
    --output) output=${2:?--output needs a folder}; shift 2 ;;
    -*) usage ;;
    *) [ -z "$package" ] || usage; package=$1; shift ;;
  esac
done
[ -f "$package" ] || usage

for tool in buildah dpkg-deb gzip; do
  if ! command -v "$tool" >/dev/null; then
    echo "image: $tool is not installed: apt-get install buildah dpkg gzip" >&2
    exit 3
  fi
done

version=$(dpkg-deb --field "$package" Version)
architecture=$(dpkg-deb --field "$package" Architecture)
output=${output:-$(dirname "$package")}
# The same inputs give the same bytes: dist.py sets this.
moment=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH=$moment

work=$(mktemp -d)
# A store of its own, so that nothing is left in the user's. vfs needs no kernel module and no rights to mount.
store=(--root "$work/store" --runroot "$work/run" --storage-driver vfs)
trap 'buildah "${store[@]}" rm --all >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

# A registry must be trusted by somebody. Debian's buildah has no policy file without a recommended package.
policy=()
if [ ! -f /etc/containers/policy.json ] && [ ! -f "${XDG_CONFIG_HOME:-$HOME/.config}/containers/policy.json" ]; then
  echo '{"default":[{"type":"insecureAcceptAnything"}]}' >"$work/policy.json"
  policy=(--signature-policy "$work/policy.json")
fi

# The packages of this one alone: dist may have other versions.
mkdir -p "$work/context/dist" "$work/context/packaging"
cp "$package" "$work/context/dist/b2c-harness_${version}_${architecture}.deb"
cp -r "$here/image" "$work/context/packaging/"

pull() {
  timeout 120 buildah "${store[@]}" pull --quiet ${policy[@]+"${policy[@]}"} "$base" >/dev/null 2>"$work/pull.log"
}

bootstrap_base() {
  if ! command -v mmdebstrap >/dev/null; then
    echo "image: $base cannot be pulled ($(tail -n 1 "$work/pull.log" 2>/dev/null | cut -c1-160)), and mmdebstrap is not installed: apt-get install mmdebstrap" >&2
    exit 3
  fi
  local suite dependencies
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # `a | b (>= 1), c` as a list of names: the first of each choice.
  dependencies=$(dpkg-deb --field "$package" Depends | tr ',' '\n' | sed -E 's/\|.*//; s/\(.*//; s/ //g' | paste -sd, -)
  local sources=()
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -s "$file" ] && sources+=("$file")
  done
  # Merged from the start, so that the package that merges stays out: it needs all of Perl, 60 MB.
  local merged=/usr/share/mmdebstrap/hooks/merged-usr extra=()
  if [ -d "$merged" ]; then
    # shellcheck disable=SC2016 # mmdebstrap sets $1
    extra=(--hook-dir="$merged" --setup-hook='printf "Package: usrmerge\nPin: version *\nPin-Priority: -1\n" >"$1"/etc/apt/preferences.d/usrmerge'
      --customize-hook='rm "$1"/etc/apt/preferences.d/usrmerge')
  fi
  echo "image: the base is $suite, made by mmdebstrap" >&2
  # What Debian's slim images leave out, and what would name this machine: its sources, its name, its name servers.
  # shellcheck disable=SC2016 # mmdebstrap sets $1
  mmdebstrap --quiet --variant=essential --include="ca-certificates,curl,$dependencies" \
    --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --customize-hook='rm -rf "$1"/etc/apt/sources.list "$1"/etc/apt/sources.list.d/* "$1"/etc/apt/apt.conf.d/99* "$1"/var/lib/apt/lists/*' \
    --customize-hook=': >"$1"/etc/resolv.conf; echo localhost >"$1"/etc/hostname' ${extra[@]+"${extra[@]}"} \
    "$suite" "$work/base.tar" "${sources[@]}" >"$work/bootstrap.log" 2>&1 ||
    { tail -n 20 "$work/bootstrap.log" >&2; exit 1; }
  base=localhost/b2c-harness-base
  local container
  container=$(buildah "${store[@]}" from --quiet scratch)
  buildah "${store[@]}" add --quiet "$container" "$work/base.tar" / >/dev/null
  buildah "${store[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah "${store[@]}" commit --quiet --rm ${policy[@]+"${policy[@]}"} "$container" "$base" >/dev/null
  rm "$work/base.tar"
}

if [ -n "$bootstrap" ] || ! pull; then
  bootstrap_base
fi

# Docker's format, because the OCI format has no place for a health check. Every registry and runtime takes both.
name="localhost/b2c-harness:$version"
buildah "${store[@]}" build --quiet --isolation chroot --format docker --pull-never --timestamp "$moment" \
  ${policy[@]+"${policy[@]}"} --arch "$architecture" --build-arg BASE="$base" --build-arg VERSION="$version" \
  --build-arg TARGETARCH="$architecture" --label org.opencontainers.image.version="$version" \
  --file "$here/Containerfile" --tag "$name" "$work/context" >/dev/null

made="$output/b2c-harness-$version-image-$architecture.tar"
rm -f "$made" "$made.gz"
buildah "${store[@]}" push --quiet ${policy[@]+"${policy[@]}"} "$name" "docker-archive:$made:$name"
gzip -9n "$made"
echo "$made.gz"
