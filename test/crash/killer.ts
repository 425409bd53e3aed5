/** Kills a child that writes, opens what it left and compares it with what it had acknowledged. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { JournalEntry } from "../../src/store/records.ts";
import type { Store } from "../../src/store/store.ts";
import type { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { contentOf, DEVICES, hasAsset, sampleOf, WRITERS, writerKey } from "./load.ts";

const CHILD = join(import.meta.dirname, "child.ts");
const START_MS = 1_782_000_000_000;
const CYCLE_MS = 3_600_000;
/** A child lives this long after it was started; its first write comes after about 200 ms. */
const MIN_LIFE_MS = 100;
const MAX_LIFE_MS = 600;
/** Every so often a child is killed this early, while it still opens the store. */
const EARLY_SHARE = 0.2;

/** What is known to be on disk at least, and what was seen there last. */
export class Killer {
  readonly #stateFolder: string;
  readonly #random: SeededRandom;
  /** Of each writer the last count that was found on disk; −1 before the first. */
  readonly #counts: number[] = Array.from({ length: WRITERS }, () => -1);
  #epoch = 0;
  #position: { epoch: number; seq: number } | null = null;
  readonly totals = { kills: 0, beforeOpen: 0, acknowledged: 0, samples: 0 };

  constructor(stateFolder: string, random: SeededRandom) {
    this.#stateFolder = stateFolder;
    this.#random = random;
  }

  /** One life, one death, one look. Answers what was wrong; nothing wrong is an empty list. */
  async cycle(): Promise<readonly string[]> {
    const { output, errors } = await this.#lifeOfChild();
    if (errors !== "") return [errors];
    const acknowledged = this.#read(output);
    const log = new TestLog();
    const disk = nodeDisk({ stateFolder: this.#stateFolder });
    await using store = await openStore({ disk, clock: nodeClock(() => "synced"), random: nodeRandom, log });
    return [
      ...store.recovered,
      ...log.texts("error"),
      ...this.#checkEpoch(store, output),
      ...(await this.#checkJournal(store)),
      ...this.#checkRecords(store, acknowledged),
      ...(await this.#checkTelemetry(store)),
    ];
  }

  async #lifeOfChild(): Promise<{ readonly output: string; readonly errors: string }> {
    const counts = this.#counts.map((count) => String(count + 1));
    const startMs = String(START_MS + this.totals.kills * CYCLE_MS);
    const child: ChildProcess = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "--conditions=source", CHILD, this.#stateFolder, startMs, ...counts],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let output = "";
    let errors = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      output += bytes.toString("latin1");
    });
    child.stderr?.on("data", (bytes: Buffer) => {
      errors += bytes.toString("utf8");
    });
    const closed = once(child, "close");
    const isEarly = this.#random.isChance(EARLY_SHARE);
    if (!isEarly) await Promise.race([firstOutput(child), closed]);
    const lifeMs = this.#random.between(isEarly ? MIN_LIFE_MS : 0, MAX_LIFE_MS);
    await nodeClock(() => "synced").sleep(lifeMs, new AbortController().signal);
    child.kill("SIGKILL");
    const [code] = await closed;
    this.totals.kills += 1;
    if (!output.includes("open")) this.totals.beforeOpen += 1;
    return { output, errors: code === null ? errors : `the child ended by itself with ${code}: ${errors}` };
  }

  /** The last acknowledged count of each writer. A line without its end was cut by the kill. */
  #read(output: string): readonly number[] {
    const acknowledged = [...this.#counts];
    const lines = output.split("\n").slice(0, -1);
    for (const line of lines) {
      const [writer, count] = line.split(" ");
      if (writer === "open") continue;
      acknowledged[Number(writer)] = Number(count);
      this.totals.acknowledged += 1;
    }
    return acknowledged;
  }

  #checkEpoch(store: Store, output: string): readonly string[] {
    const before = Math.max(this.#epoch, Number(/^open (\d+)$/m.exec(output)?.[1] ?? 0));
    this.#epoch = store.epoch;
    return store.epoch > before ? [] : [`epoch ${store.epoch} after ${before}`];
  }

  /** Order, no position twice, and of each writer every count once. Moves `#counts` to what the journal says. */
  async #checkJournal(store: Store): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (;;) {
      const entries = await store.journalAfter(this.#position, 1_000);
      if (entries.length === 0) return wrong;
      for (const entry of entries) {
        wrong.push(...this.#checkEntry(entry));
        this.#position = { epoch: entry.epoch, seq: entry.seq };
      }
    }
  }

  #checkEntry(entry: JournalEntry): readonly string[] {
    const wrong: string[] = [];
    const last = this.#position;
    const isAfter =
      last === null || entry.epoch > last.epoch || (entry.epoch === last.epoch && entry.seq === last.seq + 1);
    if (!isAfter) wrong.push(`journal ${entry.epoch}/${entry.seq} after ${last?.epoch}/${last?.seq}`);
    const { writer, count } = entry.payload as { writer: number; count: number };
    if (count !== (this.#counts[writer] ?? -1) + 1)
      wrong.push(`writer ${writer}: ${count} after ${this.#counts[writer]}`);
    this.#counts[writer] = count;
    return wrong;
  }

  /** The records are those of the writer's last journal entry, and that is what was acknowledged or one more. */
  #checkRecords(store: Store, acknowledged: readonly number[]): readonly string[] {
    const wrong: string[] = [];
    for (const [writer, count] of this.#counts.entries()) {
      const least = acknowledged[writer] ?? -1;
      if (count < least) wrong.push(`writer ${writer}: acknowledged ${least}, found ${count}`);
      if (count > least + 1) wrong.push(`writer ${writer}: acknowledged ${least}, found ${count}, never sent`);
      const name = store.get("client", writerKey(writer))?.name ?? null;
      if (name !== (count < 0 ? null : contentOf(writer, count)))
        wrong.push(`writer ${writer}: not the record of ${count}`);
      const asset = store.get("asset", writerKey(writer))?.createdAtMs ?? null;
      if (asset !== (count >= 0 && hasAsset(count) ? count : null)) wrong.push(`writer ${writer}: torn at ${count}`);
    }
    return wrong;
  }

  /** What is there is what was recorded, once, and a minute's batch is there for all devices or for none. */
  async #checkTelemetry(store: Store): Promise<readonly string[]> {
    const wrong: string[] = [];
    const instants: string[] = [];
    for (const deviceId of DEVICES) {
      const samples = await store.history(deviceId, START_MS, Number.POSITIVE_INFINITY);
      instants.push(samples.map((sample) => sample.atMs).join());
      for (const [index, sample] of samples.entries()) {
        const isRight = JSON.stringify(sample) === JSON.stringify(sampleOf(deviceId, sample.atMs));
        if (!isRight) wrong.push(`${deviceId} at ${sample.atMs}: not what was recorded`);
        if (sample.atMs <= (samples[index - 1]?.atMs ?? 0)) wrong.push(`${deviceId} at ${sample.atMs}: twice`);
      }
      this.totals.samples = samples.length;
    }
    if (new Set(instants).size !== 1) wrong.push("a telemetry batch is torn");
    return wrong;
  }
}

async function firstOutput(child: ChildProcess): Promise<void> {
  if (child.stdout !== null) await once(child.stdout, "data");
}
