/** Two devices that see the same battery, panels, meter or charger: which one stays, and when they surely are one. */
import type { AssetKind } from "../assets/asset.ts";
import type { KnownDevice } from "../assets/asset-seed.ts";

/** An asset as one device sees it. */
export interface AssetView {
  readonly deviceId: string;
  readonly kind: AssetKind;
  readonly known: Pick<KnownDevice, "controls" | "isEnergyManager" | "identity"> | null;
  /** Wall-clock ms. */
  readonly createdAtMs: number;
}

/**
 * The view that stays first: one by which the asset can be commanded, so that nothing is lost; the device itself before
 * an energy manager's view of it; the one that is known longer. The same after every restart.
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

/** Shorter ones, and those of one character, are placeholders. */
const LEAST_SERIAL = 5;

/** Whether two devices tell the same serial number. Channels of one device do too, so it takes more to be one asset. */
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
