import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import type { EnergyDeviceState } from "../../domain/energy/energy-state.ts";
import {
  type FlexEvent,
  type FlexEventRecord,
  flexEventFault,
  flexEventView,
  limitOfEvent,
  type NewFlexEvent,
  participantsOf,
} from "../../domain/energy/flex/flex-event.ts";
import { comparePositions } from "../../domain/page.ts";
import { ProblemError, problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log, Random } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { Write } from "../../store/records.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { EnergyLimits, LimitPort } from "../contracts/energy/energy.ts";
import type { FlexEventEntry, FlexEvents } from "../contracts/energy/flex.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { requireSiteLocation, type SiteLocationParts } from "./site-locations.ts";

/** Events that are not over; more are refused. */
const MAX_OPEN = 50;
/** Events that are over are kept so long, and no more than this number of them. */
const KEPT_MS = 90 * DAY_MS;
const MAX_OVER = 500;
const W_PER_KW = 1_000;
/** Key of the mutex: changes run one after the other, so that an event begins and ends once. */
const CHANGES = "changes";

export interface FlexEventNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  readonly store: Pick<Store, "all" | "get" | "commit">;
}

export interface FlexEventParts extends SiteLocationParts {
  readonly energyLimits: Pick<EnergyLimits, "port">;
  /** The devices that the energy manager sees. */
  devices(): readonly EnergyDeviceState[];
}

/** Begins and ends the events of the grid by the wall clock. Their limits are limits like those of any other source. */
class FlexEventService implements FlexEvents, EnginePart {
  readonly #needs: FlexEventNeeds;
  readonly #log: Log;
  readonly #parts: FlexEventParts;
  readonly #wake: WakeSignal;
  readonly #listeners = new Listeners<[]>();
  readonly #mutex = new KeyedMutex({ maxWaiting: null });
  readonly #records: Map<string, FlexEventRecord>;
  /** When the limit ends of each active event that was handed over in this run; monotonic ms. */
  readonly #applied = new Map<string, number>();

  constructor(needs: FlexEventNeeds, parts: FlexEventParts) {
    this.#needs = needs;
    this.#log = needs.log.child({ part: "flex" });
    this.#parts = parts;
    this.#wake = new WakeSignal(needs.clock);
    this.#records = new Map(needs.store.all("flex-event").map((record) => [record.id, record]));
  }

  list(): readonly FlexEventEntry[] {
    const devices = this.#parts.devices();
    return [...this.#records.values()]
      .toSorted(comparePositions)
      .map((record) => ({ event: flexEventView(record, devices), createdAtMs: record.createdAtMs }));
  }

  get(id: string): FlexEvent | null {
    const record = this.#records.get(id);
    return record === undefined ? null : flexEventView(record, this.#parts.devices());
  }

  async create(event: NewFlexEvent): Promise<FlexEvent> {
    const { clock, random } = this.#needs;
    const nowMs = clock.nowMs();
    const fault = flexEventFault(event, nowMs);
    if (fault !== null) {
      const issue = { code: "custom", path: [fault.field], message: fault.text, in: "body" as const };
      throw problem("bad-request", fault.text, { issues: [issue] });
    }
    if (event.locationId !== null) requireSiteLocation(this.#parts, event.locationId);
    const { start, end, ...rest } = event;
    const record: FlexEventRecord = {
      ...rest,
      id: random.uuid(),
      createdAtMs: nowMs,
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      state: "SCHEDULED",
      participants: null,
    };
    await this.#mutex.run(CHANGES, async () => {
      if (this.#open().length >= MAX_OPEN) {
        throw problem("conflict", `There are ${MAX_OPEN} events that are not over already; cancel one first.`);
      }
      await this.#put(record).catch(refusedByDisk);
    });
    await this.#tick();
    this.#wake.notify();
    return flexEventView(this.#records.get(record.id) ?? record, this.#parts.devices());
  }

  async cancel(id: string): Promise<FlexEvent | null> {
    await this.#mutex.run(CHANGES, async () => {
      const record = this.#records.get(id);
      if (record === undefined) return;
      if (!isOpen(record)) throw problem("conflict", `The event is ${record.state} already.`);
      await this.#end(record, "CANCELLED").catch(refusedByDisk);
    });
    this.#wake.notify();
    return this.get(id);
  }

  absorbing(): { readonly watts: number | null; readonly endMs: number } | null {
    const { clock } = this.#needs;
    if (clock.quality() === "unset") return null;
    // The disk may have refused the end of one.
    const active = [...this.#records.values()].filter(
      ({ kind, state, endMs }) => kind === "ABSORB" && state === "ACTIVE" && clock.nowMs() < endMs,
    );
    const [first] = active.toSorted((a, b) => a.priority - b.priority || a.createdAtMs - b.createdAtMs);
    if (first === undefined) return null;
    return { watts: first.limitKw === null ? null : first.limitKw * W_PER_KW, endMs: first.endMs };
  }

  observe(listener: () => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  /** Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#tick();
      await this.#wake.wait(this.#waitMs(), signal).catch(() => undefined);
    }
  }

  /** Begins and ends what is due. What fails is tried again within a minute. */
  async #tick(): Promise<void> {
    // Without a clock nobody knows what time it is.
    if (this.#needs.clock.quality() !== "unset") await this.#mutex.run(CHANGES, () => this.#applyTime());
  }

  async #applyTime(): Promise<void> {
    const { clock } = this.#needs;
    for (const record of this.#open()) {
      try {
        if (clock.nowMs() >= record.endMs) await this.#end(record, "COMPLETED");
        else if (clock.nowMs() >= record.startMs) await this.#begin(record);
      } catch (err) {
        this.#log.warn({ err, flexEvent: record.id }, "cannot begin or end an event of the grid; trying again");
      }
    }
    await this.#prune();
  }

  #waitMs(): number {
    const nowMs = this.#needs.clock.nowMs();
    const times = this.#open().map(({ startMs, endMs }) => (nowMs < startMs ? startMs : endMs));
    return Math.max(1, Math.min(MINUTE_MS, ...times.map((atMs) => (atMs > nowMs ? atMs - nowMs : MINUTE_MS))));
  }

  async #begin(record: FlexEventRecord): Promise<void> {
    const { clock } = this.#needs;
    const durationMs = record.endMs - clock.nowMs();
    const endsAtMs = clock.monotonicMs() + durationMs;
    // A clock that was put right moves the end.
    const movedMs = Math.abs(endsAtMs - (this.#applied.get(record.id) ?? Number.NEGATIVE_INFINITY));
    if (record.state === "ACTIVE" && movedMs < SECOND_MS) return;
    const limit = limitOfEvent(record);
    if (limit !== null) {
      const { direction, scope, watts } = limit;
      const demand = {
        scope,
        limit: { isActive: true, watts, durationMs },
        failsafeW: null,
        failsafeMs: null,
      } as const;
      await this.#port(record).set({ isHeartbeat: false, heartbeatLostMs: null, [direction]: demand });
    }
    this.#applied.set(record.id, endsAtMs);
    if (record.state === "SCHEDULED") await this.#put({ ...record, state: "ACTIVE" });
    this.#listeners.emit();
  }

  async #end(record: FlexEventRecord, state: "COMPLETED" | "CANCELLED"): Promise<void> {
    // Also one whose beginning the disk refused: its limit may apply.
    if (limitOfEvent(record) !== null) await this.#port(record).withdraw().catch(ignoreUnknown);
    const ended: FlexEventRecord = { ...record, state };
    await this.#put({ ...ended, participants: participantsOf(ended, this.#parts.devices()) });
    this.#applied.delete(record.id);
    this.#listeners.emit();
  }

  #port({ id, kind }: FlexEventRecord): LimitPort {
    return this.#parts.energyLimits.port({ id: `event-${id}`, kind: "event", name: `Grid event ${kind}` });
  }

  #open(): readonly FlexEventRecord[] {
    return [...this.#records.values()].filter(isOpen);
  }

  async #put(record: FlexEventRecord): Promise<void> {
    const { locations } = this.#parts;
    const userId = record.locationId === null ? null : (locations.get(record.locationId)?.userId ?? null);
    const flexEvent = flexEventView(record, this.#parts.devices());
    const entry: NewJournalEntry = {
      event: "user:flex-event:updated",
      payload: { ...(userId !== null && { user: { id: userId } }), flexEvent },
    };
    await this.#needs.store.commit([{ table: "flex-event", key: record.id, put: record }], [entry]);
    this.#records.set(record.id, record);
  }

  /** Removes events that are over, the oldest first. */
  async #prune(): Promise<void> {
    const { clock, store, log } = this.#needs;
    const over = [...this.#records.values()].filter((record) => !isOpen(record)).toSorted(comparePositions);
    const old = over.filter(({ endMs }, at) => at >= MAX_OVER || endMs < clock.nowMs() - KEPT_MS);
    if (old.length === 0) return;
    try {
      await store.commit(
        old.map(({ id }): Write => ({ table: "flex-event", key: id, remove: true })),
        [],
      );
      for (const { id } of old) this.#records.delete(id);
    } catch (err) {
      log.warn({ err }, "cannot remove old events of the grid; trying again");
    }
  }
}

function isOpen({ state }: FlexEventRecord): boolean {
  return state === "SCHEDULED" || state === "ACTIVE";
}

/** A limit that never was stored is gone after a restart. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof ProblemError && error.slug === "not-found")) throw error;
}

function refusedByDisk(cause: unknown): never {
  if (cause instanceof ProblemError) throw cause;
  throw problem("service-unavailable", "The event cannot be stored now, so nothing changed.", { cause });
}

export function createFlexEvents(needs: FlexEventNeeds, parts: FlexEventParts): Feature<FlexEventService> {
  const service = new FlexEventService(needs, parts);
  return { name: "flexEvents", service, loop: service };
}
