/** Sites and vehicles for tests of the Tesla connector. */
import type { CloudDevice, CloudSession } from "../../../adapters/clouds/kit/connector.ts";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { TeslaTwin, type TwinSite } from "../../twins/clouds/tesla-twin.ts";
import type { TwinVehicle } from "../../twins/clouds/tesla-vehicle.ts";
import { fakeSession } from "./fake-session.ts";

export const SIGNAL = new AbortController().signal;

export function makeSite(changes: Partial<TwinSite> = {}): TwinSite {
  return {
    id: 2_252_147_638_651_575,
    name: "Home",
    parts: { solar: true, battery: true, grid: true, load_meter: true, tou_capable: true },
    solarW: 4_000,
    batteryW: -1_500,
    gridW: -500,
    loadW: 2_000,
    soc: 61.5,
    packWh: 27_000,
    reserve: 20,
    mode: "self_consumption",
    exportRule: "pv_only",
    isConnected: true,
    place: { latitude: 48.1, longitude: 11.6 },
    ...changes,
  };
}

export function makeVehicle(changes: Partial<TwinVehicle> = {}): TwinVehicle {
  return {
    vin: "LRWYHCEK0PC123456",
    name: "Nikola",
    power: "online",
    isSigned: false,
    chargingState: "Charging",
    level: 55,
    chargeLimit: 80,
    amps: 10,
    mostAmps: 16,
    volts: 230,
    phases: 3,
    rangeMiles: 200,
    odometerMiles: 10_000,
    minutesToFull: 95,
    isLocationShared: true,
    isFastCharging: false,
    ...changes,
  };
}

export interface TeslaHome {
  readonly clock: VirtualClock;
  readonly twin: TeslaTwin;
  readonly session: CloudSession;
  /** Opens the only device. */
  open(): Promise<CloudDevice>;
}

export function makeTeslaHome(parts: {
  readonly sites?: readonly TwinSite[];
  readonly vehicles?: readonly TwinVehicle[];
}): TeslaHome {
  const clock = new VirtualClock();
  const twin = new TeslaTwin(clock);
  twin.sites = [...(parts.sites ?? [])];
  twin.vehicles = [...(parts.vehicles ?? [])];
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  const session = { ...fakeSession({ connector: tesla, twin, grant, clock }), random: new SeededRandom("tesla") };
  return {
    clock,
    twin,
    session,
    async open() {
      const [listing] = await tesla.list(session, SIGNAL);
      return await tesla.open(session, listing!.key, SIGNAL);
    },
  };
}
