#!/bin/sh
# Builds the program for every system that it is released for into dist/, with SHA-256 sums. The version is the one that the go command
# stamps: that of the tag, or of the commit.
set -eu
cd "$(dirname "$0")/.."
out=${1:-dist}
mkdir -p "$out"
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		suffix=
		[ "$os" = windows ] && suffix=.exe
		# Without cgo the binary needs no library of the system; trimpath keeps the builder's folders out of it.
		CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build -buildvcs=true -trimpath -ldflags '-s -w' -o "$out/hookassay-$os-$arch$suffix" ./cmd/hookassay
	done
done
cd "$out"
sha256sum hookassay-* > SHA256SUMS
