import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import { isSameControlValue } from "../../domain/actions/desired-setting.ts";
import type { AssetKind } from "../../domain/assets/asset.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ActiveLimit } from "../../domain/energy/cycle/energy-snapshot.ts";
import { isLimit } from "../../domain/energy/energy-state.ts";
import type { SiteConnection } from "../../domain/energy/site/site-connection.ts";
import { problem } from "../../domain/problem.ts";
import {
  isTestable,
  type PlannedTest,
  planTest,
  type RefusedTest,
  refused,
  type TestSurroundings,
} from "../../domain/setup/control-test.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { ControlPoint } from "../../points/points.ts";
import type { ControlTestRecord, SetupActor, TestFailure } from "../../store/records/setup.ts";
import type { EnergyManager } from "../contracts/energy/energy-manager.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { TestableDevice } from "../contracts/setup.ts";
import type { EnergyDevice } from "../energy/energy-device.ts";
import type { HouseView } from "../energy/house-view.ts";
import type { SetupBook } from "./setup-book.ts";

const LOOK_EVERY_MS = 1_000;
/** A device has this long to show a value, and then as long to show the one before again, ms. */
const SHOWN_WITHIN_MS = 5 * MINUTE_MS;
/** A device that shows other values in so many readings, and for so long, does not follow; before others count as its owner. */
const OTHER_READINGS = 6;
const OTHER_MS = 12_000;
/** A reading of the grid meter that is older says nothing of now, ms. */
const METER_MS = 15_000;

export interface ControlTestParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly book: SetupBook;
  readonly assets: Pick<Assets, "get">;
  readonly actions: Pick<Actions, "pendingOf">;
  readonly regulated: { all(): readonly EnergyDevice[]; wake(deviceId: string): void };
  readonly energy: Pick<EnergyManager, "state">;
  /** The house as the last control cycle saw it. */
  readonly house: () => HouseView | null;
  readonly site: () => SiteConnection;
  readonly limits: () => readonly ActiveLimit[];
  /** Points of an asset that somebody else changed. */
  readonly takenOver: (assetId: string) => readonly ControlPoint[];
}

interface Candidate {
  readonly assetId: string;
  readonly kind: AssetKind;
  readonly device: EnergyDevice;
}

interface Running {
  readonly candidate: Candidate;
  readonly stop: AbortController;
}

/** How the wait for a value ended. */
type Waited = "shown" | TestFailure | "closing";

/**
 * Tests whether devices follow commands. What is written is a regulated value: the value before is on disk first, so a
 * crash or a power cut is followed by giving it back, and limits of the house go before it.
 */
export class ControlTests {
  readonly #parts: ControlTestParts;
  #running: Running | null = null;

  constructor(parts: ControlTestParts) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Notes tests that a stop of the gateway cut short. What they wrote is given back by the devices' regulated values. */
  async recover(): Promise<void> {
    const { book } = this.#parts;
    const isCut = Object.values(book.record.tests).some(({ state }) => state === "running");
    if (!isCut) return;
    await book.change((before) => ({
      ...before,
      tests: Object.fromEntries(
        Object.entries(before.tests).map(([id, test]) => [
          id,
          test.state === "running" ? { ...test, state: "interrupted" as const, endedAtMs: test.atMs } : test,
        ]),
      ),
    }));
  }

  list(): readonly TestableDevice[] {
    const { book } = this.#parts;
    const { tests } = book.record;
    return this.#candidates().map((each) => {
      const { assetId, kind, device } = each;
      const plan = this.#plan(each);
      const refusal = plan.kind === "refused" ? plan : null;
      return { assetId, deviceId: device.settings.id, kind, refusal, last: tests[assetId] ?? null };
    });
  }

  async start(assetId: string, by: SetupActor, signal: AbortSignal): Promise<ControlTestRecord> {
    const { clock, log } = this.#parts;
    const candidate = this.#candidates().find((each) => each.assetId === assetId);
    if (candidate === undefined) throw problem("not-found", `There is no device "${assetId}" that takes commands.`);
    const plan = this.#plan(candidate);
    if (plan.kind === "refused") throw problem("conflict", plan.detail);
    const { device, kind } = candidate;
    const running: Running = { candidate, stop: new AbortController() };
    this.#running = running;
    const { point, before, asked } = plan;
    const record: ControlTestRecord = {
      assetId,
      deviceId: device.settings.id,
      kind,
      point,
      before,
      asked,
      by,
      atMs: clock.nowMs(),
      state: "running",
      cause: null,
      shown: null,
      tookMs: null,
      isRestored: false,
      endedAtMs: null,
    };
    try {
      await this.#store(record);
    } catch (error) {
      this.#running = null;
      throw error;
    }
    void this.#run(running, { plan, record }, signal).catch((err: unknown) => {
      log.warn({ err, assetId }, "cannot store the result of a control test");
    });
    return record;
  }

  stop(assetId: string): void {
    if (this.#running?.candidate.assetId !== assetId) throw problem("not-found", "No test of this device runs.");
    this.#running.stop.abort();
  }

  #candidates(): readonly Candidate[] {
    return this.#parts.regulated.all().flatMap((device) =>
      device.assets.ids.flatMap(({ kind, id }) => {
        const controls = device.known?.controls ?? [];
        return isTestable({ kind, controls }) ? [{ assetId: id, kind, device }] : [];
      }),
    );
  }

  #plan(candidate: Candidate): PlannedTest | RefusedTest {
    if (this.#running !== null) return refused("another-test", "A test is under way; wait for its end, or end it.");
    const { kind, device, assetId } = candidate;
    const asset = this.#parts.assets.get(kind, assetId);
    const scope = kind in CONTROL_SCOPES ? CONTROL_SCOPES[kind as keyof typeof CONTROL_SCOPES] : null;
    return planTest(
      {
        kind,
        isReachable: asset?.isReachable === true,
        mayCommand: scope === null || asset?.scopes.includes(scope) === true,
        controls: device.known?.controls ?? [],
        values: device.values,
      },
      this.#surroundings(candidate),
    );
  }

  #surroundings({ device, assetId }: Candidate): TestSurroundings {
    const { actions, energy, house, site, limits, takenOver, clock } = this.#parts;
    const { regulated } = device.commands;
    const grid = house()?.snapshot.grid ?? null;
    const isFresh = grid?.measuredAtMs !== null && clock.monotonicMs() - (grid?.measuredAtMs ?? -Infinity) <= METER_MS;
    const currents = grid?.currentA.flatMap((current) => current ?? []) ?? [];
    const code = energy.state().devices.find(({ id }) => id === assetId)?.reason?.code;
    return {
      site: site(),
      gridW: isFresh ? (grid?.powerW ?? null) : null,
      gridA: isFresh && currents.length > 0 ? Math.max(...currents) : null,
      isOperatorLimited: limits().length > 0,
      isLimited: code !== undefined && isLimit(code),
      isRegulated: (point) => regulated.has(point),
      isOthers: (point) => regulated.fate(point) !== "ours" || takenOver(assetId).includes(point),
      isBusy: actions.pendingOf(assetId) !== null,
    };
  }

  async #run(
    running: Running,
    { plan, record }: { readonly plan: PlannedTest; readonly record: ControlTestRecord },
    closing: AbortSignal,
  ): Promise<void> {
    const { clock, log, regulated } = this.#parts;
    const { device } = running.candidate;
    const { point, asked, before } = plan;
    const startMs = clock.monotonicMs();
    try {
      const isTaken = device.commands.regulate(point, asked, "wish");
      regulated.wake(device.settings.id);
      let cause: Waited = isTaken ? await this.#shown(running, plan, closing) : "taken-over";
      const tookMs = cause === "shown" ? clock.monotonicMs() - startMs : null;
      const shown = device.values[point] ?? null;
      if (cause === "shown") cause = await this.#kept(running, plan, closing);
      // A stop gives the value back by itself, and so does the next start after a crash.
      if (closing.aborted) return;
      if (isSameControlValue(device.commands.regulated.value(point), asked)) device.commands.letGo(point);
      regulated.wake(device.settings.id);
      const isRestored = await this.#restored(device, plan, closing);
      if (closing.aborted) return;
      const failure = cause !== "shown" && cause !== "closing" ? cause : isRestored ? null : "not-restored";
      const state = failure === null ? "passed" : "failed";
      const result = {
        ...record,
        state,
        cause: failure,
        shown,
        tookMs,
        isRestored,
        endedAtMs: clock.nowMs(),
      } as const;
      log.info({ ...result, by: result.by.name, before }, "control test ended");
      await this.#store(result);
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /** Waits until a reading shows the value. */
  async #shown(running: Running, { point, asked }: PlannedTest, closing: AbortSignal): Promise<Waited> {
    const { clock } = this.#parts;
    const { device } = running.candidate;
    const startMs = clock.monotonicMs();
    let [others, lastMs] = [0, device.measuredAtMs(point)];
    for (;;) {
      const end = await this.#look(running, { point, asked }, closing);
      if (end !== null) return end;
      const atMs = device.measuredAtMs(point);
      if (atMs !== null && atMs > startMs && atMs !== lastMs) {
        if (isSameControlValue(device.values[point] ?? null, asked)) return "shown";
        others += 1;
        lastMs = atMs;
      }
      const lastedMs = clock.monotonicMs() - startMs;
      if (lastedMs >= SHOWN_WITHIN_MS || (others >= OTHER_READINGS && lastedMs >= OTHER_MS)) return "not-followed";
    }
  }

  /** Leaves the value for its time. */
  async #kept(running: Running, plan: PlannedTest, closing: AbortSignal): Promise<Waited> {
    const { clock } = this.#parts;
    const untilMs = clock.monotonicMs() + plan.holdMs;
    while (clock.monotonicMs() < untilMs) {
      const end = await this.#look(running, plan, closing);
      if (end !== null) return end;
    }
    return "shown";
  }

  /** Waits a moment; returns why the test must end now, `null` if it need not. */
  async #look(
    { candidate: { device }, stop }: Running,
    { point, asked }: Pick<PlannedTest, "point" | "asked">,
    closing: AbortSignal,
  ): Promise<Waited | null> {
    await this.#parts.clock.sleep(LOOK_EVERY_MS, AbortSignal.any([closing, stop.signal])).catch(() => undefined);
    if (closing.aborted) return "closing";
    if (stop.signal.aborted) return "stopped";
    if (this.#parts.limits().length > 0) return "grid-operator";
    return isSameControlValue(device.commands.regulated.value(point), asked) ? null : "taken-over";
  }

  /** Waits until nothing is regulated any more and a reading shows the value before. */
  async #restored(device: EnergyDevice, { point, before }: PlannedTest, closing: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    const { regulated } = device.commands;
    const untilMs = clock.monotonicMs() + SHOWN_WITHIN_MS;
    // A limit that regulates the point by now keeps it.
    while (regulated.has(point) && regulated.value(point) === null && clock.monotonicMs() < untilMs) {
      await clock.sleep(LOOK_EVERY_MS, closing).catch(() => undefined);
      if (closing.aborted) return false;
    }
    return !regulated.has(point) && isSameControlValue(device.values[point] ?? null, before);
  }

  #store(record: ControlTestRecord): Promise<void> {
    return this.#parts.book.change((before) => ({ ...before, tests: { ...before.tests, [record.assetId]: record } }));
  }
}
