/** Houses in which values are held on devices. */
import type { DesiredSetting } from "../../../src/domain/actions/action.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "../home.ts";

export const SECOND = 1_000;

export const MINUTE = 60 * SECOND;

export const HOLD_MS = 60 * SECOND;

export async function command(
  home: Home,
  run: Run,
  kind: "battery" | "charger",
  setting: DesiredSetting,
): Promise<void> {
  const id = run.engine.assets.list(kind)[0]?.asset.id ?? "";
  await home.world.clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND);
  await home.world.clock.advance(5 * SECOND);
}

export function mode(operationMode: "IMPORT_FOCUS" | "IDLE" | "SELF_RELIANCE"): DesiredSetting {
  return { targetType: "battery", operationMode };
}

export function writeTimes(device: FakeDevice): readonly number[] {
  return device.calls.filter(({ call }) => call === "write").map(({ atMs }) => atMs);
}

export async function batteryHouse() {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions());
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  return { home, battery, run };
}

export async function chargerHouse() {
  const home = makeHome();
  const charger = home.add("charger", chargerOptions());
  followSwitch(charger);
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  return { home, charger, run };
}
