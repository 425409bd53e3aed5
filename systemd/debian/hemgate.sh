#!/bin/sh
# root asks the service: its memory is where the unit keeps it. Other users have a folder of their own.
if [ "$(id -u)" -eq 0 ]; then
  export HEMGATE_STATE="${HEMGATE_STATE-/var/lib/hemgate}"
fi
exec /usr/lib/hemgate/bin/node --max-semi-space-size=4 /usr/lib/hemgate/dist/src/cli/hemgate.js "$@"
