import { type ControlPoint, type DeviceIdentity, HOUR_MS, type PointName, type PointValue } from "hemgate/sdk";
import type {
  App,
  Ask,
  CloudAnswer,
  CloudConnector,
  CloudControl,
  CloudDevice,
  CloudListing,
  CloudReading,
  CloudRequest,
  CloudSession,
  Grant,
} from "../kit/connector.ts";
import { completed, isoMeasuredAt } from "../kit/device/completed-readings.ts";
import { type Hold, HoldWriter } from "../kit/device/hold-writer.ts";
import { parsed } from "../kit/device/parsed.ts";
import { soundControls } from "../kit/device/sound.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { SharedReads } from "../kit/session/shared-reads.ts";
import { celsiusOf, holdState, isFahrenheit, isHvac, isWithin, modeOf, rangeOf } from "./ac.ts";
import { Change, Outcome, type Pod, Pods } from "./schemas.ts";

const BASE = "https://home.sensibo.com/api/v2";
const BUDGET = "requests";
const PODS_KEY = "pods";
/** For which units there are, what was read lately is good enough, ms. */
const LISTED_MS = 60_000;
/** Sensibo's documentation: who takes compressed answers may ask more often. */
const HEADERS = { "accept-encoding": "gzip" };
const INFRARED = "Sent by infrared: nobody can tell whether the unit heard it, or was set by its own remote control.";

/**
 * Sensibo: air conditioners behind an infrared sender, by an API key. It has no power readings, and no schedule that a
 * unit could be handed back to. The state is what Sensibo last sent or received; the unit itself never answers.
 */
export const sensibo: CloudConnector = {
  id: "sensibo",
  vendors: ["SENSIBO"],
  types: ["hvac"],
  displayName: "Sensibo",
  portalName: "Sensibo",
  hosts: ["home.sensibo.com"],
  login: {
    kind: "form",
    fields: [
      {
        name: "apiKey",
        kind: "api-key",
        hint: {
          "en-US": "Made at home.sensibo.com/me/api",
          "de-DE": "Wird unter home.sensibo.com/me/api angelegt",
        },
      },
    ],
    keepsForm: false,
    signIn,
  },
  needsApp: false,
  budgets: [
    {
      name: BUDGET,
      limit: 120,
      windowMs: HOUR_MS,
      scope: "account",
      window: "sliding",
      reserved: { command: 30, login: 5 },
      source: "Sensibo answers 429 and publishes no number; this is about what its own clients ask",
      confidence: "unverified",
    },
  ],
  pace: { active: 30_000, usual: 90_000, idle: 180_000 },
  authorize,
  errorOf,
  list,
  open: openPod,
};

function authorize(request: CloudRequest, { access }: Grant, _app: App): CloudRequest {
  return { ...request, query: { ...request.query, apiKey: access } };
}

/** A key has all rights or none, so a 403 is about the key too. */
function errorOf({ status, body }: CloudAnswer): CloudErrorKind | null {
  if (status === 401 || status === 403) return "login-refused";
  const outcome = Outcome.safeParse(body);
  return status < 400 && outcome.success && outcome.data.status !== "success" ? "refused" : null;
}

async function signIn(
  { apiKey = "" }: Readonly<Record<string, string>>,
  { ask }: { readonly ask: Ask },
  signal: AbortSignal,
): Promise<Grant> {
  const query = { fields: "id", apiKey: apiKey.trim() };
  const url = `${BASE}/users/me/pods`;
  parsed(Pods, await ask({ method: "GET", url, query, headers: HEADERS, purpose: "login" }, signal), "GET pods");
  return { access: apiKey.trim(), refresh: null, expiresAtMs: null };
}

async function list(session: CloudSession, signal: AbortSignal): Promise<readonly CloudListing[]> {
  return [...(await podsOf(session, LISTED_MS, signal)).values()].map(({ id, room, productModel, serial }) => ({
    key: id,
    types: ["hvac"],
    name: room?.name ?? null,
    model: productModel,
    detail: serial,
  }));
}

function podsOf(session: CloudSession, freshMs: number, signal: AbortSignal): Promise<ReadonlyMap<string, Pod>> {
  const fetch = async (limited: AbortSignal) => {
    const url = `${BASE}/users/me/pods`;
    const answer = await session.ask({ method: "GET", url, query: { fields: "*" }, headers: HEADERS }, limited);
    const pods = parsed(Pods, answer, "GET pods").result;
    return new Map(pods.filter(isHvac).map((pod) => [pod.id, pod]));
  };
  return session.shared(PODS_KEY, freshMs, fetch, signal);
}

async function openPod(session: CloudSession, key: string, signal: AbortSignal): Promise<CloudDevice> {
  const pod = (await podsOf(session, LISTED_MS, signal)).get(key);
  if (pod === undefined) throw new CloudError("refused", `the account has no Sensibo ${key} any more`);
  return new SensiboPod(session, pod, await SharedReads.join(session, { key: PODS_KEY, device: key }, signal));
}

class SensiboPod implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly controls: readonly CloudControl[];
  readonly points: readonly PointName[] = [
    "hvac.mode",
    "hvac.heatSetpoint",
    "hvac.coolSetpoint",
    "hvac.temperature",
    "hvac.isActive",
  ];
  readonly #session: CloudSession;
  readonly #reads: SharedReads;
  readonly #writer: HoldWriter;
  #pod: Pod;

  constructor(session: CloudSession, pod: Pod, reads: SharedReads) {
    this.#session = session;
    this.#pod = pod;
    this.#reads = reads;
    this.controls = soundControls(controlsOf(pod));
    this.identity = identityOf(pod);
    const { clock } = session;
    this.#writer = new HoldWriter({
      clock,
      controls: this.controls,
      send: (hold, signal) => this.#send(hold, signal),
      atOwnSetpoint: (mode) => this.#atOwnSetpoint(mode),
    });
  }

  get cost() {
    return { [BUDGET]: this.#reads.share };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const pod = (await podsOf(this.#session, this.#reads.freshMs(), signal)).get(this.#pod.id);
    if (pod !== undefined) this.#pod = pod;
    return this.#reads.dated(completed(this.points, pod === undefined ? [] : readingsOf(pod)), PODS_KEY);
  }

  async write(...[point, value, signal]: Parameters<CloudDevice["write"]>): Promise<void> {
    await this.#writer.write(point, value, modeOf(this.#pod.acState), signal);
  }

  takesBack(point: ControlPoint, value: PointValue): boolean {
    return this.#writer.takesBack(point, value, modeOf(this.#pod.acState));
  }

  wantsRead(): boolean {
    return this.#reads.isBehind(PODS_KEY);
  }

  tempo() {
    return this.#writer.tempo();
  }

  async #send(hold: Hold, signal: AbortSignal): Promise<void> {
    const url = `${BASE}/pods/${encodeURIComponent(this.#pod.id)}/acStates`;
    const body = { json: { acState: this.#stateFor(hold) } };
    try {
      const request = { method: "POST", url, headers: HEADERS, body, purpose: "command" } as const;
      const { result } = parsed(Change, await this.#session.ask(request, signal), "POST acStates");
      if (result.failureReason === null && result.status?.toLowerCase() !== "failed") return;
      throw new CloudError(
        "refused",
        `Sensibo did not send it: ${result.failureReason ?? result.status ?? "no reason"}`,
      );
    } finally {
      this.#session.outdate(PODS_KEY);
    }
  }

  #stateFor(hold: Hold): Readonly<Record<string, unknown>> {
    if (hold.mode === "OFF") return { ...this.#ownState(), on: false };
    // Without a schedule it goes on as it was.
    if (hold.mode === "SCHEDULE") return { ...this.#ownState(), on: true };
    if (hold.mode === "HEAT") return this.#holdState(hold.mode, hold.heat);
    if (hold.mode === "COOL") return this.#holdState(hold.mode, hold.cool);
    throw new CloudError("refused", "Sensibo has one temperature in its automatic mode");
  }

  #holdState(mode: "HEAT" | "COOL", celsius: number): Readonly<Record<string, unknown>> {
    const point = mode === "HEAT" ? "hvac.heatSetpoint" : "hvac.coolSetpoint";
    const range = this.controls.find((control) => control.point === point)?.range;
    const state = range === undefined ? null : holdState(this.#pod, { mode, celsius, range });
    if (state === null) throw new CloudError("refused", `the unit has no ${mode} at ${celsius} °C any more`);
    return state;
  }

  #atOwnSetpoint(mode: PointValue): Hold | null {
    const celsius = celsiusOf(this.#pod.acState?.targetTemperature ?? null, isFahrenheit(this.#pod));
    if (celsius === null) return null;
    if (mode === "HEAT") return { mode, heat: celsius };
    return mode === "COOL" ? { mode, cool: celsius } : null;
  }

  /** What it is set to goes back with it, but for a temperature that it does not take. */
  #ownState(): Readonly<Record<string, unknown>> {
    const { acState } = this.#pod;
    const { targetTemperature = null } = acState ?? {};
    const isF = isFahrenheit(this.#pod);
    const isTaken = this.controls.some(
      ({ range }) => targetTemperature !== null && range !== undefined && isWithin(targetTemperature, range, isF),
    );
    return withoutTime(acState === null || isTaken ? acState : { ...acState, targetTemperature: null });
  }
}

/** The reported state, as it is sent back. */
function withoutTime(state: Pod["acState"]): Readonly<Record<string, unknown>> {
  const entries = Object.entries(state ?? {}).filter(([name, value]) => name !== "timestamp" && value !== null);
  return Object.fromEntries(entries);
}

function identityOf(pod: Pod): DeviceIdentity {
  const { room, productModel: model, serial, firmwareVersion: version } = pod;
  const [heats, cools] = [rangeOf(pod, "HEAT") !== null, rangeOf(pod, "COOL") !== null];
  const category = heats && cools ? "HEAT_PUMP" : heats ? "HEATING" : cools ? "COOLING" : null;
  return { manufacturer: "Sensibo", model, serial, version, name: room?.name ?? null, category };
}

/** Its automatic mode has one temperature, so it is only shown. */
function controlsOf(pod: Pod): readonly CloudControl[] {
  const keeps = { holdMs: null, safeDefault: null, caveat: INFRARED, confidence: "cross-checked" } as const;
  const [heat, cool] = [rangeOf(pod, "HEAT"), rangeOf(pod, "COOL")];
  const values: readonly PointValue[] = [
    "OFF",
    ...(cool === null ? [] : (["COOL"] as const)),
    ...(heat === null ? [] : (["HEAT"] as const)),
  ];
  return [
    { point: "hvac.mode", values, ...keeps },
    ...(heat === null ? [] : [{ point: "hvac.heatSetpoint" as const, range: heat, ...keeps }]),
    ...(cool === null ? [] : [{ point: "hvac.coolSetpoint" as const, range: cool, ...keeps }]),
  ];
}

/** Empty while the sender is offline. Whether the compressor runs, nobody can tell of a unit that is on. */
function readingsOf(pod: Pod): readonly CloudReading[] {
  const { connectionStatus, acState, measurements } = pod;
  if (connectionStatus?.isAlive !== true) return [];
  const mode = modeOf(acState);
  const setpoint = celsiusOf(acState?.targetTemperature ?? null, isFahrenheit(pod));
  return [
    { point: "hvac.mode", value: mode },
    { point: "hvac.heatSetpoint", value: mode === "HEAT" || mode === "AUTO" ? setpoint : null },
    { point: "hvac.coolSetpoint", value: mode === "COOL" || mode === "AUTO" ? setpoint : null },
    { point: "hvac.temperature", value: measurements?.temperature ?? null, ...isoMeasuredAt(measurements?.time?.time) },
    { point: "hvac.isActive", value: mode === "OFF" ? false : null },
  ];
}
