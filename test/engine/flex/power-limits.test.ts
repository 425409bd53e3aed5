/** The limit of a location's grid connection, where the configuration file sets a part of it. */
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.ts";
import { makeHome } from "../home.ts";

async function open(connection: Config["site"]["connection"]) {
  const home = makeHome(1, { connection });
  home.add("meter", { values: { "meter.power": 1_500 } });
  const run = await home.start();
  const { clock } = home.world;
  await clock.advance(5_000);
  const { powerLimits, locations } = run.engine.services;
  const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
  const { id } = await clock.resolve(locations.create("home", place), 20_000);
  const remove = () => clock.resolve(powerLimits.remove(id), 20_000);
  return { run, clock, powerLimits, id, remove };
}

test("A limit is removed beside the fuse of the configuration file, which stays", async () => {
  const { run, clock, powerLimits, id, remove } = await open({ fuseA: 25 });
  await clock.resolve(powerLimits.set(id, { maxImportKw: 5 }), 20_000);
  await remove();
  expect(powerLimits.get(id)).toMatchObject({ maxImportKw: null, appliedImportKw: null, maxPhaseCurrent: 25 });
  await run.close();
});

test("A limit that the configuration file sets as a whole is not removed, and that is said", async () => {
  const { run, powerLimits, id, remove } = await open({ fuseA: 25, importKw: 11 });
  await expect(remove()).rejects.toThrow("is set in the configuration file; change it there");
  expect(powerLimits.get(id)).toMatchObject({ maxImportKw: 11, maxPhaseCurrent: 25 });
  await run.close();
});
