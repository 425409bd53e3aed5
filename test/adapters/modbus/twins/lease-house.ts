/** A gateway in a simulated house with one twin, that is killed and started again. */
import type { DeviceProfile } from "hemgate/sdk";
import { createTwin, type RegisterTwin, SeededRandom, serveModbus } from "hemgate/testing";
import { modbusAdapter } from "../../../../adapters/modbus/modbus-adapter.ts";
import type { ActionWish } from "../../../../src/domain/action.ts";
import type { AssetKind } from "../../../../src/domain/asset.ts";
import { type Home, makeHome, type Run } from "../../../engine/home.ts";
import { settingsOf } from "./twin-bench.ts";
import { twinOf } from "./twin-of.ts";

/** How often the devices here are polled, ms; a real house asks more often. */
export const POLL_MS = 5_000;
const ADDRESS = { host: "device", port: 502 };
const ACTION_LIMIT_MS = 10_000;

export interface LeaseHouse {
  readonly home: Home;
  readonly twin: RegisterTwin;
  readonly random: SeededRandom;
  start(): Promise<Run>;
  /** Starts an action and does not wait for its end. */
  command(run: Run, wish: ActionWish & { readonly targetType: AssetKind }): Promise<void>;
  /** As a power cut does; then time passes. */
  kill(run: Run, afterwardsMs: number): Promise<void>;
}

export async function openLeaseHouse(profile: DeviceProfile, seed: number): Promise<LeaseHouse> {
  const which = twinOf(profile);
  if (which === null) throw new Error(`${profile.id} has no twin`);
  const home = makeHome(seed, { adapters: [modbusAdapter] });
  const { world, disk } = home;
  const { id, behaviour = {} } = which;
  const twin = await createTwin(id, { clock: world.clock, behaviour });
  await serveModbus({ clock: world.clock, net: world.net.host() }, twin, ADDRESS, {
    maxClients: profile.limits.maxClients ?? 8,
  });
  const device = {
    id: "device",
    adapter: "modbus",
    ...ADDRESS,
    profile: profile.id,
    confirmUnverified: true,
    settings: settingsOf(profile),
    pollMs: { fast: POLL_MS, normal: POLL_MS, slow: 12 * POLL_MS },
  };
  return {
    home,
    twin,
    random: new SeededRandom(seed),
    start: () => home.start({ devices: [device] }),
    async command({ engine }, wish) {
      const target = engine.assets.list(wish.targetType)[0]?.asset.id ?? `no ${wish.targetType}`;
      await world.clock.resolve(engine.actions.start(target, wish), ACTION_LIMIT_MS);
    },
    async kill(run, afterwardsMs) {
      run.process.kill();
      disk.crash();
      await world.clock.advance(afterwardsMs);
    },
  };
}
