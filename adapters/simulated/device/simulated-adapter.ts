import { type Adapter, type Driver, defineAdapter, type LinkableVendor } from "hemgate/sdk";
import { z } from "zod";
import { signIn } from "./account-linking.ts";
import { controlsOf } from "./device-points.ts";
import { serialOf } from "./serial.ts";
import { Simulation } from "./simulation.ts";

const POLL_MS = 5_000;
/** The code of a device whose category does not know its vendor. */
const GENERIC_VENDOR = "SIMULATED";

const options = z.strictObject({
  simulatedId: z.string().meta({ description: "Which made-up device it is." }),
  grant: z.int().meta({ description: "Which sign-in it was linked with." }),
});

/** Made-up devices of every kind, in this process. People link those of an account by signing in to it. */
export function simulatedAdapter(linking: readonly LinkableVendor[]): Adapter<typeof options.shape> {
  return defineAdapter({
    name: "simulated",
    options,
    linking,
    isSandbox: true,
    start: ({ clock, random }) => {
      const simulation = new Simulation(clock);
      return {
        simulation,
        linking: { take: (step) => signIn(step, { simulation, random, vendors: linking }) },
        connect: async (_deviceId, { simulatedId, grant }) => openDriver(simulation, simulatedId, grant),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  });
}

function openDriver(simulation: Simulation, id: string, grant: number): Driver {
  const device = simulation.reach(id, grant);
  const { name, model, year, category, groupName, vendor } = device;
  return {
    identity: { manufacturer: null, model, serial: serialOf(device), version: null, name, year, category, groupName },
    vendors: [vendor, GENERIC_VENDOR],
    points: simulation.readings(id).map(({ point }) => point),
    controls: controlsOf(device),
    pollMs: POLL_MS,
    read: async () => {
      simulation.reach(id, grant);
      return simulation.readings(id);
    },
    write: async (point, value) => simulation.command(simulation.reach(id, grant), point, value),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
