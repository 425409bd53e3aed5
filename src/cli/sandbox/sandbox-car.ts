import type { SandboxHome } from "../../../adapters/simulated/sandbox-home.ts";
import type { SimulatedDevice } from "../../domain/sandbox/simulated.ts";
import type { Simulated } from "../../engine/contracts/simulated.ts";
import type { Clock } from "../../platform/ports/ports.ts";

const FOLLOW_EVERY_MS = 1_000;

export interface CarFollowing {
  readonly simulated: Pick<Simulated, "list" | "supply"> | null;
  /** The home's user. */
  readonly owner: string;
  readonly home: Pick<SandboxHome, "followCar" | "carSupply">;
  readonly clock: Pick<Clock, "sleep">;
}

/**
 * Makes the oldest made-up car of the home's user and the car at the home's charger one, until the signal aborts. A car
 * that stops, leaves or is full takes its power out of the charger, the house's meter and the flows of the house; a
 * charger that stops or is limited stops or limits the car.
 */
export async function followCar({ simulated, owner, home, clock }: CarFollowing, signal: AbortSignal): Promise<void> {
  let suppliedId: string | null = null;
  while (!signal.aborted) {
    const car = carOf(simulated, owner);
    home.followCar(car === null ? null : followedOf(car));
    if (suppliedId !== null && suppliedId !== car?.id) simulated?.supply(suppliedId, null);
    suppliedId = car?.id ?? null;
    if (suppliedId !== null) simulated?.supply(suppliedId, home.carSupply());
    await clock.sleep(FOLLOW_EVERY_MS, signal).catch(() => undefined);
  }
}

type SimulatedCar = Extract<SimulatedDevice, { readonly kind: "vehicle" }>;

function carOf(simulated: CarFollowing["simulated"], owner: string): SimulatedCar | null {
  const [car] = (simulated?.list("vehicle") ?? [])
    .filter(({ userId }) => userId === owner)
    // One at a made-up charger is no car of this house's charger.
    .flatMap(({ device }) => (device.kind === "vehicle" && device.state.pluggedInChargerId === null ? [device] : []))
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs);
  return car ?? null;
}

function followedOf({ state }: SimulatedCar): Parameters<SandboxHome["followCar"]>[0] {
  const { isPluggedIn, isChargingEnabled, batteryLevel, chargeLimit } = state;
  return { isPluggedIn, isTaking: isPluggedIn && isChargingEnabled && batteryLevel < chargeLimit, batteryLevel };
}
