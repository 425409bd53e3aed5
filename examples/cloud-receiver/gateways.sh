#!/usr/bin/env bash
# Lets the broker of a folder that setup.sh made know a gateway, or revokes one. Run it where the broker runs.
#
#   bash gateways.sh FOLDER add NAME       before its first connection, at RabbitMQ and NATS; Mosquitto goes by the certificate alone
#   bash gateways.sh FOLDER revoke NAME    ends its connection, and lets it neither connect nor renew its certificate again
#
# RABBITMQCTL names another program than rabbitmqctl.
set -euo pipefail
usage='bash gateways.sh FOLDER add|revoke NAME'
folder=$(cd "${1:?$usage}" && pwd)
what=${2:?$usage}
name=${3:?$usage}
here=$(cd "$(dirname "$0")" && pwd)
umask 077
set -a
. "$folder/service.env"
set +a
cd "$folder"
names='^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'
# NATS and RabbitMQ write a topic's / as a dot.
[ "$BROKER" != mosquitto ] || names='^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
[[ $name =~ $names ]] || { echo "$name is no name for a gateway at $BROKER: it has to match $names" >&2; exit 1; }

reload() { kill -HUP "$(cat "$1")"; }
sql() { psql "$DATABASE_URL" -qAt -v ON_ERROR_STOP=1 -v name="$name"; }

add_mosquitto() { :; }

# All of its certificates that have not ended go to the list of those that are revoked.
revoke_mosquitto() {
  sql >crl-index.txt <<'END'
SELECT concat_ws(E'\t', 'R', to_char(to_timestamp(expires_ms / 1000) AT TIME ZONE 'UTC', 'YYMMDDHH24MISS"Z"'),
  to_char(to_timestamp(revoked_ms / 1000) AT TIME ZONE 'UTC', 'YYMMDDHH24MISS"Z"'), serial, 'unknown', '/CN=' || gateway)
FROM gateway_certificate WHERE revoked_ms IS NOT NULL AND expires_ms > extract(epoch FROM now()) * 1000;
END
  # Of two lists Mosquitto goes by the one with the later second.
  sleep 1
  openssl ca -config crl.cnf -gencrl -cert gateways-ca.pem -keyfile gateways-ca.key -crldays 3650 -out crl.pem.new
  chown --reference=crl.pem crl.pem.new
  mv crl.pem.new crl.pem
  reload mosquitto.pid
  # Mosquitto leaves connections as they are. Another one under the same client id, with a certificate for this purpose, ends it.
  local own
  own=$(mktemp -d)
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$own/key" -out "$own/csr" 2>/dev/null
  openssl x509 -req -in "$own/csr" -CA gateways-ca.pem -CAkey gateways-ca.key -set_serial "0x$(openssl rand -hex 16)" -days 1 -out "$own/pem" 2>/dev/null
  local address=${GATEWAYS_MQTT_URL#mqtts://}
  mosquitto_sub --cafile servers-ca.pem --cert "$own/pem" --key "$own/key" -h "${address%:*}" -p "${address##*:}" \
    -t "$GATEWAYS_TOPIC_PREFIX/$name/down/ack" -E -W 10
  rm -r "$own"
}

add_rabbitmq() {
  local queue="mqtt-subscription-${name}qos[01]"
  cat >definitions-gateway.json <<END
{
  "users": [{ "name": "$name", "password_hash": "", "hashing_algorithm": "rabbit_password_hashing_sha256", "tags": "" }],
  "permissions": [{
    "user": "$name", "vhost": "/",
    "configure": "^$queue$", "write": "^(amq\\\\.topic|$queue)$", "read": "^(amq\\\\.topic|$queue)$"
  }],
  "topic_permissions": [{
    "user": "$name", "vhost": "/", "exchange": "amq.topic",
    "write": "^hemgate\\\\.{username}\\\\.up\\\\.", "read": "^hemgate\\\\.{username}\\\\.down\\\\."
  }]
}
END
  "${RABBITMQCTL:-rabbitmqctl}" -q import_definitions <definitions-gateway.json
  rm definitions-gateway.json
}

revoke_rabbitmq() {
  "${RABBITMQCTL:-rabbitmqctl}" -q delete_user "$name"
  "${RABBITMQCTL:-rabbitmqctl}" -q close_all_user_connections "$name" revoked
}

add_nats() {
  grep -qxF -e "$name" gateways || printf '%s\n' "$name" >>gateways
  bash "$here/nats-accounts.sh" .
  reload nats.pid
}

revoke_nats() {
  { grep -vxF -e "$name" gateways || true; } >gateways.new
  mv gateways.new gateways
  bash "$here/nats-accounts.sh" .
  reload nats.pid
}

case $what in
  add) "add_$BROKER" ;;
  revoke)
    sql <<'END'
BEGIN;
DELETE FROM enrolment_token WHERE gateway = :'name';
DELETE FROM gateway_key WHERE gateway = :'name';
UPDATE gateway_certificate SET revoked_ms = (extract(epoch FROM now()) * 1000)::bigint WHERE gateway = :'name' AND revoked_ms IS NULL;
COMMIT;
END
    "revoke_$BROKER"
    ;;
  *) echo "$usage" >&2; exit 1 ;;
esac
