import type { ChargeTargetType } from "../../../domain/actions/action.ts";
import type { Charger } from "../../../domain/assets/charger.ts";
import type { Vehicle } from "../../../domain/assets/vehicle.ts";
import { DAY_MS, MINUTE_MS } from "../../../domain/duration.ts";
import { instant } from "../../../domain/fields.ts";
import { ProblemError, problem } from "../../../domain/problem.ts";
import { isUnderWay, overrideProgress, type SmartOverride } from "../../../domain/smart/smart-override.ts";
import { BusyError, KeyedMutex } from "../../../platform/keyed-mutex.ts";
import { Listeners } from "../../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../../platform/ports/ports.ts";
import { WakeSignal } from "../../../platform/wake-signal.ts";
import type { OverrideRecord, Write } from "../../../store/records.ts";
import type { Store } from "../../../store/store.ts";
import { type Follower, Followers } from "../../assets/followers.ts";
import type { SmartOverrides } from "../../contracts/control.ts";
import type { Actions, Assets } from "../../contracts/engine.ts";
import type { EnginePart } from "../../engine-part.ts";

/** What the disk refused, or an event that was missed, is looked at again after this long, ms. */
const LOOK_EVERY_MS = 60_000;
/** Ended overrides kept for each target. */
const MAX_ENDED = 10;
/** Ended overrides are kept this long, ms. */
const ENDED_AGE_MS = 30 * DAY_MS;

/**
 * An override of an earlier run is not ended by a standing target for this long, ms: the stop of that run may have put
 * the device back to what it was, and it takes up again what it held.
 */
const FRESH_RUN_MS = 3 * MINUTE_MS;

const ORIGIN = "smart-override";

/** What overrides need of the engine. */
export interface SmartOverrideNeeds {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly actions: Actions;
}

/**
 * "Charge now": one active override a target, on disk. It starts charging by a separate action, and ends by itself
 * when charging stops or that action comes to nothing.
 */
export class SmartOverrideService implements SmartOverrides, EnginePart {
  readonly #context: SmartOverrideNeeds;
  readonly #wake: WakeSignal;
  readonly #mutex = new KeyedMutex();
  readonly #active = new Map<string, OverrideRecord>();
  readonly #starting = new Map<string, SmartOverride>();
  readonly #listeners = new Listeners<[targetId: string]>();
  readonly #followers = new Followers();
  /** The overrides of an earlier run. */
  readonly #inherited = new Set<string>();
  readonly #startedAtMs: number;

  constructor(context: SmartOverrideNeeds) {
    this.#context = context;
    this.#wake = new WakeSignal(context.clock);
    this.#startedAtMs = context.clock.monotonicMs();
    for (const record of context.store.all("override")) {
      if (record.override.endedAt !== null) continue;
      this.#active.set(record.override.targetId, record);
      this.#inherited.add(record.id);
    }
  }

  active(targetId: string): SmartOverride | null {
    return this.#active.get(targetId)?.override ?? this.#starting.get(targetId) ?? null;
  }

  async start(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride> {
    const override = await this.#withLock(targetId, async () => {
      const target = this.#require(targetType, targetId);
      const known = this.#active.get(targetId);
      if (known !== undefined) return known.override;
      return await this.#begin(targetType, target);
    });
    await this.#followers.run(targetId);
    return override;
  }

  async end(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride | null> {
    const ended = await this.#withLock(targetId, async () => {
      this.#require(targetType, targetId);
      const record = this.#active.get(targetId);
      if (record === undefined) return null;
      // Charging goes on; a start that is still on its way is the override's own setting, and goes with it.
      const ended = await this.#end(record).catch(refusedByDisk);
      await this.#context.actions.withdraw(targetId, ORIGIN).catch(refusedByDisk);
      return ended;
    });
    if (ended !== null) await this.#followers.run(targetId);
    return ended;
  }

  follow(follower: Follower): Disposable {
    return this.#followers.add(follower);
  }

  observe(listener: (targetId: string) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** The target is gone, with what was stored of it. */
  forget(targetId: string): void {
    this.#active.delete(targetId);
  }

  /** Ends what is over, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions, log } = this.#context;
    using _assets = assets.observe((_kind, id) => this.#ringFor(id));
    using _actions = actions.observe(({ targetId }) => this.#ringFor(targetId));
    await this.#withdrawOrphans();
    while (!signal.aborted) {
      for (const [targetId, record] of [...this.#active]) {
        // A start or end that is under way comes first; the record is looked up again under the lock.
        await this.#mutex
          .run(targetId, () => this.#look(targetId))
          .catch((err: unknown) =>
            log.warn({ err, targetId, since: record.override.createdAt }, "override not updated"),
          );
      }
      await this.#wake.wait(LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }

  #ringFor(targetId: string): void {
    if (this.#active.has(targetId)) this.#wake.notify();
  }

  async #begin(targetType: ChargeTargetType, target: Charger | Vehicle): Promise<SmartOverride> {
    const { clock, random, store, actions, log } = this.#context;
    const { id: targetId, userId, vendor } = target;
    const createdAt = instant(clock.nowMs());
    const made = { createdAt, endedAt: null, targetType, targetId, vendorActionId: null, userId, vendor };
    // Whatever is in charge keeps its hands off from here on, before the first command.
    this.#starting.set(targetId, made);
    try {
      const vendorActionId = await this.#startCharging(targetType, targetId);
      const override: SmartOverride = { ...made, vendorActionId };
      const record: OverrideRecord = { id: random.uuid(), override, hasBegun: vendorActionId === null };
      const writes = [putOverride(record), ...this.#expired(targetId)];
      await store.commit(writes, []).catch(async (cause: unknown) => {
        if (vendorActionId !== null) await actions.withdraw(targetId, ORIGIN);
        throw cause;
      });
      this.#active.set(targetId, record);
      log.info({ targetId, actionId: vendorActionId }, "smart override began");
    } catch (error) {
      this.#starting.delete(targetId);
      this.#tell(targetId);
      return refusedByDisk(error);
    }
    this.#starting.delete(targetId);
    this.#tell(targetId);
    this.#wake.notify();
    return this.#active.get(targetId)?.override ?? made;
  }

  /** The action that starts charging; null when it charges already and nothing is about to stop it. */
  async #startCharging(targetType: ChargeTargetType, targetId: string): Promise<string | null> {
    const { actions } = this.#context;
    const pending = actions.pendingOf(targetId);
    // A feature may take back its start, so the override needs a separate one.
    if (pending !== null && pending.origin !== "client") await actions.withdraw(targetId, pending.origin);
    try {
      return (await actions.start(targetId, { targetType, kind: "START" }, ORIGIN)).id;
    } catch (error) {
      const target = this.#require(targetType, targetId);
      const isCharging = isUnderWay(target.chargeState.powerDeliveryState);
      const isRefusal = error instanceof ProblemError && error.slug === "bad-request";
      if (isRefusal && isCharging && target.capabilities.startCharging.isCapable) return null;
      throw error;
    }
  }

  async #look(targetId: string): Promise<void> {
    const record = this.#active.get(targetId);
    if (record === undefined) return;
    const { assets, actions, store } = this.#context;
    const { targetType, vendorActionId } = record.override;
    const action = vendorActionId === null ? null : actions.get(targetType, vendorActionId);
    const progress = overrideProgress({
      hasBegun: record.hasBegun,
      powerState: assets.get(targetType, targetId)?.chargeState.powerDeliveryState ?? null,
      startState: action?.state ?? null,
    });
    if (progress === "over") {
      if (!this.#mayResume(record)) await this.#end(record);
    } else if (progress === "begun" && !record.hasBegun) {
      const begun = { ...record, hasBegun: true };
      await store.commit([putOverride(begun)], []);
      this.#active.set(targetId, begun);
    }
  }

  /** True while a target that stands still may yet go on charging after a start of the gateway. */
  #mayResume({ id, override }: OverrideRecord): boolean {
    const { assets, clock } = this.#context;
    const isFresh = clock.monotonicMs() < this.#startedAtMs + FRESH_RUN_MS;
    const state = assets.get(override.targetType, override.targetId)?.chargeState.powerDeliveryState;
    return isFresh && this.#inherited.has(id) && state === "PLUGGED_IN:STOPPED";
  }

  async #end(record: OverrideRecord): Promise<SmartOverride> {
    const { clock, store, log } = this.#context;
    const { targetId, createdAt } = record.override;
    // A wall clock that stepped back does not make it end before it began.
    const endedAt = instant(Math.max(clock.nowMs(), Date.parse(createdAt)));
    const ended: OverrideRecord = { ...record, override: { ...record.override, endedAt } };
    await store.commit([putOverride(ended)], []);
    this.#active.delete(targetId);
    log.info({ targetId }, "smart override ended");
    this.#tell(targetId);
    return ended.override;
  }

  /** A crash between an action and its override leaves a start that nobody owns. */
  async #withdrawOrphans(): Promise<void> {
    const { store, actions, log } = this.#context;
    for (const { action, origin } of store.all("action")) {
      if (origin !== ORIGIN || action.state !== "PENDING" || this.active(action.targetId) !== null) continue;
      await actions
        .withdraw(action.targetId, ORIGIN)
        .catch((err: unknown) => log.warn({ err, actionId: action.id }, "start without override not withdrawn"));
    }
  }

  #require(targetType: ChargeTargetType, targetId: string): Charger | Vehicle {
    const target = this.#context.assets.get(targetType, targetId);
    if (target === null) throw problem("not-found", `There is no ${targetType} "${targetId}".`);
    return target;
  }

  /** Removals of a target's ended overrides that have had their time. */
  #expired(targetId: string): readonly Write[] {
    const { store, clock } = this.#context;
    const oldestMs = clock.nowMs() - ENDED_AGE_MS;
    return store
      .all("override")
      .filter(({ override }) => override.targetId === targetId && override.endedAt !== null)
      .toSorted((a, b) => endedMs(b) - endedMs(a))
      .filter((record, rank) => rank >= MAX_ENDED || endedMs(record) < oldestMs)
      .map(({ id }) => ({ table: "override", key: id, remove: true }));
  }

  #tell(targetId: string): void {
    this.#listeners.emit(targetId);
  }

  async #withLock<T>(targetId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(targetId, work);
    } catch (error) {
      if (error instanceof BusyError) throw problem("too-many-requests", "Too many commands wait for this device.");
      throw error;
    }
  }
}

function endedMs({ override }: OverrideRecord): number {
  return Date.parse(override.endedAt ?? override.createdAt);
}

function putOverride(record: OverrideRecord): Write {
  return { table: "override", key: record.id, put: record };
}

/** Throws the problem for the caller: a problem as it is, anything else as a refusal of the disk. */
function refusedByDisk(cause: unknown): never {
  if (cause instanceof ProblemError) throw cause;
  throw problem("service-unavailable", "The override cannot be stored now, so it did not change.", { cause });
}
