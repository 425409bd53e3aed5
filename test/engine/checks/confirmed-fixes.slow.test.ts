import { expect, test } from "vitest";
import type { HomeTruth } from "../../../adapters/simulated/home-truth.ts";
import { STARTS, SWAPS, type Swap } from "./swaps.ts";
import { LIMIT_S, watchHouse } from "./watch.ts";
import { type ShownFinding, WiredGateway } from "./wired-gateway.ts";
import { buildHouse } from "./wired-house.ts";

/** Tolerance, W, because shown values may be some seconds old. */
const LATE_W = 400;
const RIGHT_S = 60;

interface Case {
  readonly name: string;
  /** Returns the value that the asset shows, kW; `truth` returns the true one, W. */
  shown(asset: Readonly<Record<string, Record<string, unknown>>>): unknown;
  truth(truth: HomeTruth): number;
}

const CASES: readonly Case[] = [
  {
    name: "one of its clamps turned round",
    shown: ({ energyState }) => energyState?.["power"],
    truth: ({ gridW }) => gridW,
  },
  {
    name: "the battery's direction",
    shown: ({ chargeState }) => chargeState?.["chargeRate"],
    truth: ({ batteryW }) => batteryW,
  },
];

test.each(CASES)(
  "A confirmed fix corrects the shown value, ends the finding and stays after a restart: $name",
  async (each) => {
    const swap = SWAPS.find(({ name }) => name === each.name) as Swap;
    const house = await buildHouse({ seed: 1, start: STARTS.evening, layout: swap.layout, wiring: swap.wiring ?? {} });
    const gateway = new WiredGateway(house);
    await gateway.start();
    const open = async (): Promise<ShownFinding | undefined> =>
      (await gateway.findings()).find(({ state }) => state === "OPEN");
    await watchHouse(house, gateway, LIMIT_S, async () => (await open()) !== undefined);
    const finding = (await open()) as ShownFinding;
    expect(finding).toMatchObject({ check: swap.expected.check, fix: swap.expected.fix });

    const isRight = async (): Promise<void> => {
      const asset = (await gateway.assetOf(finding)) as Record<string, Record<string, unknown>>;
      expect(Math.abs(1_000 * Number(each.shown(asset)) - each.truth(house.truth()))).toBeLessThan(LATE_W);
      expect(await gateway.remedies(asset)).toEqual([]);
    };
    await expect(isRight()).rejects.toThrow();
    const confirmed = await gateway.ask<ShownFinding>("POST", `/local/checks/${finding.id}/confirm`);
    expect(confirmed.state).toBe("CONFIRMED");
    await gateway.pass(5);
    await isRight();
    await watchHouse(house, gateway, RIGHT_S);
    expect(await gateway.findings()).toMatchObject([{ id: finding.id, state: "CONFIRMED" }]);

    await gateway.stop();
    await gateway.start();
    await watchHouse(house, gateway, RIGHT_S + 40);
    await isRight();
    expect(await gateway.findings()).toMatchObject([{ id: finding.id, state: "CONFIRMED" }]);
    await gateway.stop();
  },
);

test("A finding about reversed clamps closes by itself when the clamps are corrected", async () => {
  let sign: 1 | -1 = -1;
  const meterInputs = ({ gridPhasesW: [l1, l2, l3] }: HomeTruth) => [sign * l1, sign * l2, sign * l3] as const;
  const house = await buildHouse({ seed: 1, start: STARTS.evening, layout: "registers", wiring: { meterInputs } });
  const gateway = new WiredGateway(house);
  await gateway.start();
  const isFound = async () => (await gateway.findings()).length > 0;
  await watchHouse(house, gateway, LIMIT_S, isFound);
  expect(await gateway.findings()).toMatchObject([{ check: "sign", deviceId: "meter", state: "OPEN" }]);
  sign = 1;
  await watchHouse(house, gateway, 2 * 240, async () => !(await isFound()));
  expect(await gateway.findings()).toEqual([]);
  await gateway.stop();
});
