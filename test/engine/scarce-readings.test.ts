/** Devices that are asked and have nothing new to tell, as those behind clouds. */
import { expect, test } from "vitest";
import type { ActionWish } from "../../src/domain/action.ts";
import type { PointName } from "../../src/sdk/points.ts";
import type { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { chargerOptions, makeHome } from "./home.ts";

const SECOND = 1_000;
const START: ActionWish = { targetType: "charger", kind: "START" };

function tellNothing(charger: FakeDevice): void {
  for (const point of Object.keys(charger.values)) Reflect.deleteProperty(charger.values, point);
}

function tellOldThings(charger: FakeDevice, atMs: number): void {
  for (const point of Object.keys(charger.values) as PointName[]) charger.measuredAtMs[point] = atMs;
}

test.each(["nothing", "old things"])(
  "a command is looked at every few seconds while the device tells %s",
  async (what) => {
    const home = makeHome();
    const { clock } = home.world;
    const charger = home.add("charger", chargerOptions({ pollMs: 60 * SECOND }));
    charger.onWrite = () => undefined;
    if (what === "old things") tellOldThings(charger, clock.nowMs() - 60 * SECOND);
    const run = await home.start();
    await clock.advance(5 * SECOND);
    const id = run.engine.assets.list("charger")[0]?.asset.id ?? "";
    if (what === "nothing") tellNothing(charger);
    await clock.resolve(run.engine.actions.start(id, START), 10 * SECOND);
    const before = charger.calls.length;
    await clock.advance(30 * SECOND);
    const reads = charger.calls.slice(before).filter(({ call }) => call === "read").length;
    expect(reads).toBeGreaterThan(3);
    expect(reads).toBeLessThan(40);
    await run.close();
  },
);
