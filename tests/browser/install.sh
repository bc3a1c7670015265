#!/bin/sh
# The browser tests drive a Chromium that is already on the machine; as root on Debian we bring one.
set -e
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
    exit 0
fi
echo "No Chromium found: browser tests will be skipped (install Debian's package 'chromium' to run them)." >&2
if [ "${CI:-}" = true ]; then exit 1; fi
