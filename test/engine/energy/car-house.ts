/** A house with a charger and the vehicle at it, at a place with cheap nights, so that smart charging has prices. */
import { carOptions, fillWhileCharging, followCarSwitch } from "../smart/cars.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const PLACE = { latitude: 52.5, longitude: 13.4 };
const LOCATION = { name: "House", ...PLACE, timezoneName: "UTC" };
const RATES = [
  { name: "day", cost: "0.30" },
  { name: "night", cost: "0.10" },
];
/** The house's clock begins at midnight. */
const NIGHT = {
  tariffId: "night",
  tariffIntervals: [
    { name: "day", from: "00:00", to: "00:30" },
    { name: "night", from: "00:30", to: "03:00" },
    { name: "day", from: "03:00", to: "24:00" },
  ],
};

export async function carHouse() {
  const house = energyHouse({}, {}, { isOn: true });
  const car = house.home.add(
    "car",
    carOptions({
      "vehicle.soc": 55,
      // Little enough for the cheap hours, even with the power that is assumed of a car that was never seen charging.
      "vehicle.chargeLimit": 70,
      "vehicle.latitude": PLACE.latitude,
      "vehicle.longitude": PLACE.longitude,
    }),
  );
  followCarSwitch(car);
  const follow = car.onWrite;
  car.onWrite = (point, value) => {
    follow?.(point, value);
    // The car draws from the charger only while it wants to charge itself.
    if (point === "vehicle.enabled") house.world.carMaxA = value === true ? 16 : 0;
  };
  const run = await house.start();
  fillWhileCharging(car, house.home.world.clock);
  const { services, assets } = run.engine;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  const chargerId = house.chargerId(run);
  const vehicleId = assets.list("vehicle")[0]?.asset.id ?? "";
  const { id } = await resolve(services.locations.create("home", LOCATION));
  await resolve(services.locations.assign("charger", chargerId, id));
  await resolve(services.tariffs.put("night", RATES));
  await resolve(services.tariffs.link(id, NIGHT as never));
  await house.advance(MINUTE);
  const smart = (isEnabled: boolean) =>
    resolve(
      services.vehicleSmart.setPolicy(vehicleId, { isEnabled, deadline: "07:00", minimumChargeLimit: 50 } as never),
    );
  const offeredA = () =>
    house.charger.values["charger.enabled"] === true ? Number(house.charger.values["charger.maxCurrent"]) : 0;
  return { house, run, car, services, resolve, chargerId, vehicleId, smart, offeredA };
}
