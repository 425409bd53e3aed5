/** What the tests of heat pumps ask of the energy manager. */
import type { EnergyPolicyUpdate } from "../../../src/domain/energy/energy-policy.ts";
import type { Run } from "../home.ts";
import { type EnergyHouse, SECOND } from "./energy-house.ts";

/** The id of the house's only heat pump. */
export function pumpId(run: Run): string {
  return run.engine.assets.list("hvac")[0]?.asset.id ?? "";
}

export async function setPolicy(house: EnergyHouse, run: Run, update: EnergyPolicyUpdate): Promise<void> {
  const work = run.engine.services.energy.setPolicy(pumpId(run), update);
  await house.home.world.clock.resolve(work, 20 * SECOND);
}
