/** The transport that an identity is for. */
import type { Mqtt5, Mqtt5Credentials } from "../../platform/mqtt5-port.ts";
import type { Clock } from "../../platform/ports.ts";
import type { CloudIdentityRecord } from "../../store/records/cloud.ts";
import { MqttUplink } from "../uplink/mqtt-uplink.ts";
import { type Uplink, UplinkError } from "../uplink/uplink.ts";

/** As long as a gateway is likely to be away at once, a server may keep what is sent down. */
const SESSION_EXPIRY_S = 24 * 60 * 60;

export interface TransportParts {
  readonly mqtt5: Mqtt5;
  readonly clock: Clock;
}

/** The first uplink of the identity that there is a transport for; without one each connection fails in words. */
export function uplinkOf(identity: CloudIdentityRecord, { mqtt5, clock }: TransportParts): Uplink {
  const { gateway, uplinks } = identity;
  const mqtt = uplinks.find(({ kind }) => kind === "mqtt");
  if (mqtt === undefined) return { connect: () => Promise.reject(unsupported()) };
  const credentials = credentialsOf(identity);
  return new MqttUplink({
    ...{ mqtt5, clock, gateway },
    servers: mqtt.urls,
    version: mqtt.version,
    topicPrefix: mqtt.topicPrefix ?? "hemgate",
    sessionExpirySeconds: SESSION_EXPIRY_S,
    credentials: async () => credentials,
  });
}

function credentialsOf({ credentials, privateKeyPem }: CloudIdentityRecord): Mqtt5Credentials {
  return credentials.kind === "certificate"
    ? { certificate: { pem: credentials.chainPem, keyPem: privateKeyPem } }
    : { username: credentials.username, password: credentials.password };
}

function unsupported(): UplinkError {
  const reason = "the cloud service named no MQTT server, and enrolled gateways connect by MQTT";
  return new UplinkError({ kind: "lost", reason, retryAfterMs: null });
}
