/** A gateway in a simulated house with one twin, that is killed and started again. */
import type { DeviceProfile } from "hemgate/sdk";
import { SeededRandom, serveModbus } from "hemgate/testing";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import type { DesiredSetting } from "../../../../src/domain/actions/action.ts";
import type { AssetKind } from "../../../../src/domain/assets/asset.ts";
import { type Home, makeHome, type Run } from "../../../engine/home.ts";
import { createTwin } from "../../../twins/registers/create-twin.ts";
import type { RegisterTwin } from "../../../twins/registers/register-twin.ts";
import { SunSpecTwin, type SunSpecTwinOptions } from "./sunspec-twin.ts";
import { settingsOf } from "./twin-bench.ts";
import { twinOf } from "./twin-of.ts";

/** How often the devices here are polled, ms; a real house asks more often. */
export const POLL_MS = 5_000;
export const ADDRESS = { host: "device", port: 502 };
const ACTION_LIMIT_MS = 10_000;

/** What the deaths look at. */
type LeaseTwin = Pick<RegisterTwin, "effect" | "requests"> & {
  readonly writes: readonly unknown[];
  readonly wear: readonly { readonly id: string }[];
};

export interface LeaseHouse {
  readonly home: Home;
  readonly twin: LeaseTwin;
  readonly random: SeededRandom;
  start(): Promise<Run>;
  /** Starts an action and does not wait for its end. */
  command(run: Run, setting: DesiredSetting & { readonly targetType: AssetKind }): Promise<void>;
  /** As a power cut does; then time passes. */
  kill(run: Run, afterwardsMs: number): Promise<void>;
}

export async function openLeaseHouse(profile: DeviceProfile, seed: number): Promise<LeaseHouse> {
  const which = twinOf(profile);
  if (which === null) throw new Error(`${profile.id} has no twin`);
  const home = makeHome(seed, { adapters: [modbusAdapter] });
  const { id, behaviour = {} } = which;
  const twin = await createTwin(id, { clock: home.world.clock, behaviour });
  await serveModbus({ clock: home.world.clock, net: home.world.net.host() }, twin, ADDRESS, {
    maxClients: profile.limits.maxClients ?? 8,
  });
  return houseOf(home, twin, seed, { profile: profile.id, settings: settingsOf(profile) });
}

/** A house with a SunSpec inverter and its battery. */
export async function openSunSpecHouse(
  seed: number,
  { holdSeconds, ...rest }: Omit<SunSpecTwinOptions, "clock"> & { readonly holdSeconds: number },
): Promise<LeaseHouse> {
  const home = makeHome(seed, { adapters: [modbusAdapter] });
  const twin = new SunSpecTwin({ clock: home.world.clock, ...rest });
  await serveModbus({ clock: home.world.clock, net: home.world.net.host() }, twin, ADDRESS);
  return houseOf(home, twin, seed, { profile: "sunspec", holdSeconds });
}

function houseOf(home: Home, twin: LeaseTwin, seed: number, options: object): LeaseHouse {
  const { world, disk } = home;
  const device = {
    id: "device",
    adapter: "modbus",
    ...ADDRESS,
    confirmUnverified: true,
    pollMs: { fast: POLL_MS, normal: POLL_MS, slow: 12 * POLL_MS },
    ...options,
  };
  return {
    home,
    twin,
    random: new SeededRandom(seed),
    start: () => home.start({ devices: [device] }),
    async command({ engine }, setting) {
      const target = engine.assets.list(setting.targetType)[0]?.asset.id ?? `no ${setting.targetType}`;
      await world.clock.resolve(engine.actions.start(target, setting), ACTION_LIMIT_MS);
    },
    async kill(run, afterwardsMs) {
      run.process.kill();
      disk.crash();
      await world.clock.advance(afterwardsMs);
    },
  };
}
