/** One mutation against one connector: all that the kit asks of a connector, while the cloud is hostile. */
import type { Control, PointValue } from "hemgate/sdk";
import type { CloudDevice, CloudSession } from "../../../../adapters/clouds/kit/connector.ts";
import { CloudDriver } from "../../../../adapters/clouds/kit/device/cloud-driver.ts";
import { LastReadings } from "../../../../adapters/clouds/kit/device/last-readings.ts";
import { ReadTimes } from "../../../../adapters/clouds/kit/session/read-times.ts";
import type { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { checkCommands, checkControls, checkDevice, checkError, checkListings, checkReadings } from "./checks.ts";
import { HostileCloud } from "./hostile-cloud.ts";
import type { Command } from "./sent-commands.ts";
import type { Mutation } from "./spoil.ts";
import type { Subject } from "./subjects.ts";

/** Requests that one call may send, retries among them. */
const MOST_REQUESTS = 50;
/** A call may take this long, with all its retries, pauses and requests one after the other, virtual ms. */
const MOST_MS = 30 * 60_000;
/** Between readings: soon, once states are old, once details are. ms. */
const PAUSES_MS = [5_000, 120_000, 2 * 3_600_000, 25 * 3_600_000] as const;
const { signal } = new AbortController();

export interface Attempt {
  readonly subject: Subject;
  readonly mutation: Mutation;
  readonly random: SeededRandom;
  /** When the cloud turns hostile: before the device is found and opened, or after. */
  readonly turns: "before" | "after";
  readonly reads: number;
  /** Takes down what the cloud sent. */
  readonly sent: (what: string) => void;
}

/** What came of it, to show that the trial tried something. */
export interface Outcome {
  readings: number;
  commands: number;
  errors: number;
}

/** Rejects when something does not hold that must. */
export async function trial({ subject, mutation, random, turns, reads, sent }: Attempt): Promise<Outcome> {
  const cloud = new HostileCloud(subject, mutation, random, sent);
  const bench = new Bench(subject, cloud, random, reads);
  const known = await bench.openHonestly();
  cloud.isHostile = true;
  if (turns === "after") await bench.useDevice(known.device);
  known.account[Symbol.dispose]();
  if (turns === "after") return bench.outcome;
  using fresh = await cloud.account();
  const listings = await bench.call(() => subject.connector.list(fresh, signal));
  if (listings !== null) checkListings(listings);
  const opened = await bench.call(() => subject.connector.open(fresh, known.key, signal));
  if (opened !== null) await bench.useDevice(opened);
  return bench.outcome;
}

class Bench {
  readonly outcome: Outcome = { readings: 0, commands: 0, errors: 0 };
  readonly #subject: Subject;
  readonly #cloud: HostileCloud;
  readonly #random: SeededRandom;
  readonly #reads: number;

  constructor(subject: Subject, cloud: HostileCloud, random: SeededRandom, reads: number) {
    this.#subject = subject;
    this.#cloud = cloud;
    this.#random = random;
    this.#reads = reads;
  }

  /** Everything is right while the cloud is: else the checks would show nothing. */
  async openHonestly() {
    const { connector, place } = this.#subject;
    const account = await this.#cloud.account();
    const { key, device } = await this.#cloud.clock.resolve(openAt(connector, account, place), MOST_MS);
    checkDevice(device);
    checkControls(device.controls);
    checkReadings(await this.#cloud.clock.resolve(device.read(signal), MOST_MS), device.points);
    return { account, key, device };
  }

  async useDevice(behind: CloudDevice): Promise<void> {
    checkDevice(behind);
    const device = this.#driverOf(behind);
    for (let turn = 0; turn < this.#reads; turn += 1) {
      await this.#cloud.clock.advance(this.#random.pick(PAUSES_MS));
      await this.#read(device);
    }
    await this.#write(device);
    this.#cloud.isHostile = false;
    await this.#write(device);
    this.#cloud.isHostile = true;
    await this.#read(device);
  }

  /** Null: it failed as it may. */
  async call<T>(work: () => Promise<T>): Promise<T | null> {
    const before = this.#cloud.requests;
    const answer = await this.#tried(work);
    const sent = this.#cloud.requests - before;
    if (sent > MOST_REQUESTS) throw new Error(`one call sent ${sent} requests`);
    return answer;
  }

  async #tried<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#cloud.clock.resolve(Promise.resolve().then(work), MOST_MS);
    } catch (error) {
      this.outcome.errors += 1;
      checkError(error);
      return null;
    }
  }

  #driverOf(device: CloudDevice): CloudDriver {
    const times = new ReadTimes(this.#cloud.clock);
    times.follow({ nextMs: () => 1_000, windfalls: () => 0 });
    const nothing = (): undefined => undefined;
    // Commands are tried whatever came of the readings, and of the ones before.
    const tries = {
      isOpen: false,
      hindrance: () => null,
      telling: nothing,
      took: nothing,
      failed: nothing,
      looked: nothing,
    };
    const resources = { [Symbol.asyncDispose]: async () => undefined };
    const choices = { confirmUnverified: true, confirmNoFailsafe: true };
    return new CloudDriver({
      device,
      times,
      last: new LastReadings(this.#cloud.clock),
      tries,
      stream: null,
      resources,
      vendors: this.#subject.connector.vendors,
      ...choices,
    });
  }

  async #read(device: CloudDriver): Promise<void> {
    const commands = this.#told();
    const readings = await this.call(() => device.read("all", signal));
    checkCommands(commands(), device.controls);
    checkControls(device.controls);
    if (readings === null) return;
    checkReadings(readings, device.points);
    this.outcome.readings += readings.filter(({ value }) => value !== null).length;
  }

  async #write(device: CloudDriver): Promise<void> {
    for (const control of device.controls) {
      const { controls } = device;
      const commands = this.#told();
      await this.call(() => device.write(control.point, this.#valueFor(control), signal));
      checkCommands(commands(), controls);
      this.outcome.commands += commands().length;
      await this.#refuses(device, control);
    }
  }

  async #refuses(device: CloudDriver, { point }: Control): Promise<void> {
    const commands = this.#told();
    const odd = this.#random.pick<PointValue>([1e9, -1e9, Number.NaN, Number.POSITIVE_INFINITY, "PLUGGED_IN:FAULT"]);
    const isTaken = await this.call(async () => {
      await device.write(point, odd, signal);
      return true;
    });
    const told = commands().length;
    if (isTaken === true || told > 0)
      throw new Error(`${point} took ${String(odd)}, and told the device ${told} values`);
  }

  #valueFor({ values, range }: Control): PointValue {
    const [first, ...rest] = values ?? [];
    if (first !== undefined) return this.#random.pick([first, ...rest]);
    const { min, max } = range ?? { min: 18, max: 24 };
    return this.#random.pick([min, max, (min + max) / 2, this.#random.between(min, max)]);
  }

  /** Answers what the device was told since. */
  #told(): () => readonly Command[] {
    const { asked } = this.#cloud.cloud.twin;
    const from = asked.length;
    return () => asked.slice(from).flatMap((one) => this.#subject.commandsIn(one));
  }
}

async function openAt(connector: Subject["connector"], session: CloudSession, place: number) {
  const listings = await connector.list(session, signal);
  const listing = listings[place];
  if (listing === undefined) throw new Error(`${connector.id} lists ${listings.length} devices`);
  return { key: listing.key, device: await connector.open(session, listing.key, signal) };
}
