/** A battery and a charger that are told to do things. */
import type { Action, DesiredSetting } from "../../../src/domain/actions/action.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "../home.ts";

export const SECOND = 1_000;

export const MINUTE = 60 * SECOND;

export const START: DesiredSetting = { targetType: "charger", kind: "START" };

export const STOP: DesiredSetting = { targetType: "charger", kind: "STOP" };

export async function makeHouse(change: { battery?: object; charger?: object } = {}) {
  const home = makeHome();
  const battery = home.add("battery", batteryOptions(change.battery));
  const charger = home.add("charger", chargerOptions(change.charger));
  followSwitch(charger);
  const run = await home.start();
  await home.world.clock.advance(5 * SECOND);
  const batteryId = run.engine.assets.list("battery")[0]?.asset.id ?? "";
  const chargerId = run.engine.assets.list("charger")[0]?.asset.id ?? "";
  return { home, run, battery, charger, batteryId, chargerId };
}

export function start(home: Home, run: Run, id: string, setting: DesiredSetting): Promise<Action> {
  return home.world.clock.resolve(run.engine.actions.start(id, setting), 10 * SECOND);
}

export function stateOf(run: Run, action: Action): Pick<Action, "state" | "failureReason"> | null {
  return run.engine.actions.get(action.targetType, action.id);
}

/** Everything that is written stays without effect. */
export const ignore = (): void => undefined;
