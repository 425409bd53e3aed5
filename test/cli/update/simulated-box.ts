/** A box whose power can be cut between any two steps, with packages, a state and a gateway that notice what is not whole. */
import type { UpdateRecord } from "../../../src/cli/update/update-record.ts";
import type { InstalledPackage, SeenGateway, UpdateBox } from "../../../src/cli/update/update-steps.ts";

/** What is wrong with the new version. */
export type Flaw =
  | "none"
  | "does not start"
  | "does not listen"
  | "device is silent"
  | "reports a failure"
  | "ends again and again"
  | "is ready too late"
  | "is not installed";

export const OLD = "1.0.0";
export const NEW = "1.1.0";

const READY_WITHIN_MS = 20_000;

export function preparedRecord(): UpdateRecord {
  return {
    from: OLD,
    to: NEW,
    step: "prepared",
    beganAt: "2026-11-28T03:30:00.000Z",
    endedAt: null,
    answering: ["meter", "battery"],
    failures: ["the clock is not set"],
    readyWithinMs: READY_WITHIN_MS,
    settleMs: 6_000,
    starts: 0,
    isCopied: false,
    reason: null,
  };
}

export class PowerCut extends Error {
  override readonly name = "PowerCut";
}

/** The state of a gateway: who wrote what into it, in order. */
type State = readonly string[];

export class SimulatedBox implements UpdateBox {
  // What is on disk.
  record: UpdateRecord | null = preparedRecord();
  last: UpdateRecord | null = null;
  isOff = false;
  program: InstalledPackage = { version: OLD, isWhole: true };
  state: State = [`written by ${OLD}`];
  copy: State | null = null;
  #isRestoreDecided = false;
  // What a power cut ends.
  running: { readonly version: string; readonly process: number; readonly sinceMs: number } | null = null;
  #ends = 0;
  #nowMs = 0;
  #nextProcess = 1;
  readonly #stop = new AbortController();
  // What the test says and sees.
  readonly flaw: Flaw;
  /** Steps until the power is cut; `null`: it is not. */
  stepsLeft: number | null = null;
  steps = 0;
  readonly reports: UpdateRecord[] = [];
  readonly problems: string[] = [];

  constructor(flaw: Flaw) {
    this.flaw = flaw;
    this.#startProcess();
  }

  readonly clock = {
    nowMs: () => this.#nowMs,
    monotonicMs: () => this.#nowMs,
    sleep: async (delayMs: number) => {
      this.#step();
      this.#nowMs += delayMs;
      if (this.flaw === "ends again and again" && this.running?.version === NEW) {
        this.#ends++;
        this.#startProcess();
      }
    },
  };

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** The box starts again after a power cut; the service manager starts the gateway where it may. */
  boot(): void {
    this.stepsLeft = null;
    this.running = null;
    if (!this.isOff) this.#startProcess();
  }

  /** The box is shut down in order: what runs is asked to end. */
  shutDown(): void {
    this.#stop.abort(new Error("stopped by SIGTERM"));
  }

  async read(): Promise<UpdateRecord | null> {
    return this.record;
  }

  async write(record: UpdateRecord): Promise<void> {
    this.#step();
    this.record = record;
    this.#step();
  }

  async stopGateway(): Promise<void> {
    this.#step();
    this.isOff = true;
    this.#step();
    this.running = null;
  }

  async startGateway(): Promise<void> {
    this.#step();
    this.isOff = false;
    this.#step();
    this.#ends = 0;
    if (this.running === null) this.#startProcess();
  }

  async copyState(): Promise<void> {
    if (this.running !== null) this.problems.push("the state is copied while a gateway writes");
    this.#step();
    this.copy = this.state;
    this.#step();
  }

  async restoreState(): Promise<void> {
    if (this.running !== null) this.problems.push("the state is replaced while a gateway writes");
    if (this.copy === null) throw new Error("there is no copy");
    this.#step();
    this.#isRestoreDecided = true;
    this.#step();
    this.#finishRestore();
    this.#step();
  }

  async installed(): Promise<InstalledPackage> {
    this.#step();
    return this.program;
  }

  async install(which: "new" | "previous"): Promise<void> {
    if (this.running !== null) this.problems.push("the program is replaced below a gateway");
    this.#step();
    const version = which === "new" ? NEW : OLD;
    this.program = { version, isWhole: false };
    this.#step();
    if (which === "new" && this.flaw === "is not installed") throw new Error("dpkg: it depends on libc6 (>= 99)");
    this.program = { version, isWhole: true };
    this.#step();
  }

  async look(): Promise<SeenGateway | null> {
    this.#step();
    if (this.running === null) return null;
    const { version, process, sinceMs } = this.running;
    const flaw = version === NEW ? this.flaw : "none";
    const isLate = flaw === "is ready too late" && this.#nowMs - sinceMs < READY_WITHIN_MS;
    return {
      version,
      process,
      isListening: flaw !== "does not listen" && !isLate,
      failures: ["the clock is not set", ...(flaw === "reports a failure" ? ["the database is not writable"] : [])],
      answering: flaw === "device is silent" ? ["meter", "car"] : ["meter", "battery", "car"],
    };
  }

  async ends(): Promise<number> {
    return this.#ends;
  }

  async report(record: UpdateRecord): Promise<void> {
    this.#step();
    this.reports.push(record);
  }

  async close(record: UpdateRecord): Promise<void> {
    this.#step();
    this.record = null;
    this.last = record;
    this.#step();
  }

  /** A program that is not whole does not run; one that finds a state of a later version refuses it. */
  #startProcess(): void {
    this.#finishRestore();
    const { version, isWhole } = this.program;
    if (!isWhole) {
      this.problems.push("a program that is not whole was started");
      return;
    }
    if (version === OLD && this.state.some((entry) => entry.includes(NEW))) {
      this.problems.push("the old version was started on a state of the new one");
      return;
    }
    if (version === NEW && this.flaw === "does not start") {
      // It touches the state before it fails.
      this.state = [...this.state, `written by ${NEW}`];
      return;
    }
    this.running = { version, process: this.#nextProcess++, sinceMs: this.#nowMs };
    this.state = [...this.state, `written by ${version}`];
  }

  #finishRestore(): void {
    if (this.#isRestoreDecided && this.copy !== null) this.state = this.copy;
    this.#isRestoreDecided = false;
  }

  #step(): void {
    this.steps++;
    if (this.stepsLeft === null) return;
    if (this.stepsLeft === 0) throw new PowerCut("the power is cut");
    this.stepsLeft--;
  }
}
