import type { Disk, Platform } from "../platform/ports.ts";
import { EventLog } from "./event-log.ts";
import { memoryBroker } from "./memory-broker.ts";
import { ProcessClock } from "./process-clock.ts";
import { SeededRandom } from "./seeded-random.ts";
import { type SimHost, SimNet } from "./sim-net.ts";
import { SimWeb, type SimWebHost } from "./sim-web.ts";
import { TestLog } from "./test-log.ts";
import { VirtualClock, type VirtualClockOptions } from "./virtual-clock.ts";

/** What a dead process waits for. */
const NEVER_ANSWERED = new Promise<never>(() => undefined);

/** A process in a simulated world: a platform of its own, until it ends. */
export class SimProcess {
  readonly platform: Platform;
  readonly log: TestLog;
  readonly #clock: ProcessClock;
  readonly #net: SimHost;
  readonly #web: SimWebHost;
  #isDead = false;

  constructor(parts: {
    clock: ProcessClock;
    net: SimHost;
    web: SimWebHost;
    random: SeededRandom;
    log: TestLog;
    disk: Disk;
  }) {
    this.#clock = parts.clock;
    this.#net = parts.net;
    this.#web = parts.web;
    this.log = parts.log;
    this.platform = {
      clock: parts.clock,
      random: parts.random,
      net: parts.net,
      http: parts.web,
      disk: {
        open: (name) => (this.#isDead ? NEVER_ANSWERED : parts.disk.open(name)),
        moveAside: (name) => (this.#isDead ? NEVER_ANSWERED : parts.disk.moveAside(name)),
      },
      log: parts.log,
      openBroker: async (settings) => memoryBroker(settings),
    };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** What the process holds of the world; after an orderly close all of it is 0. */
  get held(): { readonly streams: number; readonly listeners: number; readonly timers: number } {
    return {
      streams: this.#net.openStreams + this.#web.underWay,
      listeners: this.#net.openListeners,
      timers: this.#clock.liveTimers,
    };
  }

  /** Ends the process as SIGKILL does: no line of its code runs again. Its disk is the caller's to crash. */
  kill(): void {
    this.#isDead = true;
    this.#clock.kill();
    this.#net.kill();
    this.#web.kill();
  }
}

/**
 * A world in which a gateway and its devices live: one clock that moves by hand, chance from one seed, a LAN in memory,
 * and a log of all that happens. The same seed and the same calls give the same log.
 */
export class World {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly net: SimNet;
  /** Servers beyond the house, which requests by HTTP reach. */
  readonly web: SimWeb;
  readonly events: EventLog;
  #booted = 0;

  constructor(options: VirtualClockOptions & { readonly seed: number }) {
    this.seed = options.seed;
    this.clock = new VirtualClock(options);
    this.random = new SeededRandom(options.seed);
    this.net = new SimNet(this.clock, this.random.fork("net"));
    this.web = new SimWeb(this.clock, this.random.fork("web"));
    this.events = new EventLog(this.clock);
  }

  /** Starts a process on a disk. What it logs stands in the event log; debug lines are kept out of it. */
  boot(name: string, disk: Disk): SimProcess {
    this.#booted += 1;
    const number = this.#booted;
    this.events.add("boot", { name, number });
    const log = new TestLog((line) => {
      if (!process.isDead && line.level !== "debug") this.events.add(line.level, { text: line.text, ...line.fields });
    });
    const process = new SimProcess({
      clock: new ProcessClock(this.clock),
      net: this.net.host(),
      web: this.web.host(),
      random: this.random.fork(`process ${number}`),
      log,
      disk,
    });
    return process;
  }
}
