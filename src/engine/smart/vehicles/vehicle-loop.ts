import type { DesiredSetting } from "../../../domain/actions/action.ts";
import type { Vehicle } from "../../../domain/assets/vehicle.ts";
import { MINUTE_MS } from "../../../domain/duration.ts";
import { type ExecutedPlan, replan } from "../../../domain/smart/vehicle-smart-plan.ts";
import { isExecuting, isPausing } from "../../../domain/smart/vehicle-smart-state.ts";
import { FeatureCommands } from "../feature-commands.ts";
import { RoundLoop } from "../round-loop.ts";
import { smartRemovals } from "../smart-forgetter.ts";
import { CLOCK_PATIENCE_MS, type SmartParts } from "../smart-parts.ts";
import { stoppedBy } from "./stopped-by.ts";
import type { VehicleBook } from "./vehicle-book.ts";
import { locationOf, neededMs, seenKwAfter, VehicleOutlook } from "./vehicle-outlook.ts";
import { type Kept, mayPlan, nextKept, planned, type Sight } from "./vehicle-step.ts";

const STOP: DesiredSetting = { targetType: "vehicle", kind: "STOP" };
const START: DesiredSetting = { targetType: "vehicle", kind: "START" };

/** A plan is thought of, or thought over, this often while nothing changes, ms. */
const PLAN_EVERY_MS = 15 * MINUTE_MS;
/** Changes of one look; more is a circle. */
const MAX_CHANGES = 12;
/** A start that is owed is tried this often. */
const MAX_OWED_STARTS = 5;
/** A run is fresh for this long, ms: by then every device that answers was read, and holds again what it held. */
const FRESH_RUN_MS = 3 * MINUTE_MS;

/** Looks at each vehicle when something about it changes, one after the other, and sends what its state wants. */
export class VehicleLoop {
  readonly #parts: SmartParts;
  readonly #book: VehicleBook;
  readonly #outlook: VehicleOutlook;
  readonly #commands: FeatureCommands;
  readonly #rounds: RoundLoop;
  readonly #seenKw = new Map<string, number>();
  /** Monotonic ms of the last planning of a vehicle; absent: it is due. */
  readonly #plannedAtMs = new Map<string, number>();
  readonly #startedAtMs: number;

  constructor(parts: SmartParts, book: VehicleBook) {
    const { clock, actions, log } = parts;
    this.#parts = parts;
    this.#book = book;
    this.#outlook = new VehicleOutlook(parts);
    this.#commands = new FeatureCommands({ actions, clock, log, origin: "smart-charging" });
    this.#rounds = new RoundLoop({
      clock,
      log,
      ids: () => book.ids,
      dueInMs: (id) => this.#dueInMs(id),
      look: (id) => this.#advance(id),
    });
    this.#startedAtMs = clock.monotonicMs();
  }

  /** Runs work on a vehicle's record while nothing else changes it. Throws `too-many-requests`. */
  withLock<T>(vehicleId: string, work: () => Promise<T>): Promise<T> {
    return this.#rounds.withLock(vehicleId, work);
  }

  /** What was planned is thought over, soon. */
  reconsider(vehicleId: string): void {
    this.#plannedAtMs.delete(vehicleId);
    this.#mark(vehicleId);
  }

  /** The vehicle is gone, with what was stored of it. */
  forget(vehicleId: string): void {
    this.#book.forget(vehicleId);
    this.#commands.forget(vehicleId);
    this.#rounds.forget(vehicleId);
    this.#seenKw.delete(vehicleId);
    this.#plannedAtMs.delete(vehicleId);
  }

  latenessMs(): number {
    return this.#rounds.latenessMs();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions, overrides, prices, locations } = this.#parts;
    using _assets = assets.observe((kind, id) => kind === "vehicle" && this.#mark(id));
    using _actions = actions.observe(({ targetId }) => this.#mark(targetId));
    using _overrides = overrides.observe((targetId) => this.reconsider(targetId));
    using _prices = prices.observe(() => this.#pricesChanged());
    using _locations = locations.observe(() => this.#pricesChanged());
    using _ended = overrides.follow((targetId) => this.#lookAt([targetId]));
    using _moved = locations.follow((userId) => this.#lookAt(this.#vehiclesOf(userId)));
    this.#parts.refresh();
    await this.#rounds.run(signal);
  }

  #vehiclesOf(userId: string): readonly string[] {
    return this.#book.ids.filter((id) => this.#parts.assets.get("vehicle", id)?.userId === userId);
  }

  async #lookAt(vehicleIds: readonly string[]): Promise<void> {
    const known = vehicleIds.filter((id) => this.#book.get(id) !== null);
    await Promise.all(known.map((id) => this.#rounds.lookNow(id)));
  }

  #mark(vehicleId: string): void {
    if (this.#book.get(vehicleId) !== null) this.#rounds.mark(vehicleId);
  }

  #pricesChanged(): void {
    this.#outlook.pricesChanged();
    for (const id of this.#book.ids) this.reconsider(id);
  }

  /** Moves on until there is nothing more to change, then sends what the state wants. */
  async #advance(vehicleId: string): Promise<void> {
    const { assets, store } = this.#parts;
    for (let changes = 0; changes < MAX_CHANGES; changes += 1) {
      const vehicle = assets.get("vehicle", vehicleId);
      const before = this.#book.get(vehicleId);
      if (before === null) return;
      if (vehicle === null) {
        // A change that was on its way when the vehicle went left this behind.
        if (store.get("asset", vehicleId) === null) await store.commit(smartRemovals(store, new Set([vehicleId])), []);
        return;
      }
      const sight = this.#sight(before, vehicle);
      const kept = this.#withSeenKw(before, vehicle);
      const after = this.#thought(nextKept(this.#rethought(kept, sight), sight), sight);
      const isSame = after === kept;
      await this.#book.commit(vehicle, before, isSame ? before : after, sight.nowMs);
      await this.#follow(vehicle, before, after);
      if (isSame) return;
    }
    this.#parts.log.error({ vehicleId }, "smart charging goes in circles");
  }

  #sight({ record, plan }: Kept, vehicle: Vehicle): Sight {
    const { clock, overrides, locations } = this.#parts;
    const locationId = plan?.plan.locationId ?? null;
    const isClockTrusted = clock.quality() === "synced";
    const { id } = vehicle;
    return {
      vehicle,
      nowMs: clock.nowMs(),
      isClockTrusted,
      isClockHopeless: !isClockTrusted && clock.monotonicMs() >= this.#startedAtMs + CLOCK_PATIENCE_MS,
      isOverridden: overrides.active(id) !== null,
      isFreshRun: clock.monotonicMs() < this.#startedAtMs + FRESH_RUN_MS,
      isLocationGone: locationId !== null && locations.get(locationId) === null,
      stoppedBy: stoppedBy(this.#parts.store, id),
      hasPrices: record.policy.isEnabled && this.#outlook.hasPrices(locationOf(vehicle)),
      stopCommand: { command: this.#commands.progress(id, STOP), isPending: this.#commands.isPending(id, STOP) },
      startCommand: { command: this.#commands.progress(id, START) },
      isRetryDue: this.#commands.isRetryDue(id),
      attempts: this.#commands.failures(id),
    };
  }

  #withSeenKw({ record, plan }: Kept, vehicle: Vehicle): Kept {
    const seenKw = seenKwAfter(this.#seenKw.get(vehicle.id) ?? record.seenKw, vehicle);
    if (seenKw !== null) this.#seenKw.set(vehicle.id, seenKw);
    return { record: { ...record, seenKw }, plan };
  }

  /** With the start that is best as prices are known now, while the vehicle is paused. */
  #rethought(kept: Kept, { vehicle, nowMs, isClockTrusted, isOverridden }: Sight): Kept {
    const { record, plan } = kept;
    const isOverrideOver = record.state === "PLAN:EXECUTING:OVERRIDDEN" && !isOverridden;
    if (plan === null || !isClockTrusted || !(isPausing(record.state) || isOverrideOver)) return kept;
    if (!this.#isPlanningDue(vehicle.id)) return kept;
    const needed = neededMs(vehicle, record.seenKw) ?? plan.neededMs;
    const prices = this.#outlook.prices(plan.plan.locationId, Date.parse(plan.plan.stopAt), plan.deadlineMs);
    const next = replan(plan, { nowMs, neededMs: needed, prices });
    return isSamePlan(next, plan) ? kept : { record, plan: next };
  }

  /** With a plan, when it is time to think of one and one saves. */
  #thought(kept: Kept, sight: Sight): Kept {
    const { vehicle, nowMs } = sight;
    if (!mayPlan(kept, sight)) {
      // A new plan is made as soon as one is allowed.
      if (!isExecuting(kept.record.state)) this.#plannedAtMs.delete(vehicle.id);
      return kept;
    }
    const deadlineMs = this.#outlook.deadlineMs(vehicle, kept.record.policy);
    if (deadlineMs === null || !this.#isPlanningDue(vehicle.id)) return kept;
    const { random, prices } = this.#parts;
    const curve = this.#outlook.prices(locationOf(vehicle), nowMs, deadlineMs);
    return planned(kept, sight, { id: random.uuid(), currency: prices.currency, deadlineMs, prices: curve });
  }

  #isPlanningDue(vehicleId: string): boolean {
    const nowMs = this.#parts.clock.monotonicMs();
    const atMs = this.#plannedAtMs.get(vehicleId) ?? Number.NEGATIVE_INFINITY;
    if (nowMs - atMs < PLAN_EVERY_MS) return false;
    this.#plannedAtMs.set(vehicleId, nowMs);
    return true;
  }

  /** Sends, or takes back, what the new state wants. */
  async #follow({ id: vehicleId, chargeState }: Vehicle, before: Kept, { record }: Kept): Promise<void> {
    const { state, owesStart } = record;
    const isEntered = state !== before.record.state;
    if (isEntered) this.#parts.log.info({ vehicleId, state }, "smart charging moved on");
    if (this.#parts.overrides.active(vehicleId) !== null) return this.#commands.withdraw(vehicleId);
    if (state === "PLAN:EXECUTING:STOPPING") return this.#want(vehicleId, STOP, isEntered);
    if (state === "PLAN:EXECUTING:STARTING") return this.#want(vehicleId, START, isEntered);
    if (state === "PLAN:EXECUTING:STOP_FAILED" || state === "PLAN:EXECUTING:START_FAILED") return;
    if (isExecuting(state)) return this.#commands.forget(vehicleId);
    if (owesStart && chargeState.isPluggedIn !== false) return this.#wantOwed(vehicleId);
    await this.#commands.withdraw(vehicleId);
  }

  async #want(vehicleId: string, setting: DesiredSetting, isEntered: boolean): Promise<void> {
    if (isEntered) this.#commands.renew(vehicleId);
    if (this.#commands.progress(vehicleId, setting) !== "none") return;
    await this.#commands.send(vehicleId, setting);
    this.#mark(vehicleId);
  }

  /** Lets a vehicle charge again that a called-off plan or an earlier owner left stopped; gives up after some tries. */
  async #wantOwed(vehicleId: string): Promise<void> {
    const { clock, assets } = this.#parts;
    const progress = this.#commands.progress(vehicleId, START);
    if (progress === "none") return this.#want(vehicleId, START, false);
    if (progress !== "failed" || clock.monotonicMs() < this.#commands.retryAtMs(vehicleId)) return;
    if (this.#commands.failures(vehicleId) < MAX_OWED_STARTS) return this.#want(vehicleId, START, true);
    const kept = this.#book.get(vehicleId);
    const vehicle = assets.get("vehicle", vehicleId);
    if (kept === null || vehicle === null) return;
    const abandoned = { ...kept, record: { ...kept.record, owesStart: false } };
    await this.#book.commit(vehicle, kept, abandoned, clock.nowMs());
  }

  /** How long until something of the vehicle is due, ms. */
  #dueInMs(vehicleId: string): number {
    const { clock } = this.#parts;
    const kept = this.#book.get(vehicleId);
    if (kept === null) return Number.POSITIVE_INFINITY;
    const retryMs = this.#commands.retryAtMs(vehicleId) - clock.monotonicMs();
    if (kept.plan === null || !isPausing(kept.record.state)) return retryMs;
    const { startAt } = kept.plan.plan;
    return Math.min(retryMs, (startAt === null ? kept.plan.latestStartMs : Date.parse(startAt)) - clock.nowMs());
  }
}

function isSamePlan(a: ExecutedPlan, b: ExecutedPlan): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
