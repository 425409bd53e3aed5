/** A house and its gateway for some virtual hours, with everything going wrong that can, checked after each step. */
import type { Adapter } from "../../src/sdk/driver.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";
import { Agenda } from "./agenda.ts";
import { FaultRunner } from "./fault-runner.ts";
import { FAULT_CLASSES, type FaultClass, faultScript, type ScriptedFault } from "./fault-script.ts";
import { GatewayBox } from "./gateway-process.ts";
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

export interface SimulationResult {
  readonly seed: number;
  readonly hours: number;
  /** SHA-256 of the event log. */
  readonly hash: string;
  readonly events: number;
  readonly readings: number;
  readonly commands: number;
  readonly writes: number;
  readonly journalRecords: number;
  /** Values of the API held against the truth, and seconds in which a reversion was waited for. */
  readonly comparisons: number;
  readonly reversions: number;
  /** How often each class of fault struck. */
  readonly fired: readonly { readonly kind: FaultClass; readonly count: number }[];
  /** What broke first, with the virtual time; empty when nothing did. */
  readonly breaches: readonly string[];
  /** What happened before it broke. */
  readonly lastEvents: readonly string[];
}

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const STEP_MS = 5_000;
const JOURNAL_EVERY_MS = 30_000;
const COMPARE_EVERY_MS = 60_000;
const JOIN_WITHIN_MS = 5_000;

/** Runs until the time is over or something broke. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const breaches: string[] = [];
  const scene = await setScene(options, breaches);
  const userScript = new UserScript(scene);
  const faults = new FaultRunner(scene, userScript);
  const endMs = options.hours * HOUR_MS;
  const { gateway } = await scene.box.start();
  await scene.world.clock.resolve(scene.user.join(gateway), JOIN_WITHIN_MS);
  planChecks(scene);
  planScript(options, scene, userScript, faults);
  const isOver = (): boolean => breaches.length > 0;
  await live(scene, endMs, isOver);
  if (!isOver()) await faults.stop();
  return result(options, scene, { userScript, faults, breaches });
}

async function setScene(options: SimulationOptions, breaches: string[]): Promise<Scene> {
  const { seed, adapters, sabotage = {} } = options;
  const world = new World({ seed });
  let checks: SimulationChecks | null = null;
  const house = await startHouse(world, {
    onWrite: (write) => checks?.received(write),
    ...(sabotage.wrapImage !== undefined && { wrapImage: sabotage.wrapImage }),
  });
  const disk = sabotage.disk ?? new MemoryDisk();
  const devices = house.devices.map((device) => ({ ...device, ...holdOf(device.profile) }));
  const box = new GatewayBox(world, disk, devices, adapters);
  const user = new SimulatedUser(world.random.fork("user"), () => world.clock.monotonicMs());
  checks = new SimulationChecks({ world, box, house, user });
  const broke = (texts: readonly string[]): void => {
    const at = `${(world.clock.monotonicMs() / 1_000).toFixed(3)} s`;
    breaches.push(...texts.map((text) => `${at}: ${text}`));
  };
  return { world, house, box, user, checks, disk, agenda: new Agenda(), random: world.random.fork("script"), broke };
}

function holdOf(profile: string): object {
  return profile === "sunspec" ? { holdSeconds: HOLD_MS / 1_000 } : {};
}

function planChecks(scene: Scene): void {
  const { box, checks, broke } = scene;
  every(scene, SECOND_MS, async () => broke(checks.everySecond()));
  every(scene, STEP_MS, async () => broke(checks.afterStep()));
  every(scene, JOURNAL_EVERY_MS, async () => {
    if (box.running !== null) broke(await checks.newJournal(box.running));
  });
  every(scene, COMPARE_EVERY_MS, async () => {
    if (box.running !== null) broke(await checks.shownValues(box.running));
  });
}

function every({ agenda, world }: Scene, periodMs: number, run: () => Promise<void>): void {
  const again = async (): Promise<void> => {
    await run();
    agenda.at(world.clock.monotonicMs() + periodMs, again);
  };
  agenda.at(world.clock.monotonicMs() + periodMs, again);
}

function planScript(options: SimulationOptions, scene: Scene, userScript: UserScript, faults: FaultRunner): void {
  const { script, hours } = options;
  for (const fault of script?.faults ?? faultScript(scene.random, hours * HOUR_MS)) {
    scene.agenda.at(fault.atMs, () => faults.strike(fault));
  }
  if (script === undefined) userScript.begin();
  else for (const { atMs, command } of script.commands) scene.agenda.at(atMs, () => userScript.send(command));
}

async function live({ world: { clock }, agenda }: Scene, endMs: number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const nextMs = agenda.nextMs() ?? endMs;
    await clock.advance(Math.max(0, Math.min(nextMs, endMs) - clock.monotonicMs()));
    if (nextMs >= endMs) return;
    await agenda.runNext();
  }
}

function result(
  { seed, hours }: SimulationOptions,
  { world, box, checks }: Scene,
  run: { readonly userScript: UserScript; readonly faults: FaultRunner; readonly breaches: readonly string[] },
): SimulationResult {
  world.events.add("traffic", { checksum: world.net.trafficChecksum, deliveries: world.net.deliveries });
  return {
    seed,
    hours,
    hash: world.events.digest(),
    events: world.events.count,
    readings: box.readings,
    commands: run.userScript.commands,
    writes: checks.writes,
    journalRecords: checks.journalRecords,
    comparisons: checks.comparisons,
    reversions: checks.reversions,
    fired: FAULT_CLASSES.map((kind) => ({ kind, count: run.faults.fired(kind) })),
    breaches: run.breaches,
    lastEvents: run.breaches.length === 0 ? [] : world.events.recent,
  };
}
