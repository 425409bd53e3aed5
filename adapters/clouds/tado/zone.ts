import type { ControlPoint, DeviceIdentity, HoldType, HvacMode, PointName, PointValue } from "hemgate/sdk";
import type { CloudControl, CloudDevice, CloudReading, CloudSession } from "../kit/connector.ts";
import { completed, isoMeasuredAt } from "../kit/device/completed-readings.ts";
import { type Hold, HoldWriter } from "../kit/device/hold-writer.ts";
import { lookup } from "../kit/device/lookup.ts";
import { fitting } from "../kit/device/parsed.ts";
import { outdateLacking } from "../kit/session/account-list.ts";
import { CloudError } from "../kit/session/cloud-error.ts";
import { SharedReads } from "../kit/session/shared-reads.ts";
import { acExtras, steppedSetpoint } from "./ac-setting.ts";
import { BUDGET, MY, type TadoAccount } from "./account.ts";
import { Capabilities, type Temperatures, type Zone, ZoneState, ZoneStates, Zones } from "./schemas.ts";

const MODES: Readonly<Record<string, HvacMode>> = { HEAT: "HEAT", COOL: "COOL", AUTO: "AUTO" };
const TYPES = new Set(["HEATING", "AIR_CONDITIONING"]);

/** Zones that heat or cool rooms; hot water is left out. */
export async function zonesOf(account: TadoAccount, home: number, signal: AbortSignal): Promise<readonly Zone[]> {
  const zones = await account.details(zonesUrl(home), Zones, signal);
  return zones.filter(({ type }) => TYPES.has(type));
}

/** Opens a zone of a home that is not of the X line. */
export async function openZone(
  session: CloudSession,
  account: TadoAccount,
  place: { readonly home: number; readonly id: number },
  signal: AbortSignal,
): Promise<CloudDevice> {
  const { home, id } = place;
  const zone = (await zonesOf(account, home, signal)).find((each) => each.id === id);
  if (zone === undefined) {
    outdateLacking(session, zonesUrl(home));
    throw new CloudError("refused", `tado home ${home} has no zone ${id} any more`);
  }
  const url = `${zonesUrl(home)}/${id}`;
  const capabilities = await account.details(`${url}/capabilities`, Capabilities, signal);
  const reads = await SharedReads.join(session, { key: `home ${home}`, device: String(id) }, signal);
  return new TadoZone(session, {
    account,
    zone,
    url,
    statesUrl: `${MY}/homes/${home}/zoneStates`,
    capabilities,
    reads,
  });
}

function zonesUrl(home: number): string {
  return `${MY}/homes/${home}/zones`;
}

interface ZoneParts {
  readonly account: TadoAccount;
  readonly zone: Zone;
  readonly url: string;
  readonly statesUrl: string;
  readonly capabilities: Capabilities;
  readonly reads: SharedReads;
}

class TadoZone implements CloudDevice {
  readonly identity: DeviceIdentity;
  readonly points: readonly PointName[];
  readonly controls: readonly CloudControl[];
  readonly #parts: ZoneParts;
  readonly #writer: HoldWriter;
  #state: ZoneState | null = null;

  constructor({ clock }: CloudSession, parts: ZoneParts) {
    this.#parts = parts;
    this.identity = identityOf(parts.zone);
    this.controls = controlsOf(parts.capabilities);
    this.points = pointsOf(parts.capabilities);
    this.#writer = new HoldWriter({ clock, controls: this.controls, send: (hold, signal) => this.#send(hold, signal) });
  }

  get cost() {
    return { [BUDGET]: this.#parts.reads.share };
  }

  async read(signal: AbortSignal): Promise<readonly CloudReading[]> {
    const { account, zone, statesUrl, reads } = this.#parts;
    const { zoneStates } = await account.state(statesUrl, ZoneStates, reads.freshMs(), signal);
    const [state] = fitting(ZoneState, [zoneStates[zone.id]]);
    this.#state = state ?? null;
    const readings = state === undefined || state.link?.state !== "ONLINE" ? [] : readingsOf(state);
    return this.#writer.noted(reads.dated(completed(this.points, readings), statesUrl));
  }

  async write(...[point, value, signal]: Parameters<CloudDevice["write"]>): Promise<void> {
    await this.#writer.write(point, value, this.#shown, signal);
  }

  get #shown(): HvacMode {
    return this.#state === null ? "UNKNOWN" : modeOf(this.#state);
  }

  takesBack(point: ControlPoint, value: PointValue): boolean {
    return this.#writer.takesBack(point, value, this.#shown);
  }

  wantsRead(): boolean {
    return this.#parts.reads.isBehind(this.#parts.statesUrl);
  }

  tempo() {
    return this.#writer.tempo();
  }

  async #send(hold: Hold, signal: AbortSignal): Promise<void> {
    const { account, statesUrl } = this.#parts;
    const url = `${this.#parts.url}/overlay`;
    if (hold.mode === "SCHEDULE") {
      await account.command({ method: "DELETE", url }, statesUrl, signal);
      return;
    }
    const json = { setting: this.#setting(hold), termination: { type: "MANUAL" } };
    await account.command({ method: "PUT", url, body: { json } }, statesUrl, signal);
  }

  #setting(hold: Exclude<Hold, { mode: "SCHEDULE" }>): Readonly<Record<string, unknown>> {
    const { capabilities } = this.#parts;
    const { type } = capabilities;
    if (hold.mode === "OFF") return { type, power: "OFF" };
    if (hold.mode === "AUTO") throw new CloudError("refused", "tado's automatic mode has one temperature, not two");
    const celsius = steppedSetpoint(
      hold.mode === "HEAT" ? hold.heat : hold.cool,
      temperaturesOf(hold.mode, capabilities),
    );
    const setting = { type, power: "ON", temperature: { celsius } };
    if (type === "HEATING") return setting;
    return {
      ...setting,
      mode: hold.mode,
      ...acExtras(hold.mode, capabilities, this.#state?.setting ?? noSetting(type)),
    };
  }
}

function noSetting(type: string) {
  return { type, power: null };
}

function identityOf({ name, devices: [leader], type }: Zone): DeviceIdentity {
  return {
    manufacturer: "tado°",
    model: leader?.deviceType ?? null,
    serial: leader?.serialNo ?? null,
    version: leader?.currentFwVersion ?? null,
    name,
    category: type === "HEATING" ? "HEATING" : null,
  };
}

function temperaturesOf(mode: "HEAT" | "COOL", capabilities: Capabilities): Temperatures {
  return capabilities.type === "HEATING" ? capabilities.temperatures : (capabilities[mode]?.temperatures ?? null);
}

/** What cools or heats at a temperature can be held there; its AUTO has one temperature, so it is only shown. */
function controlsOf(capabilities: Capabilities): readonly CloudControl[] {
  const keeps = { holdMs: null, safeDefault: null, confidence: "cross-checked" } as const;
  const heat = capabilities.type === "HEATING" || capabilities.HEAT !== null ? rangeOf("HEAT", capabilities) : null;
  const cool = capabilities.type === "HEATING" ? null : rangeOf("COOL", capabilities);
  const modes: PointValue[] = [
    "OFF",
    ...(cool === null ? [] : ["COOL" as const]),
    ...(heat === null ? [] : ["HEAT" as const]),
  ];
  return [
    { point: "hvac.mode", values: modes, ...keeps },
    { point: "hvac.holdType", values: ["PERMANENT", "SCHEDULED"], ...keeps },
    ...(heat === null ? [] : [{ point: "hvac.heatSetpoint" as const, range: heat, ...keeps }]),
    ...(cool === null ? [] : [{ point: "hvac.coolSetpoint" as const, range: cool, ...keeps }]),
  ];
}

function rangeOf(mode: "HEAT" | "COOL", capabilities: Capabilities): { min: number; max: number } | null {
  const temperatures = temperaturesOf(mode, capabilities);
  return temperatures === null ? null : { min: temperatures.celsius.min, max: temperatures.celsius.max };
}

function pointsOf({ type }: Capabilities): readonly PointName[] {
  const cools = type === "HEATING" ? [] : (["hvac.coolSetpoint"] as const);
  return ["hvac.mode", "hvac.holdType", "hvac.heatSetpoint", ...cools, "hvac.temperature", "hvac.isActive"];
}

/** DRY and FAN have no equal; so are modes that are made later. */
function modeOf({ setting }: ZoneState): HvacMode {
  if (setting.power === "OFF") return "OFF";
  if (setting.power !== "ON") return "UNKNOWN";
  if (setting.type === "HEATING") return "HEAT";
  return lookup(MODES, setting.mode) ?? "UNKNOWN";
}

/** A hold that ends by itself, after a while or with the schedule's next block, is neither of the two. */
function holdTypeOf({ overlay, overlayType }: ZoneState): HoldType | null {
  if (overlay === null && overlayType === null) return "SCHEDULED";
  return overlay?.termination?.type === "MANUAL" ? "PERMANENT" : null;
}

function readingsOf(state: ZoneState): readonly CloudReading[] {
  const { setting, activityDataPoints, sensorDataPoints } = state;
  const mode = modeOf(state);
  const setpoint = setting.temperature?.celsius ?? null;
  const { heatingPower, acPower } = activityDataPoints;
  const inside = sensorDataPoints.insideTemperature;
  const active = heatingPower ?? acPower;
  return [
    { point: "hvac.mode", value: mode },
    { point: "hvac.holdType", value: holdTypeOf(state) },
    { point: "hvac.heatSetpoint", value: mode === "HEAT" || mode === "AUTO" ? setpoint : null },
    { point: "hvac.coolSetpoint", value: mode === "COOL" || mode === "AUTO" ? setpoint : null },
    { point: "hvac.temperature", value: inside?.celsius ?? null, ...isoMeasuredAt(inside?.timestamp) },
    { point: "hvac.isActive", value: isActive(state), ...isoMeasuredAt(active?.timestamp) },
  ];
}

/** Drying and ventilating are neither heating nor cooling. */
function isActive(state: ZoneState): boolean | null {
  const { heatingPower, acPower } = state.activityDataPoints;
  if (heatingPower?.percentage != null) return heatingPower.percentage > 0;
  if (acPower?.value === "OFF") return false;
  if (acPower?.value !== "ON") return null;
  return state.setting.mode !== "DRY" && state.setting.mode !== "FAN";
}
