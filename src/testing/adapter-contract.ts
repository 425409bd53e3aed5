/** What every adapter keeps, whatever its devices: cases for any test runner. */
import assert from "node:assert/strict";
import { z } from "zod";
import { fieldsProblem } from "../domain/linking/link-field-names.ts";
import type { MqttLinks } from "../platform/ports/ports.ts";
import { DeviceError } from "../points/device-error.ts";
import { POINT_UNITS, type Reading } from "../points/points.ts";
import type { Adapter, Driver, RunningAdapter } from "../sdk/driver.ts";
import type { AccountNotes } from "../sdk/notes.ts";
import { MemoryAccountNotes } from "./memory-account-notes.ts";
import { MemoryDisk } from "./memory-disk.ts";
import { MemoryNotes } from "./memory-notes.ts";
import { type SimProcess, World } from "./world.ts";

/** How long a call may take, of virtual time; the gateway gives up at 30 s. */
const CALL_LIMIT_MS = 30_000;
/** How soon a call ends after its signal aborted. */
const ABORT_LIMIT_MS = 1_000;

/** A device in the simulated world that an adapter can reach. */
export interface ContractDevice {
  /** What the device's entry in a configuration says. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the adapter keeps of its accounts, that the device's was signed in to among it; default: nothing. */
  readonly accounts?: AccountNotes;
  /** From here on nothing answers. */
  stop(): Promise<void> | void;
}

export interface ContractSubject {
  readonly adapter: Adapter;
  /** Puts a device that works into the world. Virtual time stands still meanwhile. */
  device(world: World): Promise<ContractDevice> | ContractDevice;
}

export interface ContractCase {
  readonly name: string;
  /** Rejects with an assertion error that says what is not kept. */
  run(): Promise<void>;
}

/** Returns the cases; each has its own world. */
export function adapterContract(subject: ContractSubject): readonly ContractCase[] {
  const inHouse = (name: string, run: (house: House) => Promise<void>): ContractCase => ({
    name,
    run: async () => {
      const house = await House.open(subject);
      await house.world.clock.resolve(run(house), 20 * CALL_LIMIT_MS);
    },
  });
  return [
    { name: "its options can be described, and refuse what they do not know", run: async () => checkOptions(subject) },
    { name: "what it asks people fits into the link page's forms", run: async () => checkLinkForms(subject) },
    inHouse("what it asks the owner of a device fits into its options", checkSetup),
    inHouse("a device tells who it is and what it measures", checkDriver),
    inHouse("every reading is a known point with a value of its type, or null", checkReadings),
    inHouse("a read of what is due is part of all", checkDue),
    inHouse("a control refuses what is out of its range", checkControls),
    inHouse("a signal that was aborted ends every call at once", checkAborts),
    inHouse("a device that is not there is a DeviceError in bounded time", checkAbsent),
    inHouse("a device that dies is a DeviceError in bounded time", checkDeath),
    inHouse("a closed driver and adapter leave nothing behind", checkLeftovers),
    inHouse("two connections to one device do not disturb each other", checkPair),
  ];
}

const NO_MQTT: MqttLinks = {
  link: () => {
    throw new DeviceError("unreachable", "there is no MQTT broker in this test");
  },
};

/** A world with the device in it, and the adapter at work in a process. */
class House {
  readonly world: World;
  readonly process: SimProcess;
  readonly device: ContractDevice;
  readonly running: RunningAdapter<Readonly<Record<string, unknown>>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly schema: Adapter["options"];

  private constructor(world: World, device: ContractDevice, adapter: Adapter) {
    this.world = world;
    this.device = device;
    this.process = world.boot("contract", new MemoryDisk());
    const kept = { notes: new MemoryNotes(), accounts: device.accounts ?? new MemoryAccountNotes() };
    this.running = adapter.start({ ...this.process.platform, mqtt: NO_MQTT, ...kept });
    this.schema = adapter.options;
    this.options = adapter.options.parse(device.options);
  }

  static async open({ adapter, device }: ContractSubject): Promise<House> {
    const world = new World({ seed: 1 });
    return new House(world, await device(world), adapter);
  }

  connect(signal: AbortSignal = CALM.signal): Promise<Driver> {
    return this.running.connect("device", this.options, signal);
  }

  /** Rejects when the call takes longer than the gateway waits. */
  async inTime<Result>(what: string, call: Promise<Result>, limitMs = CALL_LIMIT_MS): Promise<Result> {
    const startMs = this.world.clock.monotonicMs();
    try {
      return await call;
    } finally {
      const tookMs = this.world.clock.monotonicMs() - startMs;
      assert(tookMs <= limitMs, `${what} took ${tookMs} ms; ${limitMs} are allowed`);
    }
  }
}

const CALM = new AbortController();
const LINKABLE = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;

function checkOptions({ adapter }: ContractSubject): void {
  assert.match(adapter.name, /^[a-z0-9][a-z0-9-]{0,62}$/, "an adapter's name is lower-case letters, digits and dashes");
  const schema = z.toJSONSchema(adapter.options, { io: "input", unrepresentable: "any" });
  for (const [name, option] of Object.entries(schema.properties ?? {})) {
    const isDescribed = typeof option === "object" && typeof option.description === "string";
    assert(isDescribed, `the option ${name} has no description (.meta({ description }))`);
  }
  for (const reserved of ["id", "adapter", "name", "owner", "scopes"]) {
    assert(!(reserved in adapter.options.shape), `the option ${reserved} is the gateway's own`);
  }
}

function checkLinkForms({ adapter }: ContractSubject): void {
  for (const { id, fields } of adapter.linking ?? []) {
    const problem = fieldsProblem(fields);
    assert(problem === null, `linking ${id}: ${problem}`);
  }
}

async function checkSetup(house: House): Promise<void> {
  const { running, options, schema } = house;
  const { setup } = running.linking ?? {};
  if (setup === undefined) return;
  const device = { key: "device", vendorTypes: LINKABLE, name: null, model: null, detail: null, options };
  const fields = await house.inTime("setup.fields", setup.fields(device, null, CALM.signal));
  if (fields === "later") return;
  const problem = fieldsProblem(fields);
  assert(problem === null, `setup: ${problem}`);
  const values = Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial]));
  const step = await house.inTime("setup.apply", setup.apply(device, values, CALM.signal));
  assert(step.kind === "ready", "what a form holds at first is refused");
  const { success, error } = schema.safeParse(step.device.options);
  assert(success, `what an owner decided is not among the options: ${error?.message}`);
}

async function checkDriver(house: House): Promise<void> {
  await using driver = await house.inTime("connect", house.connect());
  const { identity, vendors, points, pollMs } = driver;
  for (const part of ["manufacturer", "model", "serial", "version"] as const) {
    const value = identity[part];
    assert(value === null || typeof value === "string", `identity.${part} is text or null`);
    assert(value !== "", `identity.${part} is null where the device tells nothing`);
  }
  assert(vendors.length > 0 && vendors.every((vendor) => /^[A-Z0-9_-]+$/.test(vendor)), "vendors are codes");
  assert(points.length > 0, "a device has points");
  assert.equal(new Set(points).size, points.length, "no point stands twice");
  for (const point of points) assert(point in POINT_UNITS, `there is no point ${point}`);
  assert(Number.isFinite(pollMs) && pollMs >= 50, `pollMs is ${pollMs}; at least 50`);
  for (const { point } of driver.controls) {
    assert(points.includes(point), `the control ${point} is read back: nobody could see whether it was done`);
  }
}

async function checkReadings(house: House): Promise<void> {
  await using driver = await house.connect();
  const readings = await house.inTime("read", driver.read("all", CALM.signal));
  for (const reading of readings) assertSound(reading, driver);
  const read = new Set(readings.map(({ point }) => point));
  const missing = driver.points.filter((point) => !read.has(point));
  assert.deepEqual(missing, [], "a read of all tells every point, null where the device cannot tell");
}

function assertSound({ point, value }: Reading, driver: Driver): void {
  assert(driver.points.includes(point), `${point} was read and is not among the driver's points`);
  if (value === null) return;
  if (POINT_UNITS[point] === "") {
    assert(typeof value === "string" || typeof value === "boolean", `${point} is a state, not ${value}`);
  } else {
    assert(typeof value === "number" && Number.isFinite(value), `${point} is a finite number or null, not ${value}`);
  }
}

async function checkDue(house: House): Promise<void> {
  await using driver = await house.connect();
  await driver.read("all", CALM.signal);
  await house.world.clock.sleep(driver.pollMs, CALM.signal);
  for (const reading of await house.inTime("read", driver.read("due", CALM.signal))) assertSound(reading, driver);
}

async function checkControls(house: House): Promise<void> {
  await using driver = await house.connect();
  await driver.read("all", CALM.signal);
  for (const { point, range, holdMs } of driver.controls) {
    assert(holdMs === null || (Number.isFinite(holdMs) && holdMs > 0), `${point}: holdMs is a time or null`);
    if (range === undefined) continue;
    assert(range.min < range.max, `${point}: the range is ${range.min} to ${range.max}`);
    const beyond = driver.write(point, range.max + 1, CALM.signal);
    await assert.rejects(house.inTime("write", beyond), isDeviceError, `${point} took ${range.max + 1}`);
  }
}

async function checkAborts(house: House): Promise<void> {
  const reason = new Error("nobody waits any more");
  const aborted = AbortSignal.abort(reason);
  await assert.rejects(house.inTime("connect", house.connect(aborted), ABORT_LIMIT_MS), "connect went on");
  await using driver = await house.connect();
  await assert.rejects(house.inTime("read", driver.read("all", aborted), ABORT_LIMIT_MS), "read went on");
  const later = new AbortController();
  const reading = driver.read("all", later.signal).catch(() => []);
  later.abort(reason);
  await house.inTime("a read that was under way", reading, ABORT_LIMIT_MS);
}

async function checkAbsent(house: House): Promise<void> {
  await house.device.stop();
  await assert.rejects(house.inTime("connect", house.connect()), isDeviceError, "connect found a device that is gone");
}

async function checkDeath(house: House): Promise<void> {
  await using driver = await house.connect();
  await driver.read("all", CALM.signal);
  await house.device.stop();
  // The first read may still tell what was received before; after that nothing may.
  await house.inTime("read", driver.read("all", CALM.signal)).catch(() => []);
  for (let waitedMs = 0; waitedMs < 10 * CALL_LIMIT_MS; waitedMs += CALL_LIMIT_MS) {
    await house.world.clock.sleep(CALL_LIMIT_MS, CALM.signal);
    try {
      await house.inTime("read", driver.read("all", CALM.signal));
    } catch (error) {
      assert(isDeviceError(error), `a dead device is a DeviceError, not ${error}`);
      return;
    }
  }
  assert.fail("a device that died minutes ago still tells values");
}

async function checkLeftovers(house: House): Promise<void> {
  const driver = await house.connect();
  await driver.read("all", CALM.signal);
  await house.inTime("closing the driver", Promise.resolve(driver[Symbol.asyncDispose]()), ABORT_LIMIT_MS);
  await house.inTime("closing the adapter", Promise.resolve(house.running[Symbol.asyncDispose]()), ABORT_LIMIT_MS);
  await house.world.clock.sleep(ABORT_LIMIT_MS, CALM.signal);
  assert.deepEqual(
    house.process.resources,
    { ...house.process.resources, streams: 0, timers: 0 },
    "something is still open",
  );
}

async function checkPair(house: House): Promise<void> {
  await using first = await house.connect();
  await using second = await house.connect();
  const [mine, yours] = await Promise.all([first.read("all", CALM.signal), second.read("all", CALM.signal)]);
  assert.deepEqual(
    mine.map(({ point }) => point).sort(),
    yours.map(({ point }) => point).sort(),
    "both see the same points",
  );
}

function isDeviceError(error: unknown): boolean {
  return error instanceof DeviceError;
}
