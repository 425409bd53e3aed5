import { describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/open-store.ts";
import type { Write } from "../../../src/store/records.ts";
import type { OpenedStore } from "../../../src/store/store.ts";
import { type ApiAnswer, type ApiCaller, CloudCommands } from "../../../src/sync/cloud/cloud-commands.ts";
import { routesOf } from "../../../src/sync/cloud/routes.ts";
import type { Command } from "../../../src/sync/protocol/downlink.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { ProcessClock } from "../../../src/testing/process-clock.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const HOUR = 3_600_000;
const ALL = { records: 1_000, bytes: 1_000_000 };

/** A gateway whose API counts what was asked; effects under one key are one. */
class House {
  readonly clock = new VirtualClock();
  readonly disk = new MemoryDisk();
  readonly asked: string[] = [];
  readonly effects = new Set<string>();
  isFull = false;
  readonly log = new TestLog();
  /** Ends the process in the middle of a request. */
  isDeadly = false;
  readonly #random = new SeededRandom(1);
  #process: ProcessClock | null = null;
  #store: OpenedStore | null = null;
  #downlink: CloudCommands | null = null;

  get store(): OpenedStore {
    return this.#store!;
  }

  async start(): Promise<void> {
    const clock = new ProcessClock(this.clock);
    const { disk, log } = this;
    const store = await this.drive(openStore({ disk, clock, random: this.#random, log, routes: routesOf }));
    await this.drive(store.outbox.open(() => []));
    const api: ApiCaller = {
      ask: (request, key) => this.#ask(request.path, key),
      isRepeatable: ({ method }) => method === "PUT",
    };
    this.#process = clock;
    this.#store = store;
    this.#downlink = new CloudCommands({ store, clock, log, api, isFull: () => this.isFull });
  }

  kill(): void {
    this.#process?.kill();
    this.disk.crash();
  }

  /** All before the first has run. */
  takeAtOnce(...ids: readonly string[]): void {
    for (const id of ids) this.#take({ id });
  }

  async receive(given: Partial<Command> = {}): Promise<void> {
    this.#take(given);
    await this.clock.advance(30_000);
  }

  #take(given: Partial<Command>): void {
    const expiresAtMs = this.clock.nowMs() + HOUR;
    const shape = {
      v: 1,
      kind: "command",
      id: "c1",
      expiresAtMs,
      version: "2024-10-01",
      method: "PUT",
      path: "/a",
    } as const;
    this.#downlink!.receive({ ...shape, ...given });
  }

  async answers(): Promise<readonly unknown[]> {
    const read = await this.store.outbox.read("event", 0, ALL);
    return (read?.records ?? []).map(({ payload }) => payload);
  }

  drive<T>(work: PromiseLike<T>): Promise<T> {
    return this.clock.resolve(Promise.resolve(work), 600_000);
  }

  async #ask(path: string, key: string): Promise<ApiAnswer> {
    this.asked.push(path);
    this.effects.add(key);
    if (this.isDeadly) {
      this.isDeadly = false;
      this.kill();
      return await new Promise<never>(() => undefined);
    }
    return { status: 200, contentType: "application/json; charset=utf-8", body: '{"ok":true}' };
  }
}

async function started(): Promise<House> {
  const house = new House();
  await house.start();
  return house;
}

describe("2.2, rule 14: a command of the cloud service", () => {
  test("runs once, however often it comes, and its answer is an event", async () => {
    const house = await started();
    for (let turn = 0; turn < 3; turn += 1) await house.receive();
    expect(house.asked).toEqual(["/a"]);
    const answer = { commandId: "c1", outcome: "executed", status: 200, body: { ok: true }, detail: null };
    expect(await house.answers()).toMatchObject([answer]);
  });

  test("runs once over a restart, too", async () => {
    const house = await started();
    await house.receive();
    house.kill();
    await house.start();
    await house.receive();
    expect(house.asked).toEqual(["/a"]);
    expect(await house.answers()).toHaveLength(1);
  });

  test("goes on under the same key when the power went in the middle of it", async () => {
    const house = await started();
    house.isDeadly = true;
    await house.receive();
    await house.start();
    await house.clock.advance(30_000);
    expect(house.asked).toEqual(["/a", "/a"]);
    expect(house.effects.size).toBe(1);
    expect(await house.answers()).toMatchObject([{ outcome: "executed" }]);
  });

  test.each([
    ["could have a second effect", { method: "POST" } as const, 0],
    ["came too late for that", {}, 2 * HOUR],
  ])("is answered as interrupted when running it again %s", async (_why, given, laterMs) => {
    const house = await started();
    house.isDeadly = true;
    await house.receive(given);
    await house.clock.advance(laterMs);
    await house.start();
    await house.clock.advance(30_000);
    await house.receive(given);
    expect(house.asked).toEqual(["/a"]);
    expect(await house.answers()).toMatchObject([{ outcome: "interrupted", status: null }]);
  });

  test.each([
    ["late", (house: House) => house.receive({ expiresAtMs: house.clock.nowMs() }), "expired"],
    [
      "for later than tomorrow",
      (house: House) => house.receive({ expiresAtMs: house.clock.nowMs() + 25 * HOUR }),
      "refused",
    ],
  ])("that is %s is refused, and reported once", async (_what, ask, outcome) => {
    const house = await started();
    await ask(house);
    await ask(house);
    expect(house.asked).toEqual([]);
    expect(await house.answers()).toMatchObject([{ commandId: "c1", outcome, status: null }]);
  });

  test("is refused while too many events wait (2.2, rule 5), and while the clock is not set", async () => {
    const house = await started();
    house.isFull = true;
    await house.receive({ id: "c1" });
    house.isFull = false;
    house.clock.setQuality("unset");
    await house.receive({ id: "c2" });
    expect(house.asked).toEqual([]);
    expect(await house.answers()).toMatchObject([
      { commandId: "c1", outcome: "refused" },
      { commandId: "c2", outcome: "refused" },
    ]);
  });

  test("does not run when the disk does not take its id; its answer waits for the disk", async () => {
    const house = await started();
    house.disk.failWrites("lost");
    await house.receive();
    expect(house.asked).toEqual([]);
    await house.clock.advance(30_000);
    await house.receive();
    expect(await house.answers()).toMatchObject([{ outcome: "executed" }]);
    house.disk.failWrites(null, "lost");
    await house.receive({ id: "c2" });
    await house.clock.advance(120_000);
    expect(house.asked).toEqual(["/a", "/a"]);
    expect(await house.answers()).toHaveLength(2);
  });

  test("that was refused while the clock was wrong stays refused once it is set", async () => {
    const house = await started();
    house.clock.setQuality("unset");
    house.clock.setWallMs(60_000);
    await house.receive();
    house.clock.setWallMs(Date.UTC(2026, 5, 21));
    house.clock.setQuality("synced");
    await house.clock.advance(7 * 24 * HOUR);
    await house.receive();
    expect(house.asked).toEqual([]);
    expect(await house.answers()).toMatchObject([{ commandId: "c1", outcome: "refused" }]);
    await house.clock.advance(2 * 24 * HOUR);
    expect(house.store.all("cloud-command")).toHaveLength(0);
  });

  test("is taken beyond 10,000 known ones: the oldest that ended goes, first of those that have expired", async () => {
    const house = await started();
    const nowMs = house.clock.nowMs();
    const known = Array.from({ length: 10_000 }, (_, index): Write => {
      const id = `k${index}`;
      const running = index === 0 ? { version: "2024-10-01", method: "PUT" as const, path: "/b" } : null;
      const expiresAtMs = nowMs + (index === 7 ? -HOUR : HOUR);
      return { table: "cloud-command", key: id, put: { id, takenAtMs: nowMs - HOUR + index, expiresAtMs, running } };
    });
    await house.drive(house.store.commit(known, []));
    await house.receive({ id: "new-1" });
    await house.receive({ id: "new-2" });
    await house.receive({ id: "new-3", expiresAtMs: nowMs });
    expect(house.asked).toEqual(["/a", "/a"]);
    expect(await house.answers()).toMatchObject([
      { commandId: "new-1", outcome: "executed" },
      { commandId: "new-2", outcome: "executed" },
      { commandId: "new-3", outcome: "expired" },
    ]);
    expect(house.store.all("cloud-command")).toHaveLength(10_000);
    const isKnown = (id: string) => house.store.get("cloud-command", id) !== null;
    expect(["k0", "k1", "k2", "k3", "k7", "new-1", "new-3"].map(isKnown)).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  test("that finds too many waiting is not ignored silently, and is taken when it comes again", async () => {
    const house = await started();
    const ids = Array.from({ length: 101 }, (_, index) => `c${index}`);
    house.takeAtOnce(...ids);
    await house.clock.advance(30_000);
    expect(house.asked).toHaveLength(100);
    expect(house.log.texts("warn").filter((text) => text.includes("command queue is full"))).toHaveLength(1);
    await house.receive({ id: "c100" });
    expect(house.asked).toHaveLength(101);
  });

  test("is known for eight days", async () => {
    const house = await started();
    await house.receive();
    await house.clock.advance(7 * 24 * HOUR);
    expect(house.store.all("cloud-command")).toHaveLength(1);
    await house.clock.advance(2 * 24 * HOUR);
    expect(house.store.all("cloud-command")).toHaveLength(0);
  });
});
