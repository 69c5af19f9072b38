#!/bin/sh
# Puts pixelctl on the path: the release that PIXELCTL_VERSION names, else what this checkout holds.
set -eu

if [ -n "${PIXELCTL_VERSION-}" ]; then
  exec npm install --global --no-audit --no-fund "pixelctl@$PIXELCTL_VERSION"
fi

cd "$(dirname "$0")/.."
npm run build
# Linked, not copied: the dependencies are those of the checkout.
npm install --global --no-audit --no-fund .
