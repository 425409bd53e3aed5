/** The devices as the energy manager sees them. */
import type { AssetKind } from "../../domain/assets/asset.ts";
import type { KnownControl, KnownDevice } from "../../domain/assets/asset-seed.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointName } from "../../points/points.ts";
import type { DeviceCommands } from "../actions/device-commands.ts";
import type { DeviceSettings } from "../devices/device-settings.ts";

/** A device that can be read and regulated. */
export interface EnergyDevice {
  readonly settings: Pick<DeviceSettings, "id" | "userId"> & Partial<Pick<DeviceSettings, "name">>;
  readonly assets: { readonly ids: readonly { readonly kind: AssetKind; readonly id: string }[] };
  readonly known: KnownDevice | null;
  readonly values: Readonly<PointValues>;
  readonly commands: Pick<DeviceCommands, "regulate" | "letGo" | "regulated" | "forgive" | "asked">;
  /** `false` while it does not answer; absent: not known. */
  readonly isReachable?: boolean;
  /** How often it tells new values, ms; absent or 0: not known. */
  readonly tellsEveryMs?: number;
  measuredAtMs(point: PointName): number | null;
}

/** Returns the control of a point that may be commanded now; `null` if there is none, or if somebody else has it. */
export function freeControl(device: EnergyDevice, point: ControlPoint): KnownControl | null {
  const control = device.known?.controls.find((each) => each.point === point) ?? null;
  const fate = device.commands.regulated.fate(point);
  return fate === "uncontrolled" || fate === "stuck" ? null : control;
}

/** What is set on a charger, as it is, or as it will be a moment later because the energy manager has let it go. */
export function settingNow({ values, commands }: EnergyDevice, kind: "charger" | "vehicle") {
  const offeredA = commands.regulated.returning(`${kind}.maxCurrent`) ?? values[`${kind}.maxCurrent`] ?? null;
  const isEnabled = commands.regulated.returning(`${kind}.enabled`) ?? values[`${kind}.enabled`] ?? null;
  return {
    offeredA: typeof offeredA === "number" ? offeredA : null,
    isEnabled: typeof isEnabled === "boolean" ? isEnabled : null,
  };
}

export function assetIdOf({ assets }: EnergyDevice, kind: AssetKind): string | null {
  return assets.ids.find((each) => each.kind === kind)?.id ?? null;
}

/** Returns the latest of the measurements of some points, monotonic ms; `null` if none was measured. */
export function latestMs(device: Pick<EnergyDevice, "measuredAtMs">, points: readonly PointName[]): number | null {
  const measured = points.flatMap((point) => device.measuredAtMs(point) ?? []);
  return measured.length === 0 ? null : Math.max(...measured);
}
