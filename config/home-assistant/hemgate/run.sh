#!/bin/sh
# Makes the add-on's folders the gateway's, and becomes the gateway without root's rights.
set -e
mkdir -p /data/state
chown hemgate:hemgate /data
chown -R hemgate:hemgate /data/state
[ ! -e /data/state.key ] || chown hemgate:hemgate /data/state.key
[ -e "$HEMGATE_CONFIG" ] || cp /usr/share/hemgate/gateway.yaml "$HEMGATE_CONFIG"
HEMGATE_LOG_LEVEL=$(/usr/lib/hemgate/bin/node -p 'JSON.parse(fs.readFileSync("/data/options.json", "utf8")).log_level')
export HEMGATE_LOG_LEVEL
exec setpriv --reuid=hemgate --regid=hemgate --init-groups --inh-caps=-all --bounding-set=-all --no-new-privs \
  /usr/bin/hemgate start
