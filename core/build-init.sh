#!/bin/sh
# build-init.sh SOURCE OUTDIR
#
# Builds OUTDIR/zett-init-x86_64 and OUTDIR/zett-init-aarch64 from the C file SOURCE and the headers next
# to it. This machine's own with ${CC:-cc}; the other with ${CC_AARCH64} or ${CC_X86_64}, else a cross gcc,
# else clang with lld, whichever is found; without one it is left out, which is said on standard error.
# The same compiler makes the same bytes wherever the files lie. What is up to date is not built again.
set -eu

if [ $# -ne 2 ] || [ ! -f "$1" ]; then
  echo "usage: build-init.sh SOURCE OUTDIR" >&2
  exit 2
fi
source=$1
sources=$(dirname -- "$1")
out=$2

flags="-std=gnu11 -Os -static -nostdlib -ffreestanding -fno-pie -no-pie -fno-stack-protector
  -fno-optimize-sibling-calls -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident
  -Wall -Wextra -Wconversion -Werror -Wno-unused-command-line-argument
  -Wl,--build-id=none -Wl,-z,noexecstack -Wl,-z,noseparate-code -Wl,-s"

case $(uname -m) in
  x86_64 | amd64) host=x86_64 ;;
  aarch64 | arm64) host=aarch64 ;;
  *) host=none ;;
esac

is_current() {
  [ -f "$1" ] || return 1
  [ -z "$(find "$0" "$sources" \( -name '*.[ch]' -o -name build-init.sh \) -newer "$1")" ]
}

# Prints the command that compiles for the architecture $1; nothing when there is none.
compiler_for() {
  case $1 in
    "$host") echo "${CC:-cc}" && return ;;
    x86_64) own=${CC_X86_64:-} ;;
    aarch64) own=${CC_AARCH64:-} ;;
  esac
  if [ -n "$own" ]; then
    echo "$own"
  elif command -v "$1-linux-gnu-gcc" >/dev/null; then
    echo "$1-linux-gnu-gcc"
  elif command -v "$1-linux-musl-gcc" >/dev/null; then
    echo "$1-linux-musl-gcc"
  elif command -v clang >/dev/null && command -v ld.lld >/dev/null; then
    echo "clang --target=$1-linux-gnu -fuse-ld=lld"
  fi
}

mkdir -p -- "$out"
for arch in x86_64 aarch64; do
  target=$out/zett-init-$arch
  is_current "$target" && continue
  compiler=$(compiler_for "$arch")
  if [ -z "$compiler" ]; then
    echo "build-init.sh: zett-init-$arch is left out: no compiler for it (${arch}-linux-gnu-gcc, or clang and ld.lld)" >&2
    continue
  fi
  # Under another name first: an interrupted build leaves nothing that looks finished.
  # shellcheck disable=SC2086 # words are meant
  $compiler $flags -o "$target.$$" "$source"
  mv -f -- "$target.$$" "$target"
done
