#!/usr/bin/env bash
# The steps of action.yml; the templates for Azure Pipelines and GitLab use `install` too.
#
#     packaging/action.sh resolve     which file of a release fits this machine: outputs version, name and folder
#     packaging/action.sh install     downloads it, checks its checksum, unpacks it, puts it on the PATH
#     packaging/action.sh run         b2c run
#     packaging/action.sh serve       a server that stays for the steps after this one; variables B2C_URL and others
#     packaging/action.sh stop        ends that server
#
# Everything comes by environment, so that no input is ever a part of a script:
#
#     B2C_ACTION_VERSION      the release (default: the version of this clone)
#     B2C_ACTION_REPOSITORY   OWNER/NAME of the releases
#     B2C_ACTION_URL          where the files of the release are, in place of GitHub: a mirror, or file:///FOLDER
#     B2C_ACTION_FOLDER       where to keep the download and the programs (default: below RUNNER_TOOL_CACHE or TMPDIR)
#     B2C_ACTION_PATHS        run: files and folders, one a line
#     B2C_ACTION_TENANT       serve: the tenant file (default: the embedded tenant)
#     B2C_ACTION_REPORT       run: a JUnit file to write too
#     B2C_ACTION_ARGS         further options of `b2c run` or `b2c exec`, one a line or separated by spaces
#
# GITHUB_ENV, GITHUB_PATH and GITHUB_OUTPUT are files that get lines; without them the lines are printed.
set -euo pipefail

fail() {
  # GitHub shows a line that begins so beside the run. A line end in the text would begin a line of its own.
  local text=${1//'%'/%25}
  text=${text//$'\r'/%0D}
  text=${text//$'\n'/%0A}
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::error title=b2c-harness::$text" >&2; else echo "b2c-harness: $1" >&2; fi
  exit 1
}

emit() { # FILE LINE
  if [ -n "$1" ]; then printf '%s\n' "$2" >>"$1"; else printf '%s\n' "$2"; fi
}

# A variable for the steps after this one. A value of several lines is put between two lines that nobody can guess, so that
# no line of it becomes a variable.
emit_variable() { # NAME VALUE
  [[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || fail "$1 is not the name of a variable"
  case "$2" in
    *$'\n'* | *$'\r'*)
      [ -n "${GITHUB_ENV:-}" ] || fail "the value of $1 has a line end: remove it from the tenant file"
      local delimiter
      delimiter="b2c_$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
      printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_ENV"
      ;;
    *) emit "${GITHUB_ENV:-}" "$1=$2" ;;
  esac
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

resolve() {
  version=${B2C_ACTION_VERSION:-}
  version=${version#v}
  if [ -z "$version" ]; then
    version=$(sed -nE 's/^ *package static let text = "([^"]+)"$/\1/p' "$here/../Sources/Base/Diagnostics/ToolVersion.swift" 2>/dev/null) || true
    [ -n "$version" ] || fail "no version: set the input version, such as 0.1.0"
  fi
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || fail "version: expected one such as 0.1.0, actual $version"
  local system machine
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there are no packages for $(uname -s): use a runner with Linux or macOS" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there are no packages for $(uname -m)" ;;
  esac
  name="b2c-harness-$version-$system-$machine"
  folder=${B2C_ACTION_FOLDER:-${RUNNER_TOOL_CACHE:-${TMPDIR:-/tmp}}/b2c-harness}/$version
}

download() { # NAME: into the folder
  local url=${B2C_ACTION_URL:-}
  if [ -z "$url" ]; then
    [ -n "${B2C_ACTION_REPOSITORY:-}" ] || fail "no repository: set B2C_ACTION_REPOSITORY to OWNER/b2c-harness"
    url="${GITHUB_SERVER_URL:-https://github.com}/$B2C_ACTION_REPOSITORY/releases/download/v$version"
  fi
  # Into another name first: a download that was cut must not look like a whole one.
  curl --fail --silent --show-error --location --retry 3 --output "$folder/$1.part" "$url/$1" ||
    fail "cannot download $url/$1: is there a release $version?"
  mv "$folder/$1.part" "$folder/$1"
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

install() {
  resolve
  mkdir -p "$folder"
  [ -s "$folder/SHA256SUMS" ] || download SHA256SUMS
  [ -s "$folder/$name.tar.gz" ] || download "$name.tar.gz"
  local expected actual
  expected=$(awk -v name="$name.tar.gz" '$2 == name { print $1 }' "$folder/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS of release $version has no line for $name.tar.gz"
  # Also of a file from the cache: it was written by another job.
  actual=$(checksum "$folder/$name.tar.gz")
  if [ "$expected" != "$actual" ]; then
    rm -f "$folder/$name.tar.gz" "$folder/SHA256SUMS"
    fail "checksum of $name.tar.gz: expected $expected, actual $actual"
  fi
  tar -xzf "$folder/$name.tar.gz" -C "$folder"
  bin="$folder/$name/bin"
  if ! "$bin/b2c" --version >/dev/null 2>&1; then libraries; fi
  local said
  said=$("$bin/b2c" --version) || fail "$bin/b2c does not start here: $folder/$name/INSTALL.txt says what it needs"
  emit "${GITHUB_PATH:-}" "$bin"
  echo "installed $said in $bin" >&2
}

# The libraries of macOS that INSTALL.txt names. Linux needs none.
libraries() {
  local list
  list=$(sed -nE 's/^ *brew install (.*)/\1/p' "$folder/$name/INSTALL.txt" | head -n 1)
  [ -n "$list" ] || return 0
  echo "installing $list" >&2
  # shellcheck disable=SC2086 # words
  brew install --quiet $list >/dev/null
}

# Options: words, without the shell's expansions of files and variables.
words() {
  options=()
  local line
  while IFS= read -r line; do
    local part=()
    read -r -a part <<<"$line"
    options+=(${part[@]+"${part[@]}"})
  done <<<"${B2C_ACTION_ARGS:-}"
}

run() {
  words
  local command=(b2c run) line
  [ -z "${GITHUB_ACTIONS:-}" ] || command+=(--report-github)
  [ -z "${B2C_ACTION_REPORT:-}" ] || command+=(--report-junit "$B2C_ACTION_REPORT")
  command+=(${options[@]+"${options[@]}"})
  while IFS= read -r line; do
    [ -z "$line" ] || command+=("$line")
  done <<<"${B2C_ACTION_PATHS:-}"
  exec "${command[@]}"
}

serve() {
  words
  local state=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/b2c-server
  mkdir -p "$state"
  rm -f "$state/variables" "$state/pid" "$state/ready"
  local command=(b2c exec --log --variables-file "$state/variables")
  [ -z "${B2C_ACTION_TENANT:-}" ] || command+=(--tenant "$B2C_ACTION_TENANT")
  command+=(${options[@]+"${options[@]}"})
  # `b2c exec` starts the server, waits until it answers, writes its addresses down, and runs a command, which stays. A process group of its own, so that the end of this step does not end it; the runner ends it with the job.
  set -m
  # shellcheck disable=SC2016 # the inner shell expands them
  "${command[@]}" -- sh -c ': >"$1" && exec sleep 2147483647' b2c "$state/ready" \
    >"$state/log" 2>&1 </dev/null &
  local server=$!
  set +m
  echo "$server" >"$state/pid"
  local tries=0
  until [ -e "$state/ready" ]; do
    if ! kill -0 "$server" 2>/dev/null; then
      cat "$state/log" >&2
      fail "the server did not start"
    fi
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ]; then
      kill "$server" 2>/dev/null || true
      cat "$state/log" >&2
      fail "the server was not ready after 60 s"
    fi
    sleep 0.1
  done
  # What the server added, and nothing else of the environment. A NUL ends each, which no value contains.
  local entry
  while IFS= read -r -d '' entry; do
    emit_variable "${entry%%=*}" "${entry#*=}"
  done <"$state/variables"
  emit_variable B2C_SERVER_PID "$server"
  emit_variable B2C_SERVER_LOG "$state/log"
  echo "a server is ready; its log is $state/log" >&2
}

stop() {
  local state=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/b2c-server
  [ -s "$state/pid" ] || fail "no server was started here"
  kill "$(cat "$state/pid")" 2>/dev/null || true
  rm -f "$state/pid"
}

case "${1-}" in
  resolve)
    resolve
    emit "${GITHUB_OUTPUT:-}" "version=$version"
    emit "${GITHUB_OUTPUT:-}" "name=$name"
    emit "${GITHUB_OUTPUT:-}" "folder=$folder"
    ;;
  install | run | serve | stop) "$1" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 1 ;;
esac
