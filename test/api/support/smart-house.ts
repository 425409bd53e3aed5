/** A house with a location and prices, for what is smart about charging and heating. */
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { type Home, makeHome } from "../../engine/home.ts";
import { carOptions, fillWhileCharging, followCarSwitch } from "../../engine/smart/cars.ts";
import { openRealHouse, type RealHouse } from "./real-house.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Where the car stands; the location is there too. */
const PLACE = { latitude: 52.5, longitude: 13.4 };

/** Cost of each rate; intervals as a location's tariff takes them. */
export interface TestTariff {
  readonly rates: Readonly<Record<string, string>>;
  readonly intervals: readonly { readonly name: string; readonly from: string; readonly to: string }[];
}

/** Cheap from 03:00 to 06:00. */
export const NIGHT_TARIFF: TestTariff = {
  rates: { day: "0.30", night: "0.10" },
  intervals: [
    { name: "day", from: "00:00", to: "03:00" },
    { name: "night", from: "03:00", to: "06:00" },
    { name: "day", from: "06:00", to: "24:00" },
  ],
};

export interface CarHouse {
  readonly house: RealHouse;
  readonly home: Home;
  readonly car: FakeDevice;
  readonly id: string;
  readonly locationId: string;
}

/** A house whose car charges at a location with prices. Its clock begins at midnight UTC. */
export async function openCarHouse(
  options: { values?: Parameters<typeof carOptions>[0]; tariff?: TestTariff | null; zone?: string } = {},
): Promise<CarHouse> {
  const home = makeHome();
  const car = home.add(
    "car",
    carOptions({ "vehicle.latitude": PLACE.latitude, "vehicle.longitude": PLACE.longitude, ...options.values }),
  );
  followCarSwitch(car);
  fillWhileCharging(car, home.world.clock);
  const house = await openRealHouse({ home });
  await house.pass(12_000);
  const payload = { name: "House", ...PLACE, timezoneName: options.zone ?? "UTC" };
  const location = await house.ask({ method: "POST", url: "/users/home/locations", payload });
  const locationId = location.json<{ id: string }>().id;
  const tariff = options.tariff === undefined ? NIGHT_TARIFF : options.tariff;
  if (tariff !== null) await setTariff(house, locationId, tariff);
  const id = await onlyId(house, "vehicles");
  return { house, home, car, id, locationId };
}

export async function setTariff(house: RealHouse, locationId: string, { rates, intervals }: TestTariff): Promise<void> {
  const payload = Object.entries(rates).map(([name, cost]) => ({ name, cost }));
  const put = await house.ask({ method: "PUT", url: "/tariffs/test", payload });
  const link = { tariffId: "test", tariffIntervals: intervals };
  const linked = await house.ask({ method: "PUT", url: `/locations/${locationId}/tariff`, payload: link });
  if (put.statusCode !== 204 || linked.statusCode !== 204) throw new Error(`no tariff: ${put.body} ${linked.body}`);
}

export async function onlyId(house: RealHouse, plural: string): Promise<string> {
  return (await house.ask({ url: `/${plural}` })).json<{ data: { id: string }[] }>().data[0]?.id ?? "";
}
