/** Random lives of a home against the rules that always hold. A failing run prints its seed and its steps. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Action, DesiredSetting } from "../../src/domain/actions/action.ts";
import { ACTION_TIMINGS } from "../../src/domain/actions/action-timing.ts";
import type { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions, followSwitch, type Home, makeHome, type Run } from "./home.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** An end may be stored late when the disk refuses for a while, and a restart takes its time. */
const SLACK_MS = MINUTE;

type Step =
  | { readonly do: "start"; readonly setting: DesiredSetting }
  | { readonly do: "cancel" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "device"; readonly which: "battery" | "charger"; readonly state: "up" | "down" | "deaf" | "hangs" }
  | { readonly do: "plug"; readonly isPlugged: boolean }
  | { readonly do: "crash" }
  | { readonly do: "restart" }
  | { readonly do: "disk"; readonly failures: number }
  | { readonly do: "clock"; readonly stepMs: number };

const settings: readonly DesiredSetting[] = [
  { targetType: "charger", kind: "START" },
  { targetType: "charger", kind: "STOP" },
  { targetType: "charger", maxCurrent: 10 },
  { targetType: "charger", maxCurrent: 12 },
  { targetType: "battery", operationMode: "IMPORT_FOCUS" },
  { targetType: "battery", operationMode: "IDLE" },
  { targetType: "battery", operationMode: "SELF_RELIANCE" },
];

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("start" as const), setting: fc.constantFrom(...settings) }) },
  { weight: 2, arbitrary: fc.constant({ do: "cancel" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(20, SECOND, 20 * SECOND, 3 * MINUTE),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("device" as const),
      which: fc.constantFrom("battery" as const, "charger" as const),
      state: fc.constantFrom(
        "up" as const,
        "up" as const,
        "down" as const,
        "down" as const,
        "deaf" as const,
        "hangs" as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("plug" as const), isPlugged: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: "crash" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disk" as const), failures: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("clock" as const), stepMs: fc.constantFrom(-MINUTE, -SECOND, SECOND) }),
  },
);

/** A home that is lived in, and what was promised in it. */
class Life {
  readonly home: Home = makeHome();
  readonly #devices: { readonly battery: FakeDevice; readonly charger: FakeDevice };
  #run: Run | null = null;
  #last: Action | null = null;
  /** When each action was accepted, monotonic ms; and how it ended. */
  readonly #acceptedMs = new Map<string, number>();
  readonly #ended = new Map<string, string>();
  #writesSeen = 0;
  #wasDeaf = false;
  readonly fired = new Map<string, number>();

  constructor() {
    const battery = this.home.add("battery", batteryOptions());
    const charger = this.home.add("charger", chargerOptions());
    this.#devices = { battery, charger };
    this.#hear("battery", true);
    this.#hear("charger", true);
  }

  async start(): Promise<void> {
    this.#run = await this.home.start();
    await this.home.world.clock.advance(3 * SECOND);
  }

  async step(step: Step): Promise<void> {
    await this.#do(step);
    this.#check();
  }

  /** Lets everything end that has begun. */
  async finish(): Promise<void> {
    await this.home.world.clock.advance(11 * MINUTE + SLACK_MS);
    this.#check();
    const { run } = this;
    expect(run.store.all("action").filter(({ action }) => action.state === "PENDING")).toEqual([]);
    const told = await run.store.journalAfter(null, 100_000);
    for (const [id, ended] of this.#ended) {
      const ends = told.filter(({ payload }) => JSON.stringify(payload).includes(`"vendorAction":${ended}`));
      expect(ends.length, `ends told of ${id}`).toBe(1);
    }
    this.#put("battery", "up");
    await this.home.world.clock.advance(3 * MINUTE);
    await run.close();
    expect(run.process.resources.timers).toBe(0);
    // A deaf battery keeps what it has, whatever its own timer and the stop want.
    expect(this.#devices.battery.values["battery.mode"]).toEqual(this.#wasDeaf ? expect.any(String) : "SELF_RELIANCE");
  }

  get run(): Run {
    if (this.#run === null) throw new Error("not started");
    return this.#run;
  }

  async #do(step: Step): Promise<void> {
    const { clock } = this.home.world;
    switch (step.do) {
      case "start":
        return await this.#command(step.setting);
      case "cancel":
        if (this.#last === null) return;
        await this.#answered(this.run.engine.actions.cancel(this.#last.targetType, this.#last.id));
        return;
      case "wait":
        return await clock.advance(step.ms);
      case "device":
        return this.#put(step.which, step.state);
      case "plug":
        return this.#devices.charger.show("charger.state", step.isPlugged ? "PLUGGED_IN:STOPPED" : "UNPLUGGED");
      case "crash":
        this.run.process.kill();
        this.home.disk.crash();
        return await this.start();
      case "restart":
        await this.run.close();
        return await this.start();
      case "disk":
        return this.home.disk.failWrites(...Array.from({ length: step.failures }, () => "lost" as const));
      case "clock":
        return this.home.world.clock.setWallMs(clock.nowMs() + step.stepMs);
    }
  }

  async #command(setting: DesiredSetting): Promise<void> {
    const id = this.run.engine.assets.list(setting.targetType)[0]?.asset.id ?? "";
    const action = await this.#answered(this.run.engine.actions.start(id, setting));
    if (action === null) return;
    this.#last = action;
    if (!this.#acceptedMs.has(action.id)) this.#acceptedMs.set(action.id, this.home.world.clock.monotonicMs());
  }

  /** A problem is an answer too; anything else is a bug. */
  async #answered<T>(asked: Promise<T>): Promise<T | null> {
    const outcome = asked.catch((error: unknown) => {
      if (error instanceof Error && error.name === "ProblemError") return null;
      throw error;
    });
    return await this.home.world.clock.resolve(outcome, MINUTE);
  }

  #put(which: "battery" | "charger", state: "up" | "down" | "deaf" | "hangs"): void {
    const device = this.#devices[which];
    device.isUp = state !== "down";
    device.hangsOn = state === "hangs" ? "read" : null;
    this.#hear(which, state !== "deaf");
  }

  #hear(which: "battery" | "charger", isHearing: boolean): void {
    if (which === "battery" && !isHearing) this.#wasDeaf = true;
    const device = this.#devices[which];
    if (!isHearing) device.onWrite = () => undefined;
    else if (which === "charger") followSwitch(device);
    else device.onWrite = (point, value) => device.show(point, value);
  }

  #check(): void {
    const records = this.run.store.all("action");
    const pending = records.filter(({ action }) => action.state === "PENDING").map(({ action }) => action.targetId);
    expect(new Set(pending).size, "one pending action a target").toBe(pending.length);
    const nowMs = this.home.world.clock.monotonicMs();
    for (const [id, acceptedMs] of this.#acceptedMs) {
      const action = records.find((record) => record.action.id === id)?.action;
      expect(action, `the accepted action ${id} is known`).toBeDefined();
      if (action === undefined) continue;
      const { windowMs } = ACTION_TIMINGS[action.targetType];
      if (action.state === "PENDING") {
        expect(nowMs - acceptedMs, "a pending action is within its window").toBeLessThan(windowMs + SLACK_MS);
        this.#count("PENDING");
        continue;
      }
      const text = JSON.stringify(action);
      expect(text, "an ended action stays as it ended").toBe(this.#ended.get(id) ?? text);
      this.#ended.set(id, text);
      this.#count(action.failureReason?.type ?? action.state);
    }
    this.#checkWrites();
  }

  #checkWrites(): void {
    const devices = Object.values(this.#devices);
    for (const device of devices) expect(device.mostInFlight, "one request at a time").toBeLessThanOrEqual(1);
    const writes = devices.reduce((sum, { calls }) => sum + calls.filter(({ call }) => call === "write").length, 0);
    const isQuiet = writes === this.#writesSeen;
    expect(isQuiet || this.#acceptedMs.size > 0, "nothing is written that nobody asked for").toBe(true);
    this.#writesSeen = writes;
  }

  #count(what: string): void {
    this.fired.set(what, (this.fired.get(what) ?? 0) + 1);
  }
}

test("the rules of actions hold in any life of a home", { timeout: 180_000 }, async () => {
  const fired = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 30 }), async (life) => {
      const home = new Life();
      await home.start();
      for (const step of life) await home.step(step);
      await home.finish();
      for (const what of home.fired.keys()) fired.add(what);
    }),
    { numRuns: Number(process.env["HEMGATE_LIVES"] ?? 50), seed: 20_260_621 },
  );
  // A run in which an end never came proves nothing about it.
  expect([...fired].toSorted()).toEqual(
    expect.arrayContaining([
      "CONFIRMED",
      "CONFLICT",
      "FAILED_PRECONDITION",
      "NO_RESPONSE",
      "PENDING",
      "REQUESTED_CANCELLATION",
    ]),
  );
});
