/** Two devices that report the same battery, solar panels, meter or charger: which one stays, and how they are recognized. */
import type { AssetKind } from "../assets/asset.ts";
import type { KnownDevice } from "../assets/asset-seed.ts";

/** An asset as one device reports it. */
export interface AssetView {
  readonly deviceId: string;
  readonly kind: AssetKind;
  readonly known: Pick<KnownDevice, "controls" | "isEnergyManager" | "identity"> | null;
  /** When the asset was created, wall-clock ms. */
  readonly createdAtMs: number;
}

/**
 * Orders views of one asset; the first one stays. A view that can be commanded comes first, then the device itself before
 * an energy manager's view of it, then the older one. The order is the same after each restart.
 */
export function byPrecedence(a: AssetView, b: AssetView): number {
  const byControl = Number(isCommanded(b)) - Number(isCommanded(a));
  if (byControl !== 0) return byControl;
  const byDirectness = Number(isManagers(a)) - Number(isManagers(b));
  if (byDirectness !== 0) return byDirectness;
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.deviceId < b.deviceId ? -1 : 1;
}

function isCommanded({ kind, known }: AssetView): boolean {
  return known?.controls.some(({ point }) => point.startsWith(`${kind}.`)) ?? false;
}

function isManagers({ known }: AssetView): boolean {
  return known?.isEnergyManager === true;
}

/** Shorter serial numbers, and those that repeat one character, are placeholders. */
const LEAST_SERIAL = 5;

/** Returns true if two devices report the same serial number. Channels of one device do so too. */
export function hasSameSerial(
  a: Pick<KnownDevice, "identity"> | null,
  b: Pick<KnownDevice, "identity"> | null,
): boolean {
  const serial = serialOf(a);
  return serial !== null && serial === serialOf(b);
}

function serialOf(known: Pick<KnownDevice, "identity"> | null): string | null {
  const serial = known?.identity.serial?.replaceAll(/[\s:._-]/g, "").toUpperCase() ?? "";
  return serial.length < LEAST_SERIAL || new Set(serial).size < 2 ? null : serial;
}
