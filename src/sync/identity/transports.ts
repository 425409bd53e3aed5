/** The transports that an account is for. */
import type { Mqtt5Credentials } from "../../platform/ports/mqtt5-port.ts";
import type { HttpPolicy, Platform } from "../../platform/ports/ports.ts";
import type { CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import { HttpsUplink } from "../uplink/https-uplink.ts";
import { MqttUplink } from "../uplink/mqtt-uplink.ts";
import { PreferredUplink, type PreferredUplinkParts } from "../uplink/preferred-uplink.ts";
import type { Uplink } from "../uplink/uplink.ts";
import type { CloudAccount, CloudSignIn } from "./account.ts";

/** As long as a gateway is likely to be away at once, a server may keep what is sent down. */
const SESSION_EXPIRY_S = 24 * 60 * 60;

export type TransportParts = Pick<Platform, "mqtt5" | "http" | "httpStreams" | "clock" | "random" | "log">;

/** All uplinks of the account, one used at a time; `before` is what is known of the same ones already. */
export function waysOf(
  account: CloudAccount,
  parts: TransportParts,
  before: PreferredUplinkParts["before"],
): PreferredUplink {
  const ways = account.uplinks.map((uplink) => ({
    name: uplink.kind,
    uplink: uplink.kind === "mqtt" ? byMqtt(account, uplink, parts) : byHttps(account, uplink, parts),
  }));
  return new PreferredUplink(ways, { ...parts, before: before ?? null });
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
    // Wherever it is: who answers there has to show a certificate for the name, as by MQTT.
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

/** A name and a password are said as RFC 7617 has it; a certificate says all itself. */
function headersOf(signIn: CloudSignIn): Readonly<Record<string, string>> {
  if (signIn.kind === "certificate") return {};
  const pair = Buffer.from(`${signIn.username}:${signIn.password}`, "utf8").toString("base64");
  return { authorization: `Basic ${pair}` };
}
