/** ecobee's cloud: PINs, the summary with its revisions, thermostats that follow holds and programmes. */
import type { Clock } from "../../../src/platform/ports/ports.ts";
import type { SimWebAnswer } from "../../../src/testing/network/sim-web.ts";
import { type AskedOfTwin, CloudTwin, jsonAnswer } from "./cloud-twin.ts";
import { TokenDesk } from "./token-desk.ts";

const OK = { status: { code: 0, message: "" } };
const MODES = ["auto", "auxHeatOnly", "cool", "heat", "off"];

export interface EcobeeTwinThermostat {
  readonly identifier: string | number;
  name: string;
  isConnected: boolean;
  /** Tenths of °F. */
  temperature: number;
  /** Of the programme. */
  climate: { heat: number; cool: number };
  hold: { heat: number; cool: number; start: string; end: string; type: string } | null;
  equipment: string;
  settings: Record<string, unknown> & { hvacMode: string };
}

export function ecobeeThermostat(changes: Partial<EcobeeTwinThermostat> = {}): EcobeeTwinThermostat {
  const settings = {
    hvacMode: "auto",
    heatStages: 1,
    coolStages: 1,
    hasHeatPump: false,
    autoHeatCoolFeatureEnabled: true,
    heatCoolMinDelta: 50,
    heatRangeLow: 450,
    heatRangeHigh: 790,
    coolRangeLow: 650,
    coolRangeHigh: 920,
  };
  return {
    identifier: "311019854581",
    name: "Hall",
    isConnected: true,
    temperature: 716,
    climate: { heat: 680, cool: 770 },
    hold: null,
    equipment: "heatPump,fan",
    settings,
    ...changes,
  };
}

export class EcobeeTwin extends CloudTwin {
  readonly hosts = ["api.ecobee.com"];
  readonly desk: TokenDesk;
  readonly thermostats = [ecobeeThermostat()];
  /** Entered by the person on ecobee's site. */
  readonly enteredPins: string[] = [];
  /** When the thermostats told of themselves, wall-clock ms; null: as in the documentation's example. */
  measuredAtMs: number | null = null;
  /** False: the PIN's time is over. */
  arePinsGood = true;
  /** Between two tries of a PIN, s. */
  pinIntervalS = 30;
  #pins = 0;
  #revision = 0;

  constructor(clock: Clock) {
    super(clock);
    this.desk = new TokenDesk({ clock, accessMs: 3_600_000, refreshMs: 365 * 86_400_000, rotates: true });
  }

  /** Something changed at the house: what a summary is asked for. */
  changed(): void {
    this.#revision += 1;
  }

  protected override answer(asked: AskedOfTwin): SimWebAnswer {
    const { url, method, json } = asked;
    if (url.pathname === "/authorize") return this.#newPin();
    if (url.pathname === "/token") return this.#token(url.searchParams);
    // An expired token is HTTP 500, with a code.
    if (!this.desk.accepts(asked.request.headers["authorization"]))
      return failure(14, "Authentication token has expired.");
    if (url.pathname === "/1/thermostatSummary") return this.#summary(url);
    if (url.pathname !== "/1/thermostat") return jsonAnswer({ status: { code: 4, message: "unknown" } }, 404);
    if (method === "POST") return this.#change(json as Change);
    if (!selectionIn(url)) return failure(7, "Validation error.");
    return jsonAnswer({
      page: { page: 1, totalPages: 1 },
      thermostatList: this.thermostats.map((one) => details(one, this.measuredAtMs)),
      ...OK,
    });
  }

  #newPin(): SimWebAnswer {
    this.#pins += 1;
    const pin = `PIN${this.#pins}`;
    return jsonAnswer({
      ecobeePin: pin,
      code: `code-${pin}`,
      scope: "smartWrite",
      expires_in: 9,
      interval: this.pinIntervalS,
    });
  }

  #token(query: URLSearchParams): SimWebAnswer {
    const refused = (error: string) => jsonAnswer({ error, error_description: "" }, 401);
    if (query.get("client_id") !== "client-1") return refused("invalid_client");
    if (query.get("grant_type") === "refresh_token") {
      const renewed = this.desk.renew(query.get("refresh_token"));
      return renewed === null ? refused("invalid_grant") : jsonAnswer(renewed);
    }
    if (!this.arePinsGood) return refused("authorization_expired");
    const isEntered = this.enteredPins.includes((query.get("code") ?? "").replace("code-", ""));
    return isEntered ? jsonAnswer(this.desk.issue()) : refused("authorization_pending");
  }

  #summary(url: URL): SimWebAnswer {
    if (!selectionIn(url)) return failure(7, "Validation error.");
    const line = ({ identifier, name, isConnected }: EcobeeTwinThermostat) =>
      `${identifier}:${name}:${isConnected}:${this.#revision}:0:${this.#revision}:${this.asked.length}`;
    const status = ({ identifier, equipment }: EcobeeTwinThermostat) => `${identifier}:${equipment}`;
    const lists = { revisionList: this.thermostats.map(line), statusList: this.thermostats.map(status) };
    return jsonAnswer({ thermostatCount: this.thermostats.length, ...lists, ...OK });
  }

  #change({ selection, functions = [], thermostat }: Change): SimWebAnswer {
    const found = this.thermostats.find(({ identifier }) => String(identifier) === selection?.selectionMatch);
    if (found === undefined || selection?.selectionType !== "thermostats") return failure(9, "Invalid selection.");
    for (const { type, params } of functions) {
      const problem = type === "setHold" ? hold(found, params) : type === "resumeProgram" ? resume(found) : "unknown";
      if (problem !== null) return failure(12, problem);
    }
    const { hvacMode } = thermostat?.settings ?? {};
    if (hvacMode !== undefined) {
      if (!MODES.includes(hvacMode)) return failure(7, "hvacMode");
      found.settings.hvacMode = hvacMode;
    }
    this.changed();
    return jsonAnswer(OK);
  }
}

interface Change {
  readonly selection?: { readonly selectionType: string; readonly selectionMatch: string };
  readonly functions?: readonly { readonly type: string; readonly params: Readonly<Record<string, unknown>> }[];
  readonly thermostat?: { readonly settings?: { readonly hvacMode?: string } };
}

function failure(code: number, message: string): SimWebAnswer {
  return jsonAnswer({ status: { code, message } }, 500);
}

function selectionIn(url: URL): boolean {
  const { selection } = JSON.parse(url.searchParams.get("json") ?? "{}") as { selection?: { selectionType?: string } };
  return selection?.selectionType === "registered";
}

/** A hold wants both temperatures, whole tenths within the ranges; the distance counts in auto. */
function hold(found: EcobeeTwinThermostat, params: Readonly<Record<string, unknown>>): string | null {
  const { heatHoldTemp: heat, coolHoldTemp: cool, holdType } = params;
  if (typeof heat !== "number" || typeof cool !== "number") return "both hold temperatures are required";
  const { heatRangeLow, heatRangeHigh, coolRangeLow, coolRangeHigh } = found.settings;
  const isOutside = (value: number, low: unknown, high: unknown) => value < Number(low) || value > Number(high);
  if (!Number.isInteger(heat) || !Number.isInteger(cool)) return "temperatures are integers";
  if (isOutside(heat, heatRangeLow, heatRangeHigh) || isOutside(cool, coolRangeLow, coolRangeHigh)) return "range";
  const end = holdType === "indefinite" ? "2035-01-01" : "2026-06-21";
  found.hold = { heat, cool, start: "2026-06-21", end, type: "hold" };
  return null;
}

function utcText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

function resume(found: EcobeeTwinThermostat): null {
  found.hold = null;
  return null;
}

function details(
  { identifier, name, isConnected, temperature, climate, hold, equipment, settings }: EcobeeTwinThermostat,
  measuredAtMs: number | null,
): unknown {
  const { heat, cool } = hold ?? climate;
  return {
    identifier,
    name,
    modelNumber: "vulcanSmart",
    runtime: {
      connected: isConnected,
      lastStatusModified: measuredAtMs === null ? "2026-06-20 23:55:00" : utcText(measuredAtMs),
      actualTemperature: temperature,
      desiredHeat: heat,
      desiredCool: cool,
    },
    settings,
    equipmentStatus: equipment,
    events:
      hold === null
        ? [{ type: "vacation", name: "Sea", running: false, startDate: "2026-08-01", endDate: "2026-08-14" }]
        : [{ type: hold.type, name: "auto", running: true, startDate: hold.start, endDate: hold.end }],
  };
}
