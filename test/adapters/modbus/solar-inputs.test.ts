import type { DeviceProfile } from "hemgate/sdk";
import { expect, test } from "vitest";
import { alphaEssSmile } from "../../../adapters/modbus/profiles/alpha-ess-smile.ts";
import { deye1p } from "../../../adapters/modbus/profiles/deye-1p.ts";
import { deye3p } from "../../../adapters/modbus/profiles/deye-3p.ts";
import { sofarHydG3 } from "../../../adapters/modbus/profiles/sofar-hyd-g3.ts";
import { solaxG3g4 } from "../../../adapters/modbus/profiles/solax-g3g4.ts";
import { profileDriver, readAll } from "./profile-driver.ts";
import { zeroUnit } from "./zero-unit.ts";

/** Registers of the modules' powers, each of which holds 1 in turn, and what one count of them is in W. */
const INPUTS: readonly (readonly [DeviceProfile, "holding" | "input", readonly number[], number])[] = [
  [alphaEssSmile, "holding", [1056, 1060, 1064, 1068, 1072, 1076], 1],
  [deye1p, "holding", [186, 187, 188, 189], 1],
  [deye3p, "holding", [672, 673, 674, 675], 1],
  [sofarHydG3, "holding", [1414, 1417, 1420, 1423, 1426, 1429, 1432, 1435, 1438, 1441], 10],
  [solaxG3g4, "input", [10, 11, 292], 1],
];

test.each(INPUTS.map(([profile, ...rest]) => [profile.id, profile, ...rest] as const))(
  "%s counts the sun of every input",
  async (_id, profile, table, addresses, watts) => {
    for (const address of addresses) {
      const unit = zeroUnit(profile).set(table, address, 7);
      expect([address, (await readAll(await profileDriver(profile, unit)))["inverter.power"]]).toEqual([
        address,
        7 * watts,
      ]);
    }
  },
);
