/** Where the power of the house comes from and goes to, so that both sides are equal. */
import { type HousePower, type KnownAsset, powerOf } from "../live/assets.ts";

export type EnergyKind = "solar" | "battery" | "grid" | "home" | "car" | "heat";

export interface Branch {
  readonly kind: EnergyKind;
  /** kW, never negative; `null`: a device that is silent. */
  readonly kw: number | null;
}

export interface Flow {
  readonly sources: readonly Branch[];
  readonly uses: readonly Branch[];
  /** kW through the house. */
  readonly totalKw: number;
  /** What the uses are above the sources, kW, if it is worth a word; `null` otherwise. */
  readonly mismatchKw: number | null;
}

/** Below this it is noise, kW. */
const NOISE_KW = 0.01;
const MISMATCH_KW = 0.1;
const MISMATCH_SHARE = 0.05;

/** Returns the flow of one moment; `null` while the grid or the load is not known. */
export function flowOf(power: HousePower | null, assets: readonly KnownAsset[]): Flow | null {
  if (power?.grid == null || power.load == null) return null;
  const has = (kind: KnownAsset["kind"]): boolean => assets.some((asset) => asset.kind === kind);
  const cars = sum(assets, "charger") ?? sum(assets, "vehicle");
  const heat = sum(assets, "hvac");
  const battery = power.battery ?? 0;
  const measured = (cars ?? 0) + (heat ?? 0);
  const rest = power.load - measured;
  const sources: readonly Branch[] = [
    ...(has("inverter") || power.generation !== null
      ? [{ kind: "solar", kw: upwards(power.generation) } as const]
      : []),
    ...(has("battery") && battery <= NOISE_KW
      ? [{ kind: "battery", kw: upwards(negated(power.battery)) } as const]
      : []),
    ...(power.grid >= -NOISE_KW ? [{ kind: "grid", kw: upwards(power.grid) } as const] : []),
  ];
  const uses: readonly Branch[] = [
    { kind: "home", kw: Math.max(0, rest) },
    ...(has("charger") || has("vehicle") ? [{ kind: "car", kw: cars } as const] : []),
    ...(has("hvac") ? [{ kind: "heat", kw: heat } as const] : []),
    ...(has("battery") && battery > NOISE_KW ? [{ kind: "battery", kw: battery } as const] : []),
    ...(power.grid < -NOISE_KW ? [{ kind: "grid", kw: -power.grid } as const] : []),
  ];
  const totalKw = Math.max(total(sources), total(uses));
  const isOff = -rest > Math.max(MISMATCH_KW, totalKw * MISMATCH_SHARE);
  return { sources, uses, totalKw, mismatchKw: isOff ? -rest : null };
}

/** Share of the power that does not come from the grid, 0 to 1; `null` if nothing flows. */
export function ownShare({ sources }: Flow): number | null {
  const all = total(sources);
  if (all <= NOISE_KW) return null;
  return 1 - total(sources.filter(({ kind }) => kind === "grid")) / all;
}

export function branchKw(branches: readonly Branch[], kind: EnergyKind): number {
  return branches.find((branch) => branch.kind === kind)?.kw ?? 0;
}

function total(branches: readonly Branch[]): number {
  return branches.reduce((all, { kw }) => all + (kw ?? 0), 0);
}

/** Power into all devices of a kind, kW; `null` if none of them tells. A car at a charger is measured there. */
function sum(assets: readonly KnownAsset[], kind: KnownAsset["kind"]): number | null {
  const powers = assets
    .filter((asset) => asset.kind === kind && asset.isReachable)
    .flatMap((asset) => powerOf(asset) ?? []);
  return powers.length === 0 ? null : powers.reduce((all, kw) => all + Math.max(0, kw), 0);
}

function upwards(kw: number | null): number | null {
  return kw === null ? null : Math.max(0, kw);
}

function negated(kw: number | null): number | null {
  return kw === null ? null : -kw;
}
