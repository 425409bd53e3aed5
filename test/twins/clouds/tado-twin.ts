/** tado's cloud: a home of older zones, a home of the X line, and the login by device code. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

const DAY_MS = 86_400_000;
const NOT_FOUND = jsonAnswer({ errors: [{ code: "notFound", title: "not found" }] }, 404);
const DONE: SimWebAnswer = { status: 204 };
const AC_MODES = ["COOL", "HEAT", "AUTO", "DRY", "FAN"];

export interface TadoSetting {
  type?: string;
  power: string;
  mode?: string;
  temperature?: { celsius: number } | { value: number } | null;
  [extra: string]: unknown;
}

export interface TadoOverlay {
  setting: TadoSetting;
  termination: { type: string };
}

/** A zone, or a room of the X line. */
export interface TadoTwinZone {
  readonly id: number;
  readonly name: string;
  readonly type: "HEATING" | "AIR_CONDITIONING" | "HOT_WATER";
  schedule: TadoSetting;
  overlay: TadoOverlay | null;
  /** °C; null: no sensor. */
  temperature: number | null;
  /** %; of an air conditioner above 0 is on. Null: not told. */
  activity: number | null;
  isOnline: boolean;
}

export function tadoZone(id: number, changes: Partial<TadoTwinZone> = {}): TadoTwinZone {
  const schedule = { type: "HEATING", power: "ON", temperature: { celsius: 20 } };
  const shared = { overlay: null, temperature: 19.52, activity: 34, isOnline: true } as const;
  return { id, name: `Zone ${id}`, type: "HEATING", schedule, ...shared, ...changes };
}

const MEASURED_AT = "2026-06-20T23:57:02.553Z";
const HEATING = { type: "HEATING", temperatures: { celsius: { min: 5, max: 25, step: 0.1 } } };
const STEPPED = { celsius: { min: 16, max: 30, step: 1 } };
const AC_MODE = { temperatures: STEPPED, fanLevel: ["AUTO", "LEVEL1"], verticalSwing: ["ON", "OFF"] };
const AIR_CONDITIONING = {
  type: "AIR_CONDITIONING",
  COOL: AC_MODE,
  HEAT: { ...AC_MODE, fanLevel: ["LEVEL1", "LEVEL2"] },
  AUTO: { temperatures: STEPPED },
  DRY: {},
  FAN: { fanLevel: ["AUTO", "LEVEL1"] },
};

export class TadoTwin extends CloudTwin {
  readonly hosts = ["login.tado.com", "my.tado.com", "hops.tado.com"];
  readonly desk: TokenDesk;
  readonly zones = [tadoZone(1), tadoZone(2, { name: "Bath" })];
  /** Of the home of the X line; their setpoints are `value`s. */
  readonly rooms = [tadoZone(1, { name: "Loft", schedule: { power: "ON", temperature: { value: 18.5 } } })];
  /** What the person said on tado's page. */
  answerOfPerson: "none" | "approved" | "denied" = "none";
  /** How long a code can be entered, s. */
  codeLifeS = 300;
  limit = 100;
  /** When the sensors measured, wall-clock ms; null: as in the documentation's example. */
  measuredAtMs: number | null = null;
  #used = 0;
  /** Monotonic ms. */
  #codeEndsAtMs = 0;
  #resetsAtMs: number;

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: 599_000, refreshMs: 30 * DAY_MS, rotates: true });
    this.#resetsAtMs = clock.monotonicMs() + DAY_MS / 2;
  }

  protected override answer(asked: AskedOfTwin): SimWebAnswer {
    if (asked.url.host === "login.tado.com") return this.#login(asked);
    if (!this.desk.accepts(asked.request.headers["authorization"])) {
      return jsonAnswer({ errors: [{ code: "unauthorized", title: "Full authentication is required" }] }, 401);
    }
    while (this.clock.monotonicMs() >= this.#resetsAtMs)
      [this.#used, this.#resetsAtMs] = [0, this.#resetsAtMs + DAY_MS];
    if (this.#used >= this.limit) return this.limited(asked);
    this.#used += 1;
    const answer = asked.url.host === "hops.tado.com" ? this.#hops(asked) : this.#my(asked);
    const counts = { "ratelimit-policy": `"perday";q=${this.limit};w=86400`, ratelimit: `"perday";r=${this.#left()}` };
    return { ...answer, headers: { ...answer.headers, ...counts } };
  }

  protected override limited({ url }: Pick<AskedOfTwin, "url">): SimWebAnswer {
    // The login's server knows nothing of what the API counts.
    if (url.host === "login.tado.com") return super.limited({ url });
    const headers = {
      "ratelimit-policy": `"perday";q=${this.limit};w=86400`,
      ratelimit: `"perday";r=0;t=${this.#secondsToReset()}`,
    };
    return { status: 429, headers, body: "" };
  }

  #secondsToReset(): number {
    return Math.ceil((this.#resetsAtMs - this.clock.monotonicMs()) / 1_000);
  }

  #measuredAt(): string {
    return this.measuredAtMs === null ? MEASURED_AT : new Date(this.measuredAtMs).toISOString();
  }

  /** Another app of the account asks. */
  useElsewhere(requests: number): void {
    this.#used = Math.min(this.limit, this.#used + requests);
  }

  #left(): number {
    return this.limit - this.#used;
  }

  #login({ url, form }: AskedOfTwin): SimWebAnswer {
    if (url.pathname === "/oauth2/device_authorize") {
      const verification = "https://login.tado.com/oauth2/device";
      this.answerOfPerson = "none";
      this.#codeEndsAtMs = this.clock.monotonicMs() + this.codeLifeS * 1_000;
      return jsonAnswer({
        device_code: "device-code-1",
        user_code: "7BQ5ZQ",
        verification_uri: verification,
        verification_uri_complete: `${verification}?user_code=7BQ5ZQ`,
        expires_in: this.codeLifeS,
        interval: 5,
      });
    }
    if (form.get("grant_type") === "refresh_token") {
      const renewed = this.desk.renew(form.get("refresh_token"));
      return renewed === null ? jsonAnswer({ error: "invalid_grant" }, 400) : jsonAnswer(renewed);
    }
    if (this.clock.monotonicMs() >= this.#codeEndsAtMs) return jsonAnswer({ error: "expired_token" }, 400);
    const { answerOfPerson } = this;
    if (answerOfPerson === "approved") return jsonAnswer(this.desk.issue());
    return jsonAnswer({ error: answerOfPerson === "denied" ? "access_denied" : "authorization_pending" }, 400);
  }

  #my({ method, url, json }: AskedOfTwin): SimWebAnswer {
    const path = url.pathname.replace("/api/v2", "");
    if (path === "/me") {
      return jsonAnswer({
        name: "A. Person",
        homes: [
          { id: 11, name: "House" },
          { id: 22, name: "Cabin" },
        ],
      });
    }
    if (path === "/homes/11") return jsonAnswer({ id: 11, name: "House", generation: "PRE_LINE_X" });
    if (path === "/homes/22") return jsonAnswer({ id: 22, name: "Cabin", generation: "LINE_X" });
    if (path === "/homes/11/zones") return jsonAnswer(this.zones.map(zoneDetails));
    if (path === "/homes/11/zoneStates") {
      return jsonAnswer({
        zoneStates: Object.fromEntries(this.zones.map((zone) => [zone.id, zoneState(zone, this.#measuredAt())])),
      });
    }
    const [, id, what] = /^\/homes\/11\/zones\/(\d+)\/(capabilities|overlay)$/.exec(path) ?? [];
    const zone = this.zones.find((each) => each.id === Number(id));
    if (zone === undefined) return NOT_FOUND;
    if (what === "capabilities") return jsonAnswer(zone.type === "HEATING" ? HEATING : AIR_CONDITIONING);
    if (method !== "DELETE") return putOverlay(zone, json as TadoOverlay);
    zone.overlay = null;
    return DONE;
  }

  #hops({ method, url, json }: AskedOfTwin): SimWebAnswer {
    if (url.pathname === "/homes/22/rooms" && method === "GET") return jsonAnswer(this.rooms.map(roomState));
    const [, id, what] = /^\/homes\/22\/rooms\/(\d+)\/(manualControl|resumeSchedule)$/.exec(url.pathname) ?? [];
    const room = this.rooms.find((each) => each.id === Number(id));
    if (room === undefined || method !== "POST") return NOT_FOUND;
    room.overlay = what === "manualControl" ? (json as TadoOverlay) : null;
    return DONE;
  }
}

function zoneDetails({ id, name, type }: TadoTwinZone) {
  const device = { deviceType: type === "AIR_CONDITIONING" ? "WR02" : "VA02", serialNo: `VA${1_000 + id}` };
  return { id, name, type, devices: [{ ...device, currentFwVersion: "95.1", duties: ["ZONE_LEADER"] }] };
}

/** Refuses what tado refuses: a power that is on without a temperature, a mode without what its capabilities list. */
function putOverlay(zone: TadoTwinZone, overlay: TadoOverlay): SimWebAnswer {
  const { setting, termination } = overlay;
  const invalid = (title: string) => jsonAnswer({ errors: [{ code: "invalidInput", title }] }, 422);
  if (setting.type !== zone.type || termination?.type === undefined) return invalid("setting type or termination");
  if (setting.power === "ON") {
    const { temperatures, ...listed } = capabilitiesFor(zone, setting);
    const celsius =
      setting.temperature != null && "celsius" in setting.temperature ? setting.temperature.celsius : null;
    const range = temperatures?.celsius;
    const isOff = range !== undefined && (celsius === null || celsius < range.min || celsius > range.max);
    if (isOff || (celsius !== null && range?.step === 1 && !Number.isInteger(celsius))) return invalid("temperature");
    const wrong = Object.entries(listed).find(([name, values]) => !values.includes(String(setting[name])));
    if (wrong !== undefined) return invalid(`setting ${wrong[0]} is required or not supported`);
    if (zone.type === "AIR_CONDITIONING" && !AC_MODES.includes(setting.mode ?? "")) return invalid("mode");
  }
  zone.overlay = overlay;
  return jsonAnswer({ type: "MANUAL", ...overlay });
}

interface ModeCapabilities {
  readonly temperatures?: { readonly celsius: { readonly min: number; readonly max: number; readonly step: number } };
  readonly fanLevel?: readonly string[];
  readonly verticalSwing?: readonly string[];
}

function capabilitiesFor({ type }: TadoTwinZone, { mode }: TadoSetting): ModeCapabilities {
  if (type === "HEATING") return { temperatures: HEATING.temperatures };
  const modes: Readonly<Record<string, ModeCapabilities | string>> = AIR_CONDITIONING;
  const found = modes[mode ?? ""];
  return typeof found === "object" ? found : {};
}

function zoneState({ type, schedule, overlay, temperature, activity, isOnline }: TadoTwinZone, timestamp: string) {
  const heatingPower = { type: "PERCENTAGE", percentage: activity, timestamp };
  const acPower = { type: "POWER", value: (activity ?? 0) > 0 ? "ON" : "OFF", timestamp };
  const activityDataPoints = type === "HEATING" ? { heatingPower } : { acPower };
  return {
    tadoMode: "HOME",
    setting: overlay?.setting ?? schedule,
    overlayType: overlay === null ? null : "MANUAL",
    overlay: overlay === null ? null : { type: "MANUAL", ...overlay },
    link: { state: isOnline ? "ONLINE" : "OFFLINE" },
    activityDataPoints: activity === null ? {} : activityDataPoints,
    sensorDataPoints:
      temperature === null ? {} : { insideTemperature: { celsius: temperature, timestamp, type: "TEMPERATURE" } },
  };
}

function roomState({ id, name, schedule, overlay, temperature, activity, isOnline }: TadoTwinZone) {
  return {
    id,
    name,
    sensorDataPoints: { insideTemperature: { value: temperature }, humidity: { percentage: 51 } },
    setting: overlay?.setting ?? schedule,
    manualControlTermination: overlay === null ? null : { ...overlay.termination, remainingTimeInSeconds: null },
    boostMode: null,
    heatingPower: { percentage: activity },
    connection: { state: isOnline ? "CONNECTED" : "DISCONNECTED" },
    openWindow: null,
  };
}
