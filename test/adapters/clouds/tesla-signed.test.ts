import { describe, expect, test } from "vitest";
import { Fields } from "../../../adapters/clouds/tesla/signed/protobuf.ts";
import { FAULT } from "../../twins/clouds/tesla-car.ts";
import { TEST_KEYS } from "./fake-session.ts";
import { makeTeslaHome, makeVehicle, SIGNAL } from "./tesla-houses.ts";
import { messages, signedHome, tamper, VIN } from "./tesla-signed-home.ts";
import { read } from "./values-of.ts";

describe("a vehicle that takes signed commands only", () => {
  test("stops, starts and limits its charging", async () => {
    const { home, car, device } = await signedHome();
    expect(device.controls.map(({ point, confidence }) => [point, confidence])).toEqual([
      ["vehicle.enabled", "unverified"],
      ["vehicle.maxCurrent", "unverified"],
    ]);
    await device.write("vehicle.enabled", false, SIGNAL);
    expect(await read(device)).toMatchObject({ "vehicle.enabled": false, "vehicle.state": "PLUGGED_IN:STOPPED" });
    await device.write("vehicle.enabled", true, SIGNAL);
    await device.write("vehicle.maxCurrent", 8, SIGNAL);
    expect(await read(device)).toMatchObject({ "vehicle.enabled": true, "vehicle.maxCurrent": 8 });
    expect(car.done).toEqual(["charge_stop", "charge_start", "set_charging_amps"]);
    expect(messages(home)).toHaveLength(4);
    expect(home.twin.asked.some(({ url }) => url.pathname.includes("/command/"))).toBe(false);
  });

  test("may answer in clear, as before 2024.38", async () => {
    const { car, device } = await signedHome();
    car.sealsReplies = false;
    await device.write("vehicle.maxCurrent", 6, SIGNAL);
    expect(await read(device)).toMatchObject({ "vehicle.maxCurrent": 6 });
  });

  test("that does already what it is told is no failure, and one that is unplugged says so", async () => {
    const { home, device } = await signedHome();
    await device.write("vehicle.enabled", true, SIGNAL);
    home.twin.vehicles[0]!.chargingState = "Disconnected";
    const wish = device.write("vehicle.enabled", true, SIGNAL);
    await expect(wish).rejects.toMatchObject({ kind: "refused", message: "vehicle: disconnected" });
  });

  test("is told nothing beyond what its plug gives", async () => {
    const { home, device } = await signedHome();
    await device.read(SIGNAL);
    await expect(device.write("vehicle.maxCurrent", 17, SIGNAL)).rejects.toMatchObject({ kind: "refused" });
    expect(messages(home)).toEqual([]);
  });
});

describe("a vehicle that does not know the gateway's key", () => {
  test.each([true, false])("says how it gets to know it, be it at the greeting: %s", async (refusesGreetings) => {
    const { car, device } = await signedHome(false);
    car.refusesGreetings = refusesGreetings;
    expect(device.controls[0]?.caveat).toContain("https://tesla.com/_ak/");
    const message = expect.stringContaining("https://tesla.com/_ak/");
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "forbidden", message });
    expect(car.done).toEqual([]);
    car.pair(TEST_KEYS.publicKey);
    await device.write("vehicle.enabled", false, SIGNAL);
    expect(car.done).toEqual(["charge_stop"]);
  });

  test("any more says so, too", async () => {
    const { car, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    car.forgetKeys();
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "forbidden" });
  });
});

describe("a vehicle that stands elsewhere than we think", () => {
  test.each<[string, (home: Awaited<ReturnType<typeof signedHome>>) => Promise<void> | void]>([
    ["started anew", ({ car }) => car.reboot()],
    ["is an hour ahead", ({ car }) => car.skew(3_600)],
    ["has another client with our key", ({ car }) => car.useCounters(TEST_KEYS.publicKey, 500)],
    ["has counted to our next counter", ({ car }) => car.useCounters(TEST_KEYS.publicKey, 2)],
    ["has another computer", ({ car }) => car.replaceComputer("second")],
    [
      "started anew with another computer",
      ({ car }) => {
        car.replaceComputer("second");
        car.reboot();
      },
    ],
  ])("is told once more: it %s", async (_what, change) => {
    const made = await signedHome();
    await made.device.write("vehicle.maxCurrent", 7, SIGNAL);
    await change(made);
    const before = messages(made.home).length;
    await made.device.write("vehicle.maxCurrent", 9, SIGNAL);
    expect(made.car.done).toEqual(["set_charging_amps", "set_charging_amps"]);
    expect(await read(made.device)).toMatchObject({ "vehicle.maxCurrent": 9 });
    // Once by what it told, or after a new greeting.
    expect(messages(made.home).length - before).toBeLessThanOrEqual(3);
  });

  test("needs no new greeting after hours", async () => {
    const { home, car, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    await home.clock.advance(7 * 3_600_000);
    home.twin.vehicles[0]!.power = "online";
    await device.write("vehicle.maxCurrent", 8, SIGNAL);
    expect(messages(home)).toHaveLength(3);
    expect(car.done).toHaveLength(2);
  });

  test("and has no counter left is greeted anew", async () => {
    const { car, device } = await signedHome();
    car.useCounters(TEST_KEYS.publicKey, 0xffff_fffe);
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    await expect(device.write("vehicle.maxCurrent", 8, SIGNAL)).rejects.toMatchObject({ kind: "malformed" });
    car.reboot();
    await device.write("vehicle.maxCurrent", 9, SIGNAL);
    expect(car.done).toHaveLength(2);
  });

  test("is not told for ever", async () => {
    const { home, car, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    tamper(home, (answer) => {
      car.reboot();
      return answer;
    });
    car.reboot();
    const before = messages(home).length;
    await expect(device.write("vehicle.maxCurrent", 9, SIGNAL)).rejects.toMatchObject({ kind: "unavailable" });
    expect(messages(home).length - before).toBe(2);
    expect(car.done).toHaveLength(1);
  });
});

describe("a vehicle", () => {
  test.each([
    ["that is busy", { isBusy: true }, "unavailable"],
    ["whose owner switched mobile access off", { isRemoteAllowed: false }, "forbidden"],
  ])("%s is told once", async (_what, change, kind) => {
    const { home, car, device } = await signedHome();
    Object.assign(car, change);
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind });
    expect(messages(home)).toHaveLength(2);
    expect(car.done).toEqual([]);
  });

  test("takes no message twice, and none that was meant for another", async () => {
    const { home, car, device } = await signedHome();
    await device.write("vehicle.enabled", false, SIGNAL);
    const message = Buffer.from(messages(home)[1]!, "base64");
    const stranger = makeTeslaHome({ vehicles: [makeVehicle({ vin: "LRWYHCEK0PC999999", isSigned: true })] });
    const other = stranger.twin.car("LRWYHCEK0PC999999");
    other.pair(TEST_KEYS.publicKey);
    expect(faultIn(car.answer(message))).toBe(FAULT.counterUsed);
    expect(faultIn(other.answer(message))).toBe(FAULT.incorrectEpoch);
    expect([car.done, other.done]).toEqual([["charge_stop"], []]);
  });

  test("whose answer is lost may have done it, and is not told again by us", async () => {
    const { home, car, device } = await signedHome();
    await device.write("vehicle.maxCurrent", 7, SIGNAL);
    const serve = home.twin.serve.bind(home.twin);
    home.twin.serve = (request) => {
      const answer = serve(request);
      return request.path.endsWith("/signed_command") ? { fault: "hang" } : answer;
    };
    await expect(device.write("vehicle.enabled", false, SIGNAL)).rejects.toMatchObject({ kind: "timeout" });
    home.twin.serve = serve;
    expect(await read(device)).toMatchObject({ "vehicle.enabled": false });
    await device.write("vehicle.enabled", true, SIGNAL);
    expect(car.done).toEqual(["set_charging_amps", "charge_stop", "charge_start"]);
  });

  test("that tells nothing of signatures is asked plainly first, then with one", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle({ isSigned: true })] });
    home.twin.car(VIN).pair(TEST_KEYS.publicKey);
    home.twin.hidesStatus = true;
    const device = await home.open();
    await device.write("vehicle.enabled", false, SIGNAL);
    expect(home.twin.car(VIN).done).toEqual(["charge_stop"]);
    expect(home.twin.asked.some(({ url }) => url.pathname.endsWith("/command/charge_stop"))).toBe(true);
  });

  test("that takes plain commands gets no signed ones", async () => {
    const home = makeTeslaHome({ vehicles: [makeVehicle()] });
    const device = await home.open();
    await device.write("vehicle.enabled", false, SIGNAL);
    expect(messages(home)).toEqual([]);
  });
});

function faultIn(answer: Buffer): number | undefined {
  return new Fields(answer).message(12)?.uint(2);
}
