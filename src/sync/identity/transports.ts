/** Opens the transports of an account. */
import type { Mqtt5Credentials } from "../../platform/ports/mqtt5-port.ts";
import type { HttpPolicy, Platform } from "../../platform/ports/ports.ts";
import type { CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import { HttpsUplink } from "../uplink/https-uplink.ts";
import { MqttUplink } from "../uplink/mqtt-uplink.ts";
import { PreferredUplink, type PreferredUplinkParts } from "../uplink/preferred-uplink.ts";
import type { Uplink } from "../uplink/uplink.ts";
import type { CloudAccount, CloudSignIn } from "./account.ts";

/** How long an MQTT server keeps messages for a disconnected gateway, s. */
const SESSION_EXPIRY_S = 24 * 60 * 60;

export type TransportParts = Pick<Platform, "mqtt5" | "http" | "httpStreams" | "clock" | "random" | "log">;

/**
 * Returns one uplink that uses the account's transports in their order. `before`: the state of the same transports
 * before.
 */
export function transportsOf(
  account: CloudAccount,
  parts: TransportParts,
  before: PreferredUplinkParts["before"],
): PreferredUplink {
  const uplinks = account.uplinks.map((uplink) => ({
    name: uplink.kind,
    uplink: uplink.kind === "mqtt" ? byMqtt(account, uplink, parts) : byHttps(account, uplink, parts),
  }));
  return new PreferredUplink(uplinks, { ...parts, before: before ?? null });
}

function byMqtt({ gateway, signIn }: CloudAccount, uplink: CloudUplinkRecord, parts: TransportParts): Uplink {
  const { urls, topicPrefix, caPem, version } = uplink;
  const proof: Mqtt5Credentials =
    signIn.kind === "certificate"
      ? { certificate: signIn.certificate }
      : { username: signIn.username, password: signIn.password };
  const credentials = { ...proof, ...(caPem !== undefined && { authoritiesPem: caPem }) };
  return new MqttUplink({
    ...parts,
    gateway,
    servers: urls,
    version,
    topicPrefix: topicPrefix ?? "hemgate",
    sessionExpirySeconds: SESSION_EXPIRY_S,
    credentials: async () => credentials,
  });
}

function byHttps({ gateway, signIn }: CloudAccount, { urls, caPem }: CloudUplinkRecord, parts: TransportParts): Uplink {
  const [url = ""] = urls;
  const policy: HttpPolicy = {
    // Any address is allowed: the server has to show a certificate for its name, as with MQTT.
    refuse: () => null,
    tls: {
      kind: "verified",
      authoritiesPem: caPem,
      certificate: signIn.kind === "certificate" ? signIn.certificate : undefined,
    },
  };
  const headers = headersOf(signIn);
  return new HttpsUplink({
    ...parts,
    gateway,
    url: url.replace(/(?<!\/)\/+$/, ""),
    policy,
    credentials: async () => headers,
  });
}

/** Returns the headers that sign in: HTTP Basic (RFC 7617) for a name and password, none for a certificate. */
function headersOf(signIn: CloudSignIn): Readonly<Record<string, string>> {
  if (signIn.kind === "certificate") return {};
  const pair = Buffer.from(`${signIn.username}:${signIn.password}`, "utf8").toString("base64");
  return { authorization: `Basic ${pair}` };
}
