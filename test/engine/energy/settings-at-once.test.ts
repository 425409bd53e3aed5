/** Settings that several clients send at the same time: each of them stays, in memory and on disk. */
import { describe, expect, test } from "vitest";
import { EnergyBook } from "../../../src/engine/energy/energy-book.ts";
import type { EnergyDeviceRecord } from "../../../src/store/records/energy.ts";
import { chargerOptions, makeHome, type Run } from "../home.ts";

async function open() {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  home.add("charger", chargerOptions());
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(10_000);
  const { energy, solarPolicies } = run.engine.services;
  const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  const together = (...all: readonly Promise<unknown>[]) => clock.resolve(Promise.allSettled(all), 20_000);
  return { home, run, energy, solarPolicies, id, together };
}

function stored(run: Run, id: string): EnergyDeviceRecord | null {
  return run.store.get("energy-device", id);
}

describe("settings that are sent at the same time", () => {
  test("all stay: a device's mode, priority and phases", async () => {
    const { run, energy, id, together } = await open();
    await together(energy.setPolicy(id, { mode: "FAST" }));
    const { setPolicy } = { setPolicy: energy.setPolicy.bind(energy, id) };
    await together(setPolicy({ mode: "OFF" }), setPolicy({ priority: 7 }), setPolicy({ phases: 1 }));
    expect(energy.device(id).policy).toMatchObject({ mode: "OFF", priority: 7, phases: 1 });
    expect(stored(run, id)).toMatchObject({ mode: "OFF", priority: 7, phases: 1 });
    await run.close();
  });

  test("do not bring back a mode that is removed meanwhile", async () => {
    const { run, energy, id, together } = await open();
    await together(energy.setPolicy(id, { mode: "FAST" }));
    const ends = await together(energy.clearPolicy(id), energy.setPolicy(id, { priority: 7 }));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect([energy.device(id).policy, stored(run, id)]).toEqual([null, null]);
    await run.close();
  });

  test("all stay: what the house battery may do, and together they leave a part of it", async () => {
    const { run, energy, together } = await open();
    await together(energy.setBatteryUse({ isPlanned: true }));
    const { setBatteryUse } = { setBatteryUse: energy.setBatteryUse.bind(energy) };
    await together(setBatteryUse({ isPlanned: false }), setBatteryUse({ minSoc: 20 }), setBatteryUse({ maxSoc: 80 }));
    expect(energy.batteryUse()).toMatchObject({ isPlanned: false, minSoc: 20, maxSoc: 80 });
    const ends = await together(setBatteryUse({ minSoc: 70 }), setBatteryUse({ maxSoc: 60 }));
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await run.close();
  });

  test("all stay: a charger's surplus policy", async () => {
    const { run, solarPolicies, id, together } = await open();
    const set = solarPolicies.set.bind(solarPolicies, id);
    await together(set({ isEnabled: true, minCurrent: 8 }), set({ isEnabled: true, delaySeconds: 100 }));
    expect(solarPolicies.get(id)).toMatchObject({ isEnabled: true, minCurrent: 8, delaySeconds: 100 });
    await run.close();
  });
});

describe("what somebody asks for while the settings are being stored", () => {
  const asked = { by: "person", actionId: "a", isOn: true, maxA: null } as const;

  async function openBook() {
    const { home, run, id, together } = await open();
    const { clock } = home.world;
    const parts = { store: run.store, clock, log: run.process.platform.log };
    const book = new EnergyBook(parts);
    const changed = (update: object) => {
      const record = book.changed({ assetId: id, kind: "charger", userId: "home" }, update);
      if (record === null) throw new Error("no record");
      return record;
    };
    await together(book.put(changed({ mode: "SURPLUS" }), []));
    return { run, id, book, changed, together, parts };
  }

  test("stays beside a setting, which stays too, also after a restart", async () => {
    const { run, id, book, changed, together, parts } = await openBook();
    const put = book.put(changed({ priority: 7 }), []);
    book.ask(id, asked);
    await together(put);
    await together(run.store.commit([], []));
    expect(book.get(id)).toMatchObject({ priority: 7, asked });
    expect(new EnergyBook(parts).get(id)).toMatchObject({ priority: 7, asked });
    await run.close();
  });

  test("does not bring back a mode that is being removed, at a restart", async () => {
    const { run, id, book, together, parts } = await openBook();
    const removed = book.remove(id, []);
    book.ask(id, asked);
    await together(removed);
    await together(run.store.commit([], []));
    expect(book.get(id)).toBeNull();
    expect(new EnergyBook(parts).get(id)).toBeNull();
    await run.close();
  });
});
