/** The house that generated requests are sent to: a device of each kind, and a sandbox for more. */
import { simulatedAdapter } from "../../adapters/simulated/device/simulated-adapter.ts";
import { sandboxVendors } from "../../src/cli/sandbox/sandbox-vendors.ts";
import { openRealHouse, type RealHouse } from "../api/support/real-house.ts";
import { addDevices } from "../conformance/house.ts";
import { makeHome } from "../engine/home.ts";

const SETTLE_MS = 3_000;

export async function openGeneratorHouse(): Promise<RealHouse> {
  const sandbox = { isEnabled: true };
  const home = makeHome(1, { adapters: [simulatedAdapter(sandboxVendors())], sandbox });
  addDevices(home);
  const house = await openRealHouse({ home, config: { sandbox }, maySetLimits: true });
  await house.pass(SETTLE_MS);
  return house;
}
