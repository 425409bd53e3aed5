#!/usr/bin/env bash
# Makes what a first try of the service needs in a folder of its own: two authorities, the certificates of the broker and of the
# enrolment service, Mosquitto's configuration, a database with its role, and service.env.
#
#   bash setup.sh FOLDER [HOST]
#
# HOST (localhost) is the name by which gateways reach broker and enrolment. Ports may be named by MQTT_PORT (8883), RECEIVER_PORT
# (8884), ENROLMENT_PORT (8443) and HTTP_PORT (8080). DATABASE_URL names a database that is there; without it one is made on
# this machine's PostgreSQL. A folder that was set up is left as it is.
set -euo pipefail
folder=${1:?bash setup.sh FOLDER [HOST]}
host=${2:-localhost}
umask 077
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$folder"
[ ! -e service.env ] || { echo "$folder is set up already"; exit 0; }

secret() { openssl rand -hex 24; }
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

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
mosquitto_passwd -b -c passwords receiver "$broker_password"
cat >gateways.acl <<END
pattern write gateways/hemgate/%u/up/#
pattern read gateways/hemgate/%u/down/+
END
cat >receiver.acl <<END
user receiver
topic read gateways/hemgate/+/up/#
topic write gateways/hemgate/+/down/+
END
cat >mosquitto.conf <<END
per_listener_settings true
# An acknowledgement does not wait for the packet before it.
set_tcp_nodelay true

# Gateways: by their certificates, whose name is their user name and their client id.
listener ${MQTT_PORT:-8883}
cafile $folder/gateways-ca.pem
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
listener ${RECEIVER_PORT:-8884}
certfile $folder/server.pem
keyfile $folder/server.key
allow_anonymous false
password_file $folder/passwords
acl_file $folder/receiver.acl
max_queued_messages 100000
END
# Started as root, Mosquitto reads its files as a user of its own.
if [ "$(id -u)" -eq 0 ] && id mosquitto >/dev/null 2>&1; then
  chmod 711 .
  chown mosquitto mosquitto.conf gateways.acl receiver.acl passwords server.key server.pem gateways-ca.pem
fi

if [ -z "${DATABASE_URL:-}" ]; then
  database_password=$(secret)
  as_postgres=()
  if [ "$(id -u)" -eq 0 ]; then as_postgres=(runuser -u postgres --); else as_postgres=(sudo -u postgres); fi
  (cd / && "${as_postgres[@]}" psql -q -v ON_ERROR_STOP=1) <<END
CREATE ROLE receiver LOGIN PASSWORD '$database_password';
CREATE DATABASE fleet OWNER receiver;
END
  DATABASE_URL="postgres://receiver:$database_password@127.0.0.1:5432/fleet"
fi
cat >service.env.new <<END
MQTT_URL=mqtts://$host:${RECEIVER_PORT:-8884}
MQTT_USERNAME=receiver
MQTT_PASSWORD=$broker_password
MQTT_CA_FILE=$folder/servers-ca.pem
TOPIC_PREFIX=gateways/hemgate
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
GATEWAYS_MQTT_URL=mqtts://$host:${MQTT_PORT:-8883}
GATEWAYS_MQTT_CA_FILE=$folder/servers-ca.pem
GATEWAYS_TOPIC_PREFIX=hemgate
END
mv service.env.new service.env
echo "$folder is set up: service.env, mosquitto.conf"
