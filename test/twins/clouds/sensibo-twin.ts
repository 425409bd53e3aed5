/** Sensibo's cloud: infrared senders with the state that they last sent, and what the unit's remote control offers. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";

const LISTS = { fanLevel: "fanLevels", swing: "swing" } as const;

export interface SensiboTwinPod {
  readonly id: string;
  room: string;
  isAlive: boolean;
  unit: "C" | "F";
  /** °C, whatever the unit's own degrees. */
  temperature: number | null;
  acState: Record<string, unknown>;
  modes: Record<string, unknown>;
}

const RANGE = {
  C: { isNative: true, values: [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30] },
  F: { isNative: false, values: [61, 63, 64, 66, 68, 70, 72, 73, 75, 77, 79, 81, 82, 84, 86] },
};

export function sensiboPod(id: string, changes: Partial<SensiboTwinPod> = {}): SensiboTwinPod {
  const acState = { on: true, mode: "cool", targetTemperature: 24, fanLevel: "high", swing: "stopped" };
  const mode = { temperatures: RANGE, fanLevels: ["low", "high"], swing: ["stopped", "rangeFull"] };
  const heat = { ...mode, fanLevels: ["quiet", "low", "auto"] };
  const modes = { cool: mode, heat, auto: mode, dry: { temperatures: {} }, fan: { temperatures: {} } };
  return { id, room: "Study", isAlive: true, unit: "C", temperature: 25.4, acState, modes, ...changes };
}

export class SensiboTwin extends CloudTwin {
  readonly hosts = ["home.sensibo.com"];
  readonly keys = new Set(["sensibo-key-1"]);
  readonly pods: SensiboTwinPod[] = [];
  /** What else stands in the list of pods. */
  readonly others: readonly unknown[] = [null, { id: 7 }, { id: "X9" }];
  /** The sender cannot be reached while a state is sent. */
  isDeaf = false;
  /** When the sensors measured, wall-clock ms; null: as in the documentation's example. */
  measuredAtMs: number | null = null;

  protected override answer({ method, url, json }: AskedOfTwin): SimWebAnswer {
    if (!this.keys.has(url.searchParams.get("apiKey") ?? "")) {
      return jsonAnswer({ status: "failure", reason: "login_required" }, 403);
    }
    const path = url.pathname.replace("/api/v2", "");
    if (path === "/users/me/pods") {
      const known = this.pods.map((pod) =>
        url.searchParams.get("fields") === "*" ? details(pod, this.measuredAtMs) : { id: pod.id },
      );
      return jsonAnswer({ status: "success", result: [...this.others, ...known] });
    }
    const [, id] = /^\/pods\/([^/]+)\/acStates$/.exec(path) ?? [];
    const pod = this.pods.find((each) => each.id === id);
    if (pod === undefined || method !== "POST") return jsonAnswer({ status: "failure", reason: "not_found" }, 404);
    return this.#send(pod, (json as { acState: Record<string, unknown> }).acState);
  }

  /** Refuses what the remote control of the unit has no button for. */
  #send(pod: SensiboTwinPod, wished: Record<string, unknown>): SimWebAnswer {
    const mode = pod.modes[String(wished["mode"])] as Record<string, unknown> | undefined;
    const invalid = (reason: string) => jsonAnswer({ status: "failure", reason: "BadRequest", message: reason }, 400);
    if (mode === undefined) return invalid("mode");
    const values = (mode["temperatures"] as Partial<typeof RANGE>)[pod.unit]?.values;
    if (values !== undefined && !values.includes(Number(wished["targetTemperature"])))
      return invalid("targetTemperature");
    for (const [name, listed] of Object.entries(LISTS)) {
      const taken = mode[listed];
      if (name in wished && Array.isArray(taken) && !taken.includes(wished[name])) return invalid(name);
    }
    if (this.isDeaf) {
      return jsonAnswer({ status: "success", result: { id: "1", status: "Failed", failureReason: "ProtocolTimeout" } });
    }
    pod.acState = wished;
    return jsonAnswer({
      status: "success",
      result: { id: "1", status: "Success", acState: wished, failureReason: null },
    });
  }
}

function details(
  { id, room, isAlive, unit, temperature, acState, modes }: SensiboTwinPod,
  measuredAtMs: number | null,
): unknown {
  const told = measuredAtMs === null ? "2026-06-20T23:59:28.5Z" : new Date(measuredAtMs).toISOString();
  const time = { time: told, secondsAgo: 32 };
  return {
    id,
    room: { name: room, icon: "Lounge" },
    productModel: "skyv2",
    serial: `S-${id}`,
    firmwareVersion: "SKY30048",
    temperatureUnit: unit,
    connectionStatus: { isAlive, lastSeen: time },
    acState: { timestamp: time, ...acState },
    measurements: temperature === null ? { time } : { time, temperature, humidity: 48.1 },
    remoteCapabilities: { modes },
  };
}
