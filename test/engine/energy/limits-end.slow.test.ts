/** What limits and requests leave on a charger when they end, and what is told of them. */
import { expect, test } from "vitest";
import type { ActiveLimit } from "../../../src/domain/energy/cycle/energy-snapshot.ts";
import { makeLimit } from "../../domain/energy/makers.ts";
import type { Run } from "../home.ts";
import { type EnergyHouse, energyHouse, MINUTE, SECOND } from "./energy-house.ts";

function regulated(run: Run) {
  return run.store.all("lease").flatMap(({ origin, point }) => (origin === "energy" ? [point] : []));
}

async function limitEvents({ home }: EnergyHouse, run: Run): Promise<readonly string[]> {
  const entries = await home.world.clock.resolve(run.store.journalAfter(null, 5_000), 20 * SECOND);
  return entries.map(({ event }) => event).filter((event) => event.startsWith("local:energy:limit-"));
}

test("an operator's limit, in a house with nothing else to decide, begins and ends in the journal each time", async () => {
  let limits: readonly ActiveLimit[] = [];
  const house = energyHouse({}, { limits: () => limits }, { isOn: true });
  const run = await house.start();
  for (const times of [1, 2]) {
    limits = [makeLimit({ watts: 6_000 })];
    await house.advance(MINUTE);
    expect(house.charger.values["charger.maxCurrent"]).toBe(7);
    limits = [];
    await house.advance(MINUTE);
    expect(house.charger.values["charger.maxCurrent"]).toBe(16);
    const both = ["local:energy:limit-active", "local:energy:limit-ended"];
    expect(await limitEvents(house, run)).toEqual(times === 1 ? both : [...both, ...both]);
  }
  await run.close();
});

test("a charger that somebody switches off while the fuse has lowered it gets its own current back", async () => {
  const house = energyHouse({ fuseA: 20 }, {}, { isOn: true, maxA: 16 });
  const run = await house.start();
  house.world.loadA = 9;
  await house.advance(MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(10);
  house.charger.show("charger.enabled", false);
  await house.advance(MINUTE);
  house.world.loadA = 1;
  await house.advance(MINUTE);
  expect([house.charger.values["charger.maxCurrent"], regulated(run)]).toEqual([16, []]);
  expect(house.charger.values["charger.enabled"]).toBe(false);
  await run.close();
});

test("a charger that the fuse has lowered gets its own current back after the one who asked for charging is done", async () => {
  const house = energyHouse({ fuseA: 20 }, {}, { isOn: false, maxA: 16 });
  const run = await house.start();
  const targetId = house.chargerId(run);
  const command = (kind: "START" | "STOP") =>
    house.home.world.clock.resolve(run.engine.actions.start(targetId, { targetType: "charger", kind }), 20 * SECOND);
  house.world.loadA = 9;
  await command("START");
  await house.advance(MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(10);
  await command("STOP");
  await house.advance(MINUTE);
  expect([house.charger.values["charger.maxCurrent"], regulated(run)]).toEqual([16, []]);
  await run.close();
});

test("an override that ends beside a full fuse leaves the charger lowered, until there is room for its own current", async () => {
  const house = energyHouse({ fuseA: 20 }, {}, { isOn: true, maxA: 16 });
  const run = await house.start();
  const { smartOverrides } = run.engine.services;
  const id = house.chargerId(run);
  await house.home.world.clock.resolve(smartOverrides.start("charger", id), 20 * SECOND);
  house.world.loadA = 9;
  await house.advance(MINUTE);
  const before = house.charger.written("charger.maxCurrent").length;
  await house.home.world.clock.resolve(smartOverrides.end("charger", id), 20 * SECOND);
  await house.advance(MINUTE);
  expect(Math.max(0, ...house.charger.written("charger.maxCurrent").slice(before).map(Number))).toBeLessThanOrEqual(10);
  house.world.loadA = 1;
  await house.advance(2 * MINUTE);
  expect([house.charger.values["charger.maxCurrent"], regulated(run)]).toEqual([16, []]);
  await run.close();
});

test("a command that its client cancels leaves what was asked for before it", async () => {
  const house = energyHouse({}, {}, { isOn: false, maxA: 16 });
  const run = await house.start();
  const { actions, services } = run.engine;
  const targetId = house.chargerId(run);
  const resolve = <T>(work: Promise<T>): Promise<T> => house.home.world.clock.resolve(work, 20 * SECOND);
  await resolve(services.energy.setPolicy(targetId, { mode: "FAST" }));
  await resolve(actions.start(targetId, { targetType: "charger", maxCurrent: 10 }));
  await house.advance(MINUTE);
  expect(house.charger.values["charger.maxCurrent"]).toBe(10);
  const stop = await resolve(actions.start(targetId, { targetType: "charger", kind: "STOP" }));
  expect(await resolve(actions.cancel("charger", stop.id))).toMatchObject({ kind: "cancelled" });
  await house.advance(MINUTE);
  expect([house.charger.values["charger.enabled"], house.charger.values["charger.maxCurrent"]]).toEqual([true, 10]);
  await run.close();
});
