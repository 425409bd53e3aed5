import type { SandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import type { DeviceStatus } from "../../engine/contracts/engine.ts";
import type { Clock } from "../../platform/ports/ports.ts";

const FOLLOW_EVERY_MS = 1_000;

export interface HeatFollowing {
  devices(): readonly Pick<DeviceStatus, "adapter" | "points">[];
  readonly home: Pick<SandboxHome, "setHeatW">;
  readonly clock: Pick<Clock, "sleep">;
}

/** Adds what made-up heat pumps draw to the house's load, so that its meter shows it, until the signal aborts. */
export async function followHeat({ devices, home, clock }: HeatFollowing, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    home.setHeatW(
      devices()
        .filter(({ adapter }) => adapter === "simulated")
        .reduce((sum, { points }) => sum + heatOf(points), 0),
    );
    await clock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  }
}

function heatOf(points: DeviceStatus["points"]): number {
  const value = points.find(({ point }) => point === "hvac.power")?.value;
  return typeof value === "number" ? value : 0;
}
