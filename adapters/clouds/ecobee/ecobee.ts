import { type DeviceIdentity, HOUR_MS, type HvacMode, type PointName } from "hemgate/sdk";
import type {
  CloudAnswer,
  CloudConnector,
  CloudControl,
  CloudDevice,
  CloudListing,
  CloudReading,
  CloudSession,
} from "../kit/connector.ts";
import { completed } from "../kit/device/completed-readings.ts";
import { type Hold, HoldWriter } from "../kit/device/hold-writer.ts";
import { lookup } from "../kit/device/lookup.ts";
import { CloudError, type CloudErrorKind } from "../kit/session/cloud-error.ts";
import { SharedReads } from "../kit/session/shared-reads.ts";
import { BUDGET, EcobeeAccount, STATE_KEY } from "./account.ts";
import { tenthsOf } from "./fahrenheit.ts";
import { login } from "./login.ts";
import { OAuthRefusal, Status, type Thermostat } from "./schemas.ts";
import { controlsOf, identityOf, modeOf, readingsOf } from "./thermostat-state.ts";

/** For which thermostats there are, what was read lately is good enough, ms. */
const LISTED_MS = 60_000;

/**
 * ecobee thermostats, by the API at developer.ecobee.com. It has no power readings. New developer keys are not given out
 * any more; who has one links with it.
 */
export const ecobee: CloudConnector = {
  id: "ecobee",
  vendors: ["ECOBEE"],
  types: ["hvac"],
  displayName: "ecobee",
  portalName: "ecobee.com",
  hosts: ["api.ecobee.com"],
  login,
  needsApp: true,
  budgets: [
    {
      name: BUDGET,
      limit: 90,
      windowMs: HOUR_MS,
      scope: "account",
      window: "sliding",
      reserved: { command: 20, login: 5 },
      source: "ecobee publishes no number; it wants a summary every three minutes and details when that changed",
      confidence: "unverified",
    },
  ],
  pace: { active: 60_000, usual: 180_000, idle: 300_000 },
  errorOf,
  list,
  open: openThermostat,
};

/** Codes of https://developer.ecobee.com, "API response codes"; they come with HTTP 500 or 200. */
const KINDS: Readonly<Record<number, CloudErrorKind>> = {
  1: "login-refused",
  2: "forbidden",
  3: "unavailable",
  14: "expired",
  16: "login-refused",
};
const OAUTH_KINDS: Readonly<Record<string, CloudErrorKind>> = {
  authorization_pending: "refused",
  slow_down: "refused",
  authorization_expired: "login-refused",
  invalid_client: "login-refused",
  invalid_grant: "login-refused",
};

function errorOf({ body }: CloudAnswer): CloudErrorKind | null {
  const refusal = OAuthRefusal.safeParse(body);
  if (refusal.success) return lookup(OAUTH_KINDS, refusal.data.error);
  const status = Status.safeParse(body);
  if (!status.success || status.data.status.code === 0) return null;
  return KINDS[status.data.status.code] ?? "refused";
}

async function list(session: CloudSession, signal: AbortSignal): Promise<readonly CloudListing[]> {
  const account = await EcobeeAccount.of(session, signal);
  return [...(await account.thermostats(LISTED_MS, signal))].map(([key, { name, modelNumber: model }]) => ({
    key,
    types: ["hvac"],
    name,
    model,
    detail: key,
  }));
}

async function openThermostat(session: CloudSession, key: string, signal: AbortSignal): Promise<CloudDevice> {
  const account = await EcobeeAccount.of(session, signal);
  const thermostat = (await account.thermostats(LISTED_MS, signal)).get(key);
  if (thermostat === undefined) throw new CloudError("refused", `the account has no thermostat ${key} any more`);
  const reads = await SharedReads.join(session, { key: "thermostats", device: key }, signal);
  return new EcobeeThermostat(session, { account, key, thermostat, reads });
}

interface ThermostatParts {
  readonly account: EcobeeAccount;
  readonly key: string;
  readonly thermostat: Thermostat;
  readonly reads: SharedReads;
}

class EcobeeThermostat implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly controls: readonly CloudControl[];
  readonly points: readonly PointName[] = [
    "hvac.mode",
    "hvac.holdType",
    "hvac.heatSetpoint",
    "hvac.coolSetpoint",
    "hvac.temperature",
    "hvac.isActive",
  ];
  readonly #parts: ThermostatParts;
  readonly #writer: HoldWriter;
  #thermostat: Thermostat;
  /** ecobee's word for the mode before it was off; null: it was off ever since. */
  #lastMode: string | null = null;

  constructor({ clock }: CloudSession, parts: ThermostatParts) {
    this.#parts = parts;
    this.#thermostat = parts.thermostat;
    this.#noteMode();
    this.identity = identityOf(parts.thermostat);
    this.controls = controlsOf(parts.thermostat);
    this.#writer = new HoldWriter({ clock, controls: this.controls, send: (hold, signal) => this.#send(hold, signal) });
  }

  /** The summary, and the details about every other time. */
  get cost() {
    return { [BUDGET]: 1.5 * this.#parts.reads.share };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const { account, key, reads } = this.#parts;
    const thermostat = (await account.thermostats(reads.freshMs(), signal)).get(key);
    if (thermostat !== undefined) {
      this.#thermostat = thermostat;
      this.#noteMode();
    }
    const readings = completed(this.points, thermostat === undefined ? [] : readingsOf(thermostat));
    return this.#writer.noted(reads.dated(readings, STATE_KEY));
  }

  async write(...[point, value, signal]: Parameters<CloudDevice["write"]>): Promise<void> {
    await this.#writer.write(point, value, modeOf(this.#thermostat), signal);
  }

  wantsRead(): boolean {
    return this.#parts.reads.isBehind(STATE_KEY);
  }

  tempo() {
    return this.#writer.tempo();
  }

  #noteMode(): void {
    if (modeOf(this.#thermostat) !== "OFF") this.#lastMode = this.#thermostat.settings.hvacMode;
  }

  async #send(hold: Hold, signal: AbortSignal): Promise<void> {
    const change =
      hold.mode === "SCHEDULE" ? this.#resume() : hold.mode === "OFF" ? settings("off") : this.#permanent(hold);
    await this.#parts.account.command(this.#parts.key, change, signal);
  }

  #resume() {
    const functions = [{ type: "resumeProgram", params: { resumeAll: true } }];
    if (modeOf(this.#thermostat) !== "OFF") return { functions };
    if (this.#lastMode === null)
      throw new CloudError("refused", "it is off: a mode for its schedule has to be set first");
    return { functions, ...settings(this.#lastMode) };
  }

  /** A hold has both temperatures; the one that its mode does not use is the other, as far as its range lets it. */
  #permanent(hold: Extract<Hold, { mode: "HEAT" | "COOL" | "AUTO" }>) {
    const { heatCoolMinDelta } = this.#thermostat.settings;
    // As they were when it was opened: the ranges that its controls have.
    const { heatRangeLow, heatRangeHigh, coolRangeLow, coolRangeHigh } = this.#parts.thermostat.settings;
    const heat = tenthsOf(hold.mode === "COOL" ? hold.cool : hold.heat);
    const cool = tenthsOf(hold.mode === "HEAT" ? hold.heat : hold.cool);
    if (hold.mode === "AUTO" && cool - heat < (heatCoolMinDelta ?? 0)) {
      throw new CloudError("refused", `this thermostat keeps ${(heatCoolMinDelta ?? 0) / 10} °F between heat and cool`);
    }
    const params = {
      holdType: "indefinite",
      heatHoldTemp: hold.mode === "COOL" ? within(heat, heatRangeLow, heatRangeHigh) : heat,
      coolHoldTemp: hold.mode === "HEAT" ? within(cool, coolRangeLow, coolRangeHigh) : cool,
    };
    // Functions are done before the settings, in one request: the new mode never runs at the old temperatures.
    return { functions: [{ type: "setHold", params }], ...settings(WORDS[hold.mode]) };
  }
}

/** Tenths of °F. */
const FREEZING = 320;
const HOT = 1_220;
const WORDS = { HEAT: "heat", COOL: "cool", AUTO: "auto" } as const satisfies Partial<Record<HvacMode, string>>;

function settings(hvacMode: string) {
  return { thermostat: { settings: { hvacMode } } };
}

/** A range that no room has counts as missing. Tenths of °F. */
function within(value: number, low: number | null, high: number | null): number {
  const isRange = (low ?? FREEZING) <= (high ?? HOT) && (low ?? FREEZING) >= FREEZING && (high ?? HOT) <= HOT;
  return isRange ? Math.min(Math.max(value, low ?? value), high ?? HOT) : value;
}
