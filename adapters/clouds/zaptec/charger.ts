import { DAY_MS, MINUTE_MS, type PointName, z } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, CloudSession, Tempo } from "../kit/connector.ts";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { fitting, parsed } from "../kit/device/parsed.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { ChargerState, Constants, MODE, StateEntry, stateReadings } from "./observations.ts";

export const API = "https://api.zaptec.com/api";

const CONSTANTS_FRESH_MS = DAY_MS;
const ACTIVE_MS = 2 * MINUTE_MS;
const MIN_A = 6;
const MAX_A = 32;
const COMMAND = { stop: 506, resume: 507 } as const;
const MODELS: Readonly<Record<number, string>> = { 1: "Zaptec Pro", 4: "Zaptec Go" };

export const ListedCharger = z.object({
  Id: z.string().min(1),
  Name: maybeText,
  /** The serial number on the charger. */
  DeviceId: maybeText,
  DeviceType: maybeNumber,
  InstallationId: maybeText,
});
export type ListedCharger = z.infer<typeof ListedCharger>;

const States = z.array(z.unknown());

const POINTS: readonly PointName[] = [
  "charger.state",
  "charger.enabled",
  "charger.maxCurrent",
  "charger.power",
  "charger.voltage.l1",
  "charger.voltage.l2",
  "charger.voltage.l3",
  "charger.current.l1",
  "charger.current.l2",
  "charger.current.l3",
  "charger.energySession",
  "charger.energy",
];

export function modelOf({ DeviceType: type }: ListedCharger): string | null {
  return MODELS[type ?? 0] ?? null;
}

/** Connects one charger. `circuitA`: what its circuit carries at most; null when the login may not know. */
export async function openCharger(
  session: CloudSession,
  charger: ListedCharger,
  circuitA: number | null,
  signal: AbortSignal,
): Promise<CloudDevice> {
  return new ZaptecCharger(session, charger, circuitA, await fetchState(session, charger.Id, signal));
}

async function fetchState(session: CloudSession, id: string, signal: AbortSignal): Promise<ChargerState> {
  const { Observations: ids } = await session.shared(
    "constants",
    CONSTANTS_FRESH_MS,
    async (inner) => {
      const url = `${API}/constants`;
      return parsed(Constants, await session.ask({ method: "GET", url }, inner), `GET ${url}`);
    },
    signal,
  );
  const url = `${API}/chargers/${id}/state`;
  const answer = await session.ask({ method: "GET", url, subject: id }, signal);
  return new ChargerState(fitting(StateEntry, parsed(States, answer, `GET ${url}`)), ids);
}

class ZaptecCharger implements CloudDevice {
  readonly identity: CloudDevice["identity"];
  readonly points = POINTS;
  readonly controls: readonly CloudControl[];
  readonly cost = { requests: 1 };
  readonly #session: CloudSession;
  readonly #id: string;
  readonly #range: { readonly min: number; readonly max: number };
  #state: ChargerState;
  #activeUntilMs = Number.NEGATIVE_INFINITY;

  constructor(session: CloudSession, charger: ListedCharger, circuitA: number | null, state: ChargerState) {
    this.#session = session;
    this.#id = charger.Id;
    this.#state = state;
    this.#range = {
      min: Math.max(MIN_A, state.number("ChargerMinCurrent") ?? MIN_A),
      max: Math.min(MAX_A, circuitA || MAX_A),
    };
    this.identity = {
      manufacturer: "Zaptec",
      model: modelOf(charger),
      serial: charger.DeviceId,
      version: state.text("SmartComputerSoftwareApplicationVersion"),
      name: charger.Name,
    };
    this.controls = [
      { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null, confidence: "cross-checked" },
      {
        point: "charger.maxCurrent",
        range: this.#range,
        holdMs: null,
        safeDefault: "as-found",
        confidence: "cross-checked",
        caveat: "The charger keeps the limit over restarts; what its installation allows still counts.",
      },
    ];
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    this.#state = await fetchState(this.#session, this.#id, signal);
    return stateReadings(this.#state);
  }

  async write(point: string, value: unknown, signal: AbortSignal): Promise<void> {
    if (point === "charger.enabled" && typeof value === "boolean") await this.#enable(value, signal);
    else if (point === "charger.maxCurrent" && this.#isAllowed(value))
      await this.#post("update", { maxChargeCurrent: value }, signal);
    else throw new CloudError("refused", `Zaptec charger: ${point} takes no ${String(value)}`);
    this.#activeUntilMs = this.#session.clock.monotonicMs() + ACTIVE_MS;
  }

  tempo(): Tempo {
    if (this.#session.clock.monotonicMs() < this.#activeUntilMs) return "active";
    return this.#state.mode === MODE.unplugged || !this.#state.isOnline ? "idle" : "usual";
  }

  #isAllowed(value: unknown): boolean {
    return typeof value === "number" && value >= this.#range.min && value <= this.#range.max;
  }

  /** Zaptec refuses what does not fit the state, so that the state is looked at first. */
  async #enable(isEnabled: boolean, signal: AbortSignal): Promise<void> {
    this.#state = await fetchState(this.#session, this.#id, signal);
    const { mode, isStopped } = this.#state;
    if (isStopped !== isEnabled) return;
    if (mode === MODE.unplugged) throw new CloudError("refused", "Zaptec charger: no vehicle is plugged in");
    await this.#post(`SendCommand/${isEnabled ? COMMAND.resume : COMMAND.stop}`, {}, signal);
  }

  async #post(path: string, json: unknown, signal: AbortSignal): Promise<void> {
    const url = `${API}/chargers/${this.#id}/${path}`;
    await this.#session.ask({ method: "POST", url, body: { json }, purpose: "command", subject: this.#id }, signal);
  }
}
