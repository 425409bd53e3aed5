/** What an installer decided about a device in the house's file, and nobody loosens from afar. Pure. */
import type { CircuitSettings, SiteSettings } from "../domain/energy/site/site-settings.ts";
import type { Config, DeviceConfig } from "./config.ts";
import { isNode } from "./json-schema.ts";
import { panelsOf } from "./site-problems.ts";

interface Loosened {
  readonly path: string;
  readonly problem: string;
  readonly expected: string | null;
}

/** What somebody has to have checked at the device itself. */
const CONFIRMATIONS = ["confirmUnverified", "confirmNoFailsafe"] as const;
/** Settings of a profile that are the most of something, and may be less. */
const IS_MOST = /^max[A-Z]/;

const LIMITS_OF_CONNECTION = ["phases", "fuseA", "importKw", "feedInKw", "feedInShare", "panelsKw"] as const;

/** All that devices and the connection would be allowed beyond what the file allows them. */
export function loosened(own: Config, changed: Config): readonly Loosened[] {
  const gone = own.devices.flatMap((device) => {
    const isLimited = Object.keys(settingsOf(device)).length > 0;
    if (!isLimited || changed.devices.some((each) => isSameKind(each, device))) return [];
    const problem = `"${device.id}" is missing, or another kind; the house's file limits it by settings, and only there is that taken back`;
    return [{ path: "devices", problem, expected: null }];
  });
  const beyond = changed.devices.flatMap((device, index) => {
    const before = own.devices.find((each) => isSameKind(each, device)) ?? null;
    const at = `devices[${index}]`;
    return [...newlyConfirmed(before, device, at), ...settingsBeyond(before, device, at)];
  });
  const connection = connectionBeyond(own.site.connection ?? {}, changed.site.connection ?? {});
  return [...gone, ...beyond, ...connection, ...takenOut(own, changed), ...panelsBeyond(own, changed)];
}

/** The devices that the file has behind the fuse or limit of a circuit, and that would not be behind it any more. */
function takenOut(own: Config, changed: Config): readonly Loosened[] {
  const before = own.site.connection?.circuits ?? [];
  const after = changed.site.connection?.circuits ?? [];
  const limited = before.filter(({ fuseA, maxKw }) => fuseA !== undefined || maxKw !== undefined);
  return limited.flatMap(({ id }) => {
    const index = after.findIndex((circuit) => circuit.id === id);
    if (index < 0) return [];
    const left = membersBehind(after, id);
    return membersBehind(before, id).flatMap((member) => {
      const isGone = !changed.devices.some((device) => device.id === member);
      if (isGone || left.includes(member)) return [];
      const problem = `"${member}" is behind this circuit's fuse or limit in the house's file, and only there is it taken out`;
      return [{ path: `site.connection.circuits[${index}].members`, problem, expected: null }];
    });
  });
}

/** The devices of a circuit and of those behind it. A circuit behind itself is refused before. */
function membersBehind(circuits: readonly CircuitSettings[], id: string): readonly string[] {
  const own = circuits.find((circuit) => circuit.id === id);
  const behind = circuits.filter(({ parent }) => parent === id);
  return [...(own?.members ?? []), ...behind.flatMap((circuit) => membersBehind(circuits, circuit.id))];
}

/** What may be fed in as a share of panels that the file knows by its forecast. */
function panelsBeyond(own: Config, changed: Config): readonly Loosened[] {
  const { panelsKw, feedInShare, feedInPreset } = own.site.connection ?? {};
  const isShare = feedInShare !== undefined || feedInPreset !== undefined || own.gridLimits.contacts !== undefined;
  if (!isShare || panelsKw !== undefined) return [];
  const kw = changed.site.connection?.panelsKw ?? panelsOf(changed.forecast) ?? 0;
  return raised("site.connection.panelsKw", panelsOf(own.forecast) ?? 0, kw);
}

/** The fuses and limits of the connection that the file sets: each may be lowered, not raised or removed. */
function connectionBeyond(own: SiteSettings, changed: SiteSettings): readonly Loosened[] {
  const at = "site.connection";
  const limits = LIMITS_OF_CONNECTION.flatMap((name) => raised(`${at}.${name}`, own[name], changed[name]));
  const circuits = (own.circuits ?? []).flatMap(({ id, fuseA, maxKw }) => {
    const index = (changed.circuits ?? []).findIndex((circuit) => circuit.id === id);
    const circuit = changed.circuits?.[index];
    const place = circuit === undefined ? `${at}.circuits` : `${at}.circuits[${index}]`;
    return [...raised(`${place}.fuseA`, fuseA, circuit?.fuseA), ...raised(`${place}.maxKw`, maxKw, circuit?.maxKw)];
  });
  const isPreset = own.feedInPreset !== undefined && changed.feedInPreset !== own.feedInPreset;
  const preset = isPreset
    ? [{ path: `${at}.feedInPreset`, problem: "more than the house's file allows", expected: own.feedInPreset ?? null }]
    : [];
  return [...limits, ...preset, ...circuits];
}

function raised(path: string, limit: number | undefined, value: number | undefined): readonly Loosened[] {
  if (limit === undefined || (value !== undefined && value <= limit)) return [];
  return [{ path, problem: "more than the house's file allows", expected: `a number of at most ${limit}` }];
}

/** Decisions are about what a device of this kind does with them, wherever it is reached. */
function isSameKind(one: DeviceConfig, other: DeviceConfig): boolean {
  return one.id === other.id && one.adapter === other.adapter && one["profile"] === other["profile"];
}

function newlyConfirmed(before: DeviceConfig | null, changed: DeviceConfig, at: string): readonly Loosened[] {
  return CONFIRMATIONS.flatMap((name) => {
    if (isWithin(changed[name], before?.[name])) return [];
    return [
      { path: `${at}.${name}`, problem: "confirmed in the house only, by who checked the device", expected: null },
    ];
  });
}

/** True confirms everything, a list what it names, anything else nothing. */
function isWithin(changed: unknown, allowedBefore: unknown): boolean {
  if (allowedBefore === true) return true;
  if (changed === true) return false;
  const allowed: readonly unknown[] = Array.isArray(allowedBefore) ? allowedBefore : [];
  return !Array.isArray(changed) || changed.every((name: unknown) => allowed.includes(name));
}

function settingsBeyond(before: DeviceConfig | null, changed: DeviceConfig, at: string): readonly Loosened[] {
  const own = before === null ? {} : settingsOf(before);
  const asked = settingsOf(changed);
  return [...new Set([...Object.keys(own), ...Object.keys(asked)])].flatMap((name) => {
    const limit = own[name] ?? null;
    const value = asked[name] ?? null;
    if (value === limit) return [];
    const isMost = IS_MOST.test(name) && limit !== null;
    if (isMost && value !== null && value < limit) return [];
    const expected = limit === null ? "no such setting" : isMost ? `a number of at most ${limit}` : String(limit);
    return [{ path: `${at}.settings.${name}`, problem: "more than the house's file allows", expected }];
  });
}

function settingsOf(device: DeviceConfig): Readonly<Record<string, number>> {
  const settings = device["settings"];
  if (!isNode(settings)) return {};
  return Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
}
