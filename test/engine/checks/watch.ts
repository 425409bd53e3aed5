/** Watches a house with an installation mistake for three minutes over the API. */
import { type Hour, STARTS, type Swap } from "./swaps.ts";
import { type ShownFinding, WiredGateway } from "./wired-gateway.ts";
import { buildHouse, type WiredHouse } from "./wired-house.ts";

/** The seconds at which the installer stops and restarts charging. */
const TRIES: Readonly<Record<number, boolean>> = { 40: false, 100: true };
const LOOK_EVERY_S = 20;
export const LIMIT_S = 180;

export interface Watched {
  /** Seconds after the start of the gateway; `null` if not found within the limit. */
  readonly foundAtS: number | null;
  readonly finding: ShownFinding | null;
  /** Findings with a fix for a device that is installed correctly. */
  readonly blamed: readonly ShownFinding[];
  readonly all: readonly ShownFinding[];
}

/** Advances the time while the installer tries the charger, until `isEnough` or the limit. Returns the seconds passed. */
export async function watchHouse(
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
  const foundAtS = await watchHouse(house, gateway, LIMIT_S, async () => {
    finding = (await gateway.findings()).find((each) => isAsExpected(each, expected)) ?? null;
    return finding !== null && (await isReported(gateway, finding));
  });
  const all = await gateway.findings();
  const isFound = finding !== null && (await isReported(gateway, finding));
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

/** True if the asset names the remedy of the finding, or if a duplicate was confirmed and hidden automatically. */
async function isReported(gateway: WiredGateway, finding: ShownFinding): Promise<boolean> {
  const asset = await gateway.assetOf(finding);
  if (asset === null) return finding.check === "duplicate" && finding.state === "CONFIRMED";
  return (await gateway.remedies(asset)).some((title) => title.startsWith("Check how"));
}
