import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { World } from "../../src/testing/world.ts";
import type { Agenda } from "./agenda.ts";
import type { GatewayBox } from "./gateway-process.ts";
import type { SimulatedHouse } from "./simulated-house.ts";
import type { SimulatedUser } from "./simulated-user.ts";
import type { SimulationChecks } from "./simulation-checks.ts";

/** What the parts of a simulation share. */
export interface Scene {
  readonly world: World;
  readonly house: SimulatedHouse;
  readonly box: GatewayBox;
  readonly user: SimulatedUser;
  readonly checks: SimulationChecks;
  readonly disk: MemoryDisk;
  readonly agenda: Agenda;
  readonly random: SeededRandom;
  /** Takes what broke; the run ends after that. */
  broke(breaches: readonly string[]): void;
}
