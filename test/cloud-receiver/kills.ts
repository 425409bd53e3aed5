/** A gateway, a broker and two copies of the receiver, each of which dies again and again. */
import { setTimeout as pause } from "node:timers/promises";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import type { BrokerKind } from "./brokers.ts";
import { type CopyProcess, openSite, type Site, spawnCopy } from "./copies.ts";
import { expectEqual, type Figures } from "./equality.ts";
import { House } from "./house.ts";
import { Orders } from "./orders.ts";
import { until } from "./until.ts";

/** In a round each dies once, at some time of this. */
const ROUND_MS = 1_500;
/** It stays away for so long at most. */
const AWAY_MS = 800;
/** So many rounds begin when something new has arrived; the others begin in the middle of what the one before left. */
const CALM_SHARE = 0.5;
/** For a copy that has to wait for a broker that starts, on a machine that does much else. */
const WAIT_MS = 600_000;

export interface KillsResult extends Figures {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Kills the broker, a copy and the gateway so often each, in no order, while it works; then compares. */
export async function runKills(kind: BrokerKind, rounds: number, seed: number): Promise<KillsResult> {
  const startedMs = Date.now();
  await using site = await openSite(kind);
  await using house = new House({ brokerUrl: site.brokerUrl, name: "house-1" });
  await using copies = await Copies.start(site);
  house.start();
  const applied = async (): Promise<number> => {
    const sql = "SELECT applied FROM stream_position WHERE gateway = $1 AND stream = 'event'";
    const [position] = await site.database.rows<{ applied: number }>(sql, [house.name]);
    return position?.applied ?? 0;
  };
  await until(async () => (await applied()) > 0, WAIT_MS);
  const orders = new Orders(site, house, () => copies.ports);
  const random = new SeededRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    const moments = Array.from({ length: 4 }, () => random.between(0, ROUND_MS));
    const [brokerMs = 0, copyMs = 0, gatewayMs = 0, orderMs = 0] = moments;
    const [brokerAwayMs, copyAwayMs, gatewayAwayMs] = moments.map(() => random.between(0, AWAY_MS));
    const before = await applied();
    const one = random.between(0, 2) < 1 ? 0 : 1;
    await Promise.all([
      after(
        brokerMs,
        () => site.killBroker(),
        brokerAwayMs ?? 0,
        () => site.startBroker(),
      ),
      after(
        copyMs,
        () => copies.kill(one),
        copyAwayMs ?? 0,
        () => copies.revive(one),
      ),
      after(
        gatewayMs,
        () => house.kill(),
        gatewayAwayMs ?? 0,
        async () => house.start(),
      ),
      pause(orderMs).then(() => orders.give(WAIT_MS)),
      orders.give(WAIT_MS),
    ]);
    if (random.isChance(CALM_SHARE)) await until(async () => (await applied()) > before, WAIT_MS);
  }
  await until(() => house.isConnected(), WAIT_MS);
  await house.rest();
  const outcomes = await orders.expectOnce(WAIT_MS);
  const figures = await expectEqual(site, house, WAIT_MS);
  return { ...figures, outcomes, seconds: Math.round((Date.now() - startedMs) / 1_000) };
}

async function after(ms: number, kill: () => Promise<void>, awayMs: number, start: () => Promise<void>): Promise<void> {
  await pause(ms);
  await kill();
  await pause(awayMs);
  await start();
}

/** Two copies of the receiver. */
export class Copies implements AsyncDisposable {
  readonly #site: Site;
  readonly #running: (CopyProcess | null)[];

  private constructor(site: Site, running: readonly CopyProcess[]) {
    this.#site = site;
    this.#running = [...running];
  }

  static async start(site: Site): Promise<Copies> {
    return new Copies(site, await Promise.all([spawnCopy(site), spawnCopy(site)]));
  }

  get ports(): readonly number[] {
    return this.#running.flatMap((copy) => copy?.port ?? []);
  }

  async kill(index: number): Promise<void> {
    await this.#running[index]?.kill();
    this.#running[index] = null;
  }

  async revive(index: number): Promise<void> {
    this.#running[index] = await spawnCopy(this.#site);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const index of this.#running.keys()) await this.kill(index);
  }
}
