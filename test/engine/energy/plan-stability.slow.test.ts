/** A plan that is made again each quarter hour from inputs that flutter. */
import { expect, test } from "vitest";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { HOUR, MINUTE } from "./energy-house.ts";
import { learn, nextHourMs, planHouse } from "./plan-house.ts";

/** What is written to the battery in three hours around two cheap ones, with a load that flutters by a share. */
async function writtenModes(share: number): Promise<readonly unknown[]> {
  const random = new SeededRandom(1);
  const house = planHouse();
  const run = await house.start();
  await learn(house);
  const cheapMs = nextHourMs(house);
  house.world.priceAt = (hourMs) => ((hourMs - cheapMs + 24 * HOUR) % (24 * HOUR) < 2 * HOUR ? "0.05" : "0.40");
  await house.resolve(run.engine.services.energy.setBatteryUse({ isPlanned: true }));
  for (let minute = 0; minute < 180; minute += 1) {
    house.world.loadW = 800 * random.between(1 - share, 1 + share);
    await house.advance(MINUTE);
  }
  const modes = house.battery.written("battery.mode");
  await run.close();
  return modes.filter((mode, i) => mode !== modes[i - 1]);
}

test("A load that flutters by 2 % changes nothing of what the battery does", async () => {
  const steady = await writtenModes(0);
  expect(steady).toContain("IMPORT_FOCUS");
  expect(await writtenModes(0.02)).toEqual(steady);
});
