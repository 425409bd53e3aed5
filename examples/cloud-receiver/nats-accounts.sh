#!/usr/bin/env bash
# Writes FOLDER/accounts.conf for NATS: the receiver's account, and one for each name in FOLDER/gateways.
#
#   bash nats-accounts.sh FOLDER
#
# Client ids and subscriptions of MQTT belong to an account, so no gateway reaches those of another one. What an account exports
# and another one imports is all that passes between them.
set -euo pipefail
cd "$1"
umask 077
mapfile -t gateways <gateways
{
  echo 'accounts {'
  echo '  RECEIVER {'
  echo '    jetstream: enabled'
  echo "    users = [{ user: \"~receiver\", password: \"$(cat receiver.password)\", allowed_connection_types: [\"STANDARD\"] }]"
  echo '    exports = ['
  for name in "${gateways[@]}"; do echo "      { stream: \"hemgate.$name.down.*\", accounts: [\"gateway-$name\"] }"; done
  echo '    ]'
  echo '    imports = ['
  for name in "${gateways[@]}"; do echo "      { stream: { account: \"gateway-$name\", subject: \"hemgate.$name.up.>\" } }"; done
  echo '    ]'
  echo '  }'
  for name in "${gateways[@]}"; do
    cat <<END
  "gateway-$name" {
    jetstream: enabled
    users = [{
      user: "CN=$name", allowed_connection_types: ["MQTT"]
      permissions: { publish: ["hemgate.$name.up.>"], subscribe: ["hemgate.$name.down.*", "\$MQTT.sub.>"] }
    }]
    exports = [{ stream: "hemgate.$name.up.>", accounts: [RECEIVER] }]
    imports = [{ stream: { account: RECEIVER, subject: "hemgate.$name.down.*" } }]
  }
END
  done
  echo '}'
} >accounts.conf.new
# Its owner stays the user that the broker runs as.
if [ -e accounts.conf ]; then chown --reference=accounts.conf accounts.conf.new; fi
mv accounts.conf.new accounts.conf
