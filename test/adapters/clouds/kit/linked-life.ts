/** A house whose account was linked by name and password. */
import { expect } from "vitest";
import { Person, type SunnyHouse } from "./sunny-house.ts";

export const SIGN_IN = { user: "anna", password: "sunshine" };

export const KEYS = ["sunny:c-1", "sunny:c-2"];

export const HOUR_MS = 3_600_000;

export type Run = Awaited<ReturnType<SunnyHouse["start"]>>;

export async function linkedByForm(house: SunnyHouse, keys: readonly string[] = KEYS): Promise<Run> {
  const run = await house.start();
  const person = await Person.link(house, run);
  expect((await person.press(SIGN_IN)).step).toBe("devices");
  expect(await person.choose(keys)).toBe("done");
  await house.pass(10_000);
  return run;
}

export function chargers({ engine }: Run) {
  return engine.assets.list("charger").map(({ asset }) => asset);
}
