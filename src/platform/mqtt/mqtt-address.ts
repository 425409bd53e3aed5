import { DeviceError } from "../../points/device-error.ts";
import type { MqttServer } from "../ports/ports.ts";

const PORTS: Readonly<Record<string, number>> = { "mqtt:": 1883, "mqtts:": 8883 };

/** Where an MQTT server is. */
export interface MqttAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Throws a `DeviceError("rejected")` when the URL is not `mqtt://host[:port]` or `mqtts://host[:port]`. */
export function mqttAddress({ url }: Pick<MqttServer, "url">): MqttAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const standard = PORTS[parsed?.protocol ?? ""];
  const isPlain = parsed !== null && /^\/?$/.test(parsed.pathname) && `${parsed.search}${parsed.hash}` === "";
  if (parsed === null || standard === undefined || parsed.hostname === "" || parsed.username !== "" || !isPlain) {
    throw new DeviceError(
      "rejected",
      `not the URL of an MQTT server: ${url}; expected mqtt://host or mqtts://host:8883`,
    );
  }
  return {
    // An IPv6 address stands in brackets in a URL and nowhere else.
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: parsed.port === "" ? standard : Number(parsed.port),
    isSecure: parsed.protocol === "mqtts:",
  };
}
