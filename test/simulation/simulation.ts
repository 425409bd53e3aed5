/** A house and its gateway for some virtual hours, with everything going wrong that can, checked after each step. */
import { configSchema } from "../../src/config/config.ts";
import { HOUR_MS, SECOND_MS } from "../../src/domain/duration.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { ApiClient } from "../long-run/api-client.ts";
import { GatewayBox } from "../long-run/gateway-box.ts";
import { LongRun, type RunReport } from "../long-run/long-run.ts";
import { countedAdapter } from "./counted-adapter.ts";
import { FaultRunner } from "./fault-runner.ts";
import { FAULT_CLASSES, type FaultClass, faultScript, type ScriptedFault } from "./fault-script.ts";
import type { Scene } from "./scene.ts";
import { startHouse, type WrapImage } from "./simulated-house.ts";
import { SimulatedUser, type UserCommand } from "./simulated-user.ts";
import { HOLD_MS, SimulationChecks } from "./simulation-checks.ts";
import { UserScript } from "./user-script.ts";

/** What happens in a run, said in advance instead of drawn from the seed. */
export interface Script {
  readonly faults: readonly ScriptedFault[];
  /** Commands of the user; `atMs` is monotonic. */
  readonly commands: readonly { readonly atMs: number; readonly command: UserCommand }[];
}

export interface SimulationOptions {
  readonly seed: number;
  readonly hours: number;
  readonly adapters: readonly Adapter[];
  readonly script?: Script;
  /** Makes the world worse than any gateway can stand, so that tests see the checks find it. */
  readonly sabotage?: { readonly wrapImage?: WrapImage; readonly disk?: MemoryDisk };
}

export interface SimulationResult extends RunReport {
  readonly seed: number;
  readonly hours: number;
  readonly readings: number;
  readonly commands: number;
  readonly writes: number;
  readonly journalRecords: number;
  /** Values of the API held against the truth, and seconds in which a reversion was waited for. */
  readonly comparisons: number;
  readonly reversions: number;
  /** How often each class of fault struck. */
  readonly fired: readonly { readonly kind: FaultClass; readonly count: number }[];
}

const STEP_MS = 5_000;
const JOURNAL_EVERY_MS = 30_000;
const COMPARE_EVERY_MS = 60_000;

/** Runs until the time is over or something broke. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  let readings = 0;
  const adapters = options.adapters.map((adapter) => countedAdapter(adapter, (count) => (readings += count)));
  const scene = await setScene(options, adapters);
  const { run } = scene;
  const userScript = new UserScript(scene);
  const faults = new FaultRunner(scene, userScript);
  await scene.box.start();
  await scene.user.client.join("simulated user");
  planChecks(scene);
  planScript(options, scene, userScript, faults);
  await run.live(options.hours * HOUR_MS);
  if (!run.isOver) await faults.stop();
  return result(options, scene, { userScript, faults, readings });
}

async function setScene({ seed, sabotage = {} }: SimulationOptions, adapters: readonly Adapter[]): Promise<Scene> {
  const world = new World({ seed });
  let checks: SimulationChecks | null = null;
  const house = await startHouse(world, {
    onWrite: (write) => checks?.received(write),
    ...(sabotage.wrapImage !== undefined && { wrapImage: sabotage.wrapImage }),
  });
  const disk = sabotage.disk ?? new MemoryDisk();
  const devices = house.devices.map((device) => ({ ...device, ...holdOf(device.profile) }));
  const config = configSchema(adapters).parse({ devices });
  const box = new GatewayBox(world, { config, adapters: () => adapters, disk });
  const user = new SimulatedUser(world.random.fork("user"), new ApiClient(world, box));
  checks = new SimulationChecks({ world, box, house, user });
  return { run: new LongRun(world), world, house, box, user, checks, disk, random: world.random.fork("script") };
}

function holdOf(profile: string): object {
  return profile === "sunspec" ? { holdSeconds: HOLD_MS / 1_000 } : {};
}

function planChecks({ run, checks }: Scene): void {
  run.every(SECOND_MS, () => checks.everySecond());
  run.every(STEP_MS, () => checks.afterStep());
  run.every(JOURNAL_EVERY_MS, () => checks.newJournal());
  run.every(COMPARE_EVERY_MS, () => checks.shownValues());
}

function planScript(options: SimulationOptions, scene: Scene, userScript: UserScript, faults: FaultRunner): void {
  const { script, hours } = options;
  for (const fault of script?.faults ?? faultScript(scene.random, hours * HOUR_MS)) {
    scene.run.at(fault.atMs, () => faults.strike(fault));
  }
  if (script === undefined) userScript.begin();
  else for (const { atMs, command } of script.commands) scene.run.at(atMs, () => userScript.send(command));
}

function result(
  { seed, hours }: SimulationOptions,
  { run, world, checks }: Scene,
  parts: { readonly userScript: UserScript; readonly faults: FaultRunner; readonly readings: number },
): SimulationResult {
  world.events.add("traffic", { checksum: world.net.trafficChecksum, deliveries: world.net.deliveries });
  return {
    seed,
    hours,
    ...run.report(),
    readings: parts.readings,
    commands: parts.userScript.commands,
    writes: checks.writes,
    journalRecords: checks.journalRecords,
    comparisons: checks.comparisons,
    reversions: checks.reversions,
    fired: FAULT_CLASSES.map((kind) => ({ kind, count: parts.faults.fired(kind) })),
  };
}
