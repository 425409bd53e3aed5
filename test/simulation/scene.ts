import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import type { GatewayBox } from "../long-run/gateway-box.ts";
import type { LongRun } from "../long-run/long-run.ts";
import type { SimulatedHouse } from "./simulated-house.ts";
import type { SimulatedUser } from "./simulated-user.ts";
import type { SimulationChecks } from "./simulation-checks.ts";

/** What the parts of a simulation share. */
export interface Scene {
  readonly run: LongRun;
  readonly world: World;
  readonly house: SimulatedHouse;
  readonly box: GatewayBox;
  readonly user: SimulatedUser;
  readonly checks: SimulationChecks;
  readonly disk: MemoryDisk;
  readonly random: SeededRandom;
}
