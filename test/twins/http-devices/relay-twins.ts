/** Two relays of Shelly and Tasmota on the SG Ready inputs of a heat pump, each with its timer as the makers document it. */
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { HttpTwin, json, NOT_FOUND, type TwinRequest } from "./http-twin.ts";

/** By the heat pump association: the first contact, then the second. */
const STATES: Readonly<Record<string, string>> = {
  "10": "blocked",
  "00": "normal",
  "01": "recommended",
  "11": "ordered",
};

abstract class RelayTwin extends HttpTwin {
  /** Each state that the heat pump was in, from the first on. */
  readonly history: string[] = ["normal"];
  readonly #nowMs: () => number;
  readonly #closed = new Map<number, { readonly untilMs: number }>();
  readonly #first: number;

  constructor(nowMs: () => number, first: number) {
    super();
    this.#nowMs = nowMs;
    this.#first = first;
  }

  /** What the heat pump is told now. */
  get state(): string {
    const bits = [this.#first, this.#first + 1].map((output) => (this.isClosed(output) ? 1 : 0)).join("");
    return STATES[bits] ?? "";
  }

  isClosed(output: number): boolean {
    return (this.#closed.get(output)?.untilMs ?? 0) > this.#nowMs();
  }

  /** A switch ends a timer that runs; `timerS` starts one. */
  switchTo(output: number, isClosed: boolean, timerS: number | null): void {
    this.#closed.delete(output);
    const untilMs = timerS === null ? Number.POSITIVE_INFINITY : this.#nowMs() + timerS * 1_000;
    if (isClosed) this.#closed.set(output, { untilMs });
    if (this.history.at(-1) !== this.state) this.history.push(this.state);
  }
}

function timerOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text === null ? null : Number(text);
}

export class ShellyRpcRelays extends RelayTwin {
  constructor(nowMs: () => number) {
    super(nowMs, 0);
  }

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (path === "/rpc/Shelly.GetDeviceInfo") return json({ mac: "AABBCCDDEE02", app: "Pro2", gen: 2, ver: "1.4.4" });
    if (path === "/rpc/Shelly.GetStatus") {
      return json({ "switch:0": { id: 0, output: this.isClosed(0) }, "switch:1": { id: 1, output: this.isClosed(1) } });
    }
    if (path !== "/rpc/Switch.Set") return json({ code: 404, message: `No handler for ${path}` }, 404);
    const output = Number(query.get("id"));
    const before = this.isClosed(output);
    this.switchTo(output, query.get("on") === "true", timerOf(query, "toggle_after"));
    return json({ was_on: before });
  }
}

export class ShellyGen1Relays extends RelayTwin {
  constructor(nowMs: () => number) {
    super(nowMs, 0);
  }

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (path === "/shelly") return json({ type: "SHSW-25", mac: "84CCA8AABB02", auth: false, fw: "v1.14.0" });
    if (path === "/status") {
      return json({ mac: "84CCA8AABB02", relays: [{ ison: this.isClosed(0) }, { ison: this.isClosed(1) }] });
    }
    const output = /^\/relay\/([01])$/.exec(path)?.[1];
    if (output === undefined) return NOT_FOUND;
    this.switchTo(Number(output), query.get("turn") === "on", timerOf(query, "timer"));
    return json({ ison: this.isClosed(Number(output)) });
  }
}

/** Its PulseTime is a setting of the device: from 112 on it is seconds plus 100. */
export class TasmotaRelays extends RelayTwin {
  pulseTime = 0;

  constructor(nowMs: () => number) {
    super(nowMs, 1);
  }

  protected override answer({ path, query }: TwinRequest): SimWebAnswer {
    if (path !== "/cm") return NOT_FOUND;
    const command = query.get("cmnd") ?? "";
    const word = (output: number): string => (this.isClosed(output) ? "ON" : "OFF");
    if (command === "Status 11") return json({ StatusSTS: { POWER1: word(1), POWER2: word(2) } });
    if (command === "Status 2") return json({ StatusFWR: { Version: "14.2.0(tasmota32)" } });
    if (command === "Status 5") return json({ StatusNET: { Hostname: "relays", Mac: "DC:54:75:AA:BB:02" } });
    const [, output, state] = /^Power([12]) (On|Off)$/.exec(command) ?? [];
    if (output === undefined) return json({ Command: "Unknown" });
    this.switchTo(Number(output), state === "On", this.pulseTime >= 112 ? this.pulseTime - 100 : null);
    return json({ [`POWER${output}`]: word(Number(output)) });
  }
}
