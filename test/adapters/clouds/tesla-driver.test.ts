/** From the key that is published to the vehicle that does as it is told, through the kit and the simulated web. */
import { expect, test } from "vitest";
import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { vendorOf } from "../../../adapters/clouds/kit/vendor.ts";
import { tesla } from "../../../adapters/clouds/tesla/tesla.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";
import { TeslaTwin } from "../../twins/clouds/tesla-twin.ts";
import { APP } from "./fake-session.ts";
import { makeVehicle, SIGNAL } from "./tesla-houses.ts";

const LIMIT_MS = 120_000;
const POINT_BYTES = 65;

async function garage() {
  const end = new AsyncDisposableStack();
  const world = new World({ seed: 1 });
  const vehicle = makeVehicle({ isSigned: true });
  const twin = new TeslaTwin(world.clock);
  twin.vehicles = [vehicle];
  twin.join(world.web, "93.184.216.20");
  const process = world.boot("gateway", new MemoryDisk());
  const context = process.adapterContext();
  const grant = { access: twin.desk.issue().access_token, refresh: null, expiresAtMs: null };
  await context.accounts.put("ada", "login", JSON.stringify({ grant, form: null, previous: null, refused: null }));
  const adapter = cloudAdapter({
    apps: { tesla: { ...APP, domain: "keys.example.com" } },
    vendors: [vendorOf(tesla)],
  });
  const running = end.use(adapter.start(context));
  const asked = { vendor: "tesla", account: "ada", device: vehicle.vin, confirmUnverified: true };
  const connecting = running.connect("car", adapter.options.parse(asked), SIGNAL);
  const driver = end.use(await world.clock.resolve(connecting, LIMIT_MS));
  await world.clock.resolve(driver.read("all", SIGNAL), LIMIT_MS);
  const pem = (await running.wellKnown?.("appspecific/com.tesla.3p.public-key.pem")) ?? "";
  const der = Buffer.from(pem.split("\n").slice(1, -2).join(""), "base64");
  return {
    car: twin.car(vehicle.vin),
    vehicle,
    process,
    publicKey: der.subarray(-POINT_BYTES),
    write: (value: boolean) => world.clock.resolve(driver.write("vehicle.enabled", value, SIGNAL), LIMIT_MS),
    [Symbol.asyncDispose]: () => end.disposeAsync(),
  };
}

test("a vehicle that was given the published key does as it is told", async () => {
  await using found = await garage();
  const { car, publicKey, write, process, vehicle } = found;
  car.pair(publicKey);
  await write(false);
  await write(true);
  expect(car.done).toEqual(["charge_stop", "charge_start"]);
  expect(JSON.stringify(process.log.lines)).not.toContain(vehicle.vin);
});

test("a vehicle that was not refuses, with the way out", async () => {
  await using found = await garage();
  const { car, write, vehicle } = found;
  const error = await write(false).catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    kind: "rejected",
    message: expect.stringContaining("open https://tesla.com/_ak/keys.example.com on a phone"),
  });
  expect(String(error)).not.toContain(vehicle.vin);
  expect(car.done).toEqual([]);
});
