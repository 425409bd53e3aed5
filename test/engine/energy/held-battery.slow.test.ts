/** A battery that is held for a car: for how long, what ends it, and a client that asks for something else. */
import { expect, test } from "vitest";
import { batteryOptions } from "../home.ts";
import { energyHouse, MINUTE, SECOND } from "./energy-house.ts";

const MODE = {
  point: "battery.mode",
  values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"],
  safeDefault: "SELF_RELIANCE",
} as const;

test("a client's command to a held battery leaves no record of the hold behind, also not for the next start", async () => {
  const house = energyHouse({}, {}, { isOn: true });
  const battery = house.home.add("battery", batteryOptions());
  const run = await house.start();
  const { energy } = run.engine.services;
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  const set = (operationMode: "EXPORT_FOCUS" | "SELF_RELIANCE") =>
    resolve(run.engine.actions.start(id, { targetType: "battery", operationMode }));
  await resolve(energy.setPolicy(house.chargerId(run), { mode: "FAST" }));
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("IDLE");
  const charger = energy.device(house.chargerId(run)).name;
  expect(energy.device(id).reason).toMatchObject({
    code: "not-into-car",
    subject: house.chargerId(run),
    text: `Is not emptied into a car (${charger}).`,
  });
  await set("EXPORT_FOCUS");
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("EXPORT_FOCUS");
  const held = run.store.all("lease").filter(({ point }) => point === "battery.mode");
  expect(held.map(({ origin = "client", value }) => [origin, value])).toEqual([["client", "EXPORT_FOCUS"]]);
  await resolve(energy.clearPolicy(house.chargerId(run)));
  await set("SELF_RELIANCE");
  await house.advance(MINUTE);
  expect(run.store.all("lease")).toEqual([]);
  run.process.kill();
  house.home.disk.crash();
  const next = await house.start();
  await house.advance(5 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect(battery.written("battery.mode").at(-1)).toBe("SELF_RELIANCE");
  await next.close();
});

test("A hold lasts through an hour of the device's own timer of 60 s, ends with the unplug, and after a crash by that timer", async () => {
  const house = energyHouse({}, {}, { isOn: true });
  const battery = house.home.add("battery", batteryOptions());
  const run = await house.start();
  const setMode = run.engine.services.energy.setPolicy(house.chargerId(run), { mode: "FAST" });
  await house.home.world.clock.resolve(setMode, 20 * SECOND);
  await house.advance(MINUTE);
  for (let minute = 0; minute < 60; minute += 1) {
    expect(battery.values["battery.mode"]).toBe("IDLE");
    await house.advance(MINUTE);
  }
  house.world.isPlugged = false;
  await house.advance(3 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  house.world.isPlugged = true;
  await house.advance(3 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("IDLE");
  run.process.kill();
  house.home.disk.crash();
  await house.advance(MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  house.world.isPlugged = false;
  const next = await house.start();
  await house.advance(5 * MINUTE);
  expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
  expect(next.store.all("lease").filter(({ point }) => point === "battery.mode")).toEqual([]);
  await next.close();
});

test("A battery that takes a mode and does not follow is written to four times, and then shown as out of control", async () => {
  const house = energyHouse({}, {}, { isOn: true });
  const battery = house.home.add("battery", batteryOptions({ controls: [{ ...MODE, holdMs: null }] }));
  battery.onWrite = () => undefined;
  const run = await house.start();
  const { energy } = run.engine.services;
  const setMode = energy.setPolicy(house.chargerId(run), { mode: "FAST" });
  await house.home.world.clock.resolve(setMode, 20 * SECOND);
  await house.advance(3 * MINUTE);
  const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  expect(energy.device(id)).toMatchObject({ isControlled: false, flow: { powerKw: -1.234 } });
  expect(battery.written("battery.mode")).toEqual(["IDLE", "IDLE", "IDLE", "IDLE"]);
  await house.advance(5 * MINUTE);
  expect(battery.written("battery.mode")).toHaveLength(4);
  await run.close();
});

test.each([
  { when: "between two writes", isAtRenewal: false },
  { when: "just after a renewal", isAtRenewal: true },
])(
  "What somebody sets at a battery $when while a limit holds it ends what a client had commanded, and is given back",
  async ({ isAtRenewal }) => {
    const house = energyHouse({ importKw: 5 }, {}, { isOn: false });
    const controls = [{ ...MODE, holdMs: null, ...(isAtRenewal && { renewMs: 20 * SECOND }) }];
    const battery = house.home.add("battery", batteryOptions({ controls }));
    const run = await house.start();
    const id = run.engine.assets.list("battery")[0]?.asset.id ?? "";
    const command = run.engine.actions.start(id, { targetType: "battery", operationMode: "IMPORT_FOCUS" });
    await house.home.world.clock.resolve(command, 20 * SECOND);
    await house.advance(MINUTE);
    expect(battery.values["battery.mode"]).toBe("IMPORT_FOCUS");
    house.world.loadA = 20;
    await house.advance(MINUTE);
    expect(battery.values["battery.mode"]).toBe("SELF_RELIANCE");
    const follow = battery.onWrite;
    const set = (): void => {
      battery.onWrite = follow;
      battery.show("battery.mode", "IDLE");
    };
    if (isAtRenewal) battery.onWrite = set;
    else set();
    await house.advance(MINUTE);
    expect(battery.values["battery.mode"]).toBe("IDLE");
    house.world.loadA = 1;
    await house.wait(15 * MINUTE);
    expect(battery.values["battery.mode"]).toBe("IDLE");
    expect(run.store.all("lease")).toEqual([]);
    expect(run.engine.services.energy.device(id)).toMatchObject({ inCharge: "device" });
    await run.close();
  },
);
