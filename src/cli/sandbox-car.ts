import type { SandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import type { Simulated } from "../engine/services/simulated.ts";
import type { Clock } from "../platform/ports.ts";

const FOLLOW_EVERY_MS = 1_000;

export interface CarFollowing {
  readonly simulated: Pick<Simulated, "list"> | null;
  /** The home's user. */
  readonly owner: string;
  readonly home: Pick<SandboxHome, "followCar">;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Has the car at the home's charger do as the oldest made-up car of the home's user, until the signal aborts: one that
 * stops, leaves or is full takes its power out of the charger, the house's meter and the flows of the house.
 */
export async function followCar({ simulated, owner, home, clock }: CarFollowing, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    home.followCar(carOf(simulated, owner));
    await clock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  }
}

function carOf(simulated: CarFollowing["simulated"], owner: string): Parameters<SandboxHome["followCar"]>[0] {
  const cars = (simulated?.list("vehicle") ?? [])
    .filter(({ userId }) => userId === owner)
    .map(({ device }) => device)
    // One at a made-up charger is no car of this house's charger.
    .filter((device) => device.kind === "vehicle" && device.state.pluggedInChargerId === null)
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  const [car] = cars;
  if (car?.kind !== "vehicle") return null;
  const { isPluggedIn, isChargingEnabled, batteryLevel, chargeLimit } = car.state;
  return { isPluggedIn, isTaking: isPluggedIn && isChargingEnabled && batteryLevel < chargeLimit, batteryLevel };
}
