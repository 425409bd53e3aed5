/** Three minutes in a house in which something is wrong, as the API tells of them. */
import { type Hour, STARTS, type Swap } from "./swaps.ts";
import { type ShownFinding, WiredGateway } from "./wired-gateway.ts";
import { buildHouse, type WiredHouse } from "./wired-house.ts";

/** What the installer does meanwhile, by second: the vehicle is stopped and started again. */
const TRIES: Readonly<Record<number, boolean>> = { 40: false, 100: true };
const LOOK_EVERY_S = 20;
export const LIMIT_S = 180;

export interface Watched {
  /** Seconds after the start of the gateway; null: not within the limit. */
  readonly foundAtS: number | null;
  readonly finding: ShownFinding | null;
  /** Findings with a fix for somebody who is not to blame. */
  readonly blamed: readonly ShownFinding[];
  readonly all: readonly ShownFinding[];
}

/** Lets a house live while its installer tries the charger; stops early once `isEnough`. */
export async function live(
  house: WiredHouse,
  gateway: WiredGateway,
  seconds: number,
  isEnough: () => Promise<boolean> = async () => false,
): Promise<number> {
  for (let second = 0; second < seconds; second += LOOK_EVERY_S) {
    const isCharging = TRIES[second % 240];
    if (isCharging !== undefined) house.setCharging(isCharging);
    await gateway.pass(LOOK_EVERY_S);
    if (await isEnough()) return second + LOOK_EVERY_S;
  }
  return seconds;
}

export async function watchSwap(swap: Swap, hour: Hour, seed: number): Promise<Watched> {
  const { layout, wiring = {}, configure = (devices) => devices, expected } = swap;
  const house = await buildHouse({ seed, start: STARTS[hour], layout, wiring });
  const gateway = new WiredGateway(house, configure(house.devices));
  await gateway.start();
  let finding: ShownFinding | null = null;
  const foundAtS = await live(house, gateway, LIMIT_S, async () => {
    finding = (await gateway.findings()).find((each) => isAsExpected(each, expected)) ?? null;
    return finding !== null && (await isTold(gateway, finding));
  });
  const all = await gateway.findings();
  const isFound = finding !== null && (await isTold(gateway, finding));
  await gateway.stop();
  const blamed = all.filter(({ deviceId, fix }) => fix !== null && !expected.devices.includes(deviceId));
  return { foundAtS: isFound ? foundAtS : null, finding, blamed, all };
}

function isAsExpected(finding: ShownFinding, { check, devices, fix }: Swap["expected"]): boolean {
  if (finding.check !== check || !devices.includes(finding.deviceId)) return false;
  if (!/\d/.test(finding.measured)) return false;
  if (fix === null || finding.fix === null) return fix === finding.fix;
  return Object.entries(fix).every(
    ([key, value]) => JSON.stringify(Reflect.get(finding.fix ?? {}, key)) === JSON.stringify(value),
  );
}

/** Whether whoever looks at the asset is sent to it. What needed no answer is done: its second view is gone. */
async function isTold(gateway: WiredGateway, finding: ShownFinding): Promise<boolean> {
  const asset = await gateway.assetOf(finding);
  if (asset === null) return finding.check === "duplicate" && finding.state === "CONFIRMED";
  return (await gateway.remedies(asset)).some((title) => title.startsWith("Check how"));
}
