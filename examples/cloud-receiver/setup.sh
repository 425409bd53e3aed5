#!/usr/bin/env bash
# Makes what a first try of the service needs in a folder of its own: two authorities, the certificates of the broker and of the
# enrolment service, the broker's configuration, a database with its role, and service.env.
#
#   bash setup.sh FOLDER [HOST]
#
# HOST (localhost) is the name by which gateways reach broker and enrolment. BROKER is mosquitto (the default), rabbitmq or nats.
# Ports may be named by MQTT_PORT (8883, gateways), RECEIVER_PORT (8884; RabbitMQ 5671, NATS 4222), ENROLMENT_PORT (8443),
# HTTP_PORT (8080) and, for RabbitMQ, CLIENT_IDS_PORT (8090). DATABASE_URL names a database that is there; without it one is made
# on this machine's PostgreSQL, at PGPORT (5432). A folder that was set up is left as it is.
set -euo pipefail
folder=${1:?bash setup.sh FOLDER [HOST]}
host=${2:-localhost}
broker=${BROKER:-mosquitto}
case $broker in
  mosquitto) receiver_port=${RECEIVER_PORT:-8884} owner=mosquitto ;;
  rabbitmq) receiver_port=${RECEIVER_PORT:-5671} owner=rabbitmq ;;
  nats) receiver_port=${RECEIVER_PORT:-4222} owner=nats ;;
  *) echo "BROKER is $broker; it has to be mosquitto, rabbitmq or nats" >&2; exit 1 ;;
esac
mqtt_port=${MQTT_PORT:-8883}
here=$(cd "$(dirname "$0")" && pwd)
umask 077
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$folder"
[ ! -e service.env ] || { echo "$folder is set up already"; exit 0; }

# Started as root or by Debian's unit, Mosquitto and RabbitMQ read their files as a user of their own.
if [ "$(id -u)" -eq 0 ] && id "$owner" >/dev/null 2>&1; then
  chmod 711 .
  if [ "$broker" != nats ] && ! runuser -u "$owner" -- test -x "$folder"; then
    echo "$folder cannot be reached by the user $owner, which $broker runs as: name another folder, such as /srv/fleet" >&2
    exit 1
  fi
fi

secret() { openssl rand -hex 24; }
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

if [ -z "${DATABASE_URL:-}" ]; then
  database_password=$(secret)
  if [ "$(id -u)" -eq 0 ]; then as_postgres=(runuser -u postgres --); else as_postgres=(sudo -u postgres); fi
  sql() { (cd / && "${as_postgres[@]}" env PGPORT="${PGPORT:-5432}" ${PGHOST:+PGHOST="$PGHOST"} psql -qAt -v ON_ERROR_STOP=1); }
  taken=$(sql <<<"SELECT rolname FROM pg_roles WHERE rolname = 'receiver' UNION ALL SELECT datname FROM pg_database WHERE datname = 'fleet'")
  if [ -n "$taken" ]; then
    echo "PostgreSQL has a role receiver or a database fleet already: name a database by DATABASE_URL, or drop them" >&2
    exit 1
  fi
  sql <<END
CREATE ROLE receiver LOGIN PASSWORD '$database_password';
CREATE DATABASE fleet OWNER receiver;
END
  DATABASE_URL="postgres://receiver:$database_password@127.0.0.1:${PGPORT:-5432}/fleet"
fi

# One authority for servers, one for gateways: a server's certificate lets nobody sign in as a gateway.
for authority in servers gateways; do
  openssl req -x509 "${key[@]}" -days 3650 -subj "/CN=fleet $authority" -keyout "$authority-ca.key" -out "$authority-ca.pem" 2>/dev/null
done
openssl req "${key[@]}" -subj "/CN=$host" -keyout server.key -out server.csr 2>/dev/null
printf 'subjectAltName=DNS:%s\n' "$host" >server.ext
openssl x509 -req -in server.csr -CA servers-ca.pem -CAkey servers-ca.key -CAcreateserial -days 825 -extfile server.ext -out server.pem 2>/dev/null
# Signs the answers of the enrolment service.
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out enrolment-signing.key 2>/dev/null

broker_password=$(secret)
setup_mosquitto() {
  mosquitto_passwd -b -c passwords receiver "$broker_password"
  cat >gateways.acl <<'END'
pattern write gateways/hemgate/%u/up/#
pattern read gateways/hemgate/%u/down/+
END
  cat >receiver.acl <<'END'
user receiver
topic read gateways/hemgate/+/up/#
topic write gateways/hemgate/+/down/+
END
  # Nothing is revoked yet. gateways.sh makes the next lists.
  cat >crl.cnf <<'END'
[ca]
default_ca = gateways
[gateways]
database = crl-index.txt
default_md = sha256
END
  : >crl-index.txt
  openssl ca -config crl.cnf -gencrl -cert gateways-ca.pem -keyfile gateways-ca.key -crldays 3650 -out crl.pem 2>/dev/null
  cat >mosquitto.conf <<END
per_listener_settings true
pid_file $folder/mosquitto.pid
# An acknowledgement does not wait for the packet before it.
set_tcp_nodelay true

# Gateways: by their certificates, whose name is their user name and their client id.
listener $mqtt_port
cafile $folder/gateways-ca.pem
crlfile $folder/crl.pem
certfile $folder/server.pem
keyfile $folder/server.key
require_certificate true
use_identity_as_username true
use_username_as_clientid true
# Stands before each topic and filter of a gateway, \$share/ too: so none of them is a shared subscription.
mount_point gateways/
acl_file $folder/gateways.acl
max_inflight_messages 64

# The receiver: by its password.
listener $receiver_port
certfile $folder/server.pem
keyfile $folder/server.key
allow_anonymous false
password_file $folder/passwords
acl_file $folder/receiver.acl
max_queued_messages 100000
END
  : >mosquitto.pid
  files=(mosquitto.conf mosquitto.pid gateways.acl receiver.acl passwords crl.pem)
  settings="MQTT_URL=mqtts://$host:$receiver_port
MQTT_USERNAME=receiver
MQTT_PASSWORD=$broker_password
MQTT_CA_FILE=$folder/servers-ca.pem
TOPIC_PREFIX=gateways/hemgate"
}

setup_rabbitmq() {
  cat >rabbitmq.conf <<END
listeners.tcp = none
mqtt.listeners.tcp = none
ssl_options.certfile = $folder/server.pem
ssl_options.keyfile = $folder/server.key
ssl_options.cacertfile = $folder/gateways-ca.pem
ssl_options.verify = verify_peer
# The receiver signs in by its password, and has no certificate.
ssl_options.fail_if_no_peer_cert = false

# Gateways: by their certificates, whose name is their user name.
mqtt.listeners.ssl.default = $mqtt_port
mqtt.allow_anonymous = false
mqtt.ssl_cert_login = true
ssl_cert_login_from = common_name
mqtt.vhost = /
mqtt.exchange = amq.topic

# Asked besides RabbitMQ's own permissions (advanced.config): whether a gateway's client id is its name. No other answer is used.
auth_http.vhost_path = http://127.0.0.1:${CLIENT_IDS_PORT:-8090}/vhost
auth_http.user_path = http://127.0.0.1:${CLIENT_IDS_PORT:-8090}/user
auth_http.resource_path = http://127.0.0.1:${CLIENT_IDS_PORT:-8090}/resource
auth_http.topic_path = http://127.0.0.1:${CLIENT_IDS_PORT:-8090}/topic

# The receiver: by its password.
listeners.ssl.default = $receiver_port
load_definitions = $folder/definitions.json
END
  cat >advanced.config <<'END'
%% Who somebody is, RabbitMQ's own users say; what they may do, its own permissions and the program at auth_http: both have to allow it.
[{rabbit, [{auth_backends, [{rabbit_auth_backend_internal, [rabbit_auth_backend_internal, rabbit_auth_backend_http]}]}]}].
END
  echo '[rabbitmq_mqtt,rabbitmq_auth_backend_http].' >enabled_plugins
  # No gateway can have the receiver's name: theirs have no ~.
  cat >definitions.json <<END
{
  "vhosts": [{ "name": "/" }],
  "users": [{ "name": "~receiver", "password": "$broker_password", "tags": "" }],
  "permissions": [{
    "user": "~receiver", "vhost": "/",
    "configure": "^hemgate\\\\.", "write": "^(amq\\\\.topic|hemgate\\\\..*)$", "read": "^(amq\\\\.topic|hemgate\\\\..*)$"
  }]
}
END
  files=(rabbitmq.conf advanced.config enabled_plugins definitions.json)
  settings="AMQP_URL=amqps://~receiver:$broker_password@$host:$receiver_port
AMQP_CA_FILE=$folder/servers-ca.pem
CLIENT_IDS_PORT=${CLIENT_IDS_PORT:-8090}"
}

setup_nats() {
  cat >nats.conf <<END
server_name: broker-1
pid_file: "$folder/nats.pid"
port: $receiver_port
# A frame may have 2 MiB.
max_payload: 3MB
jetstream { store_dir: "$folder/jetstream" }
tls { cert_file: "$folder/server.pem", key_file: "$folder/server.key" }

# Gateways: by their certificates, whose subject is their user.
mqtt {
  port: $mqtt_port
  tls { cert_file: "$folder/server.pem", key_file: "$folder/server.key", ca_file: "$folder/gateways-ca.pem", verify_and_map: true }
}

# The receiver's account and one for each gateway.
include "accounts.conf"
END
  : >gateways
  printf '%s\n' "$broker_password" >receiver.password
  bash "$here/nats-accounts.sh" "$folder"
  mkdir -p jetstream
  : >nats.pid
  files=(nats.conf accounts.conf nats.pid jetstream)
  settings="NATS_URL=tls://~receiver:$broker_password@$host:$receiver_port
NATS_CA_FILE=$folder/servers-ca.pem"
}

"setup_$broker"
if [ "$(id -u)" -eq 0 ] && id "$owner" >/dev/null 2>&1; then
  chown "$owner" "${files[@]}" server.key server.pem gateways-ca.pem
fi

cat >service.env.new <<END
BROKER=$broker
$settings
DATABASE_URL=$DATABASE_URL
HTTP_PORT=${HTTP_PORT:-8080}
API_TOKEN=$(secret)
ENROLMENT_URL=https://$host:${ENROLMENT_PORT:-8443}/
ENROLMENT_PORT=${ENROLMENT_PORT:-8443}
ENROLMENT_CERT_FILE=$folder/server.pem
ENROLMENT_KEY_FILE=$folder/server.key
ENROLMENT_SIGNING_KEY_FILE=$folder/enrolment-signing.key
GATEWAYS_CA_FILE=$folder/gateways-ca.pem
GATEWAYS_CA_KEY_FILE=$folder/gateways-ca.key
GATEWAYS_MQTT_URL=mqtts://$host:$mqtt_port
GATEWAYS_MQTT_CA_FILE=$folder/servers-ca.pem
GATEWAYS_TOPIC_PREFIX=hemgate
END
mv service.env.new service.env
echo "$folder is set up for $broker: service.env and the broker's configuration"
