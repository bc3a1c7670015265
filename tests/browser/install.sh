#!/bin/sh
# The browser tests drive a Chromium that is already on the machine, and the tests of classes on several copies of the app
# a Redis; as root on Debian we bring them.
set -e
missing=""
command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 ||
    command -v google-chrome >/dev/null 2>&1 || missing="chromium"
command -v redis-server >/dev/null 2>&1 || missing="$missing redis-server"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq
    # shellcheck disable=SC2086  # each word is a package
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    exit 0
fi
echo "Not found: $missing. The tests that need it will be skipped (they are Debian's packages of these names)." >&2
if [ "${CI:-}" = true ]; then exit 1; fi
