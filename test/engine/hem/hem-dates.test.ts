import { expect, test } from "vitest";
import { makeHome } from "../home.ts";

const MINUTE = 60_000;

test("a system that was found before the clock was set gets its dates when that is, and keeps them", async () => {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  const { clock } = home.world;
  const nowMs = clock.nowMs();
  clock.setWallMs(0);
  clock.setQuality("unset");
  const run = await home.start();
  await clock.advance(5 * MINUTE);
  clock.setWallMs(nowMs + 5 * MINUTE);
  clock.setQuality("synced");
  await clock.advance(6 * MINUTE);
  const dates = (): readonly number[] => {
    const [entry] = run.engine.services.hemSystems.list();
    const { installationDate, lastUpdated } = entry?.system.information ?? {};
    return [installationDate, lastUpdated].map((text) => Math.floor((Date.parse(text ?? "") - nowMs) / MINUTE));
  };
  expect(dates()).toEqual([0, 0]);
  expect(Math.floor(((run.store.all("hem")[0]?.createdAtMs ?? 0) - nowMs) / MINUTE)).toBe(0);
  const [meter] = run.engine.assets.list("meter");
  expect(meter?.asset.information.installationDate.slice(0, 4)).toBe("2026");
  await run.close();
});

test("a day after the installation that somebody has configured is answered, also one before the gateway was there", async () => {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  const run = await home.start({
    devices: [{ id: "meter", adapter: "fake", owner: "home", installedOn: "2025-05-17" }],
  });
  const { clock } = home.world;
  await clock.advance(5 * MINUTE);
  const { hemSystems } = run.engine.services;
  const { id, information } = hemSystems.list()[0]!.system;
  expect(information.installationDate.slice(0, 10)).toBe("2025-05-16");
  const asked = (interval: string) => clock.resolve(hemSystems.statistics(id, interval), 20_000);
  expect((await asked("2025-06"))?.timeseries.import).toMatchObject({ isAvailable: true, data: expect.any(Array) });
  await expect(asked("2025-04")).rejects.toThrow("not installed yet");
  await run.close();
});
