import { controlCycle, EMPTY_MEMORY } from "../../domain/energy/cycle/control-cycle.ts";
import { type CycleMemory, withoutCommand } from "../../domain/energy/cycle/cycle-memory.ts";
import type { Decision, Reason } from "../../domain/energy/cycle/energy-decision.ts";
import type { ChargeAsk, ChargerView, EnergySnapshot } from "../../domain/energy/cycle/energy-snapshot.ts";
import { recentPower, silenceMs } from "../../domain/energy/cycle/grid-reading.ts";
import { type ALARM_CODES, isLimit } from "../../domain/energy/energy-state.ts";
import type { MeasuredPower } from "../../domain/energy/limits/limitation.ts";
import type { SiteConnection } from "../../domain/energy/site/site-connection.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { NewJournalEntry } from "../../store/store.ts";
import type { Controlled } from "./controlled.ts";
import { CycleFigures } from "./cycle-figures.ts";
import type { EnergyBook } from "./energy-book.ts";
import { assetIdOf, type EnergyDevice } from "./energy-device.ts";
import { alarmEvent, limitEvent } from "./energy-events.ts";
import { type HouseView, type HouseViewParts, viewHouse } from "./house-view.ts";
import type { Latencies } from "./latencies.ts";
import { type AnyView, StandingDecisions } from "./standing-decisions.ts";

/** A limit that ends is reported as ended after this time without it, ms. */
const LIMIT_ENDED_AFTER_MS = 60_000;
const NOMINAL_V = 230;
const NOTHING_TO_DO: Reason = { code: "nothing-to-do", subject: null, untilMs: null };

export interface ShownAlarm {
  readonly code: (typeof ALARM_CODES)[number];
  readonly subject: string;
  /** Wall-clock ms. */
  readonly sinceMs: number;
}

export interface EnergyCycleOptions {
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs">;
  readonly log: Log;
  readonly book: EnergyBook;
  readonly latencies: Latencies;
  readonly view: HouseViewParts;
  readonly devices: () => readonly EnergyDevice[];
  readonly wake: (deviceId: string) => void;
  /** Takes what was measured, for the records of limitations. */
  readonly measured: (powers: MeasuredPower) => void;
  /** Stores what happened. */
  readonly report: (events: readonly NewJournalEntry[]) => void;
}

/** The limit that decides about a device, or did a moment ago. */
interface ActiveReason {
  readonly code: string;
  readonly subject: string | null;
  lastSeenMs: number;
}

/** Runs the control cycle on the present house and applies what it decides. It does no I/O itself. */
export class EnergyCycle {
  readonly figures = new CycleFigures();
  readonly #options: EnergyCycleOptions;
  readonly #standing: StandingDecisions;
  readonly #reasons = new Map<string, Reason>();
  readonly #limits = new Map<string, ActiveReason>();
  /** Who asked for charging in the last cycle. */
  readonly #askers = new Map<string, ChargeAsk["by"]>();
  #memory: CycleMemory = EMPTY_MEMORY;
  #alarms: readonly ShownAlarm[] = [];
  #fault: string | null = null;
  #view: HouseView | null = null;
  /** Wall-clock ms; `null` before the first cycle. */
  #decidedAtMs: number | null = null;
  #wasActive = false;
  /** Of the devices that were decided about last. */
  #userId: string | null = null;
  /** Monotonic ms. */
  #firstRunMs: number | null = null;
  /** Monotonic ms since when there is no meter at the grid any more. */
  #meterGoneMs: number | null = null;

  constructor(options: EnergyCycleOptions) {
    this.#options = options;
    this.#standing = new StandingDecisions(options.wake, (id) => {
      this.#memory = withoutCommand(this.#memory, id);
    });
  }

  get alarms(): readonly ShownAlarm[] {
    return this.#alarms;
  }

  /** The house as the last cycle saw it. */
  get last(): HouseView | null {
    return this.#view;
  }

  get decidedAtMs(): number | null {
    return this.#decidedAtMs;
  }

  reasonOf(id: string): Reason | null {
    if (!this.#wasActive) return null;
    // What nothing decides about, such as a heat pump that is not blocked, is left to itself.
    return this.#reasons.get(id) ?? (this.#view?.controlled.has(id) === true ? NOTHING_TO_DO : null);
  }

  /** True while there is a mode or a limit, a plan for a battery, or a price below zero for feeding in. */
  isActive(): boolean {
    const { book, view } = this.#options;
    const site = view.sources.connection();
    if (book.all().length > 0 || hasLimits(site) || view.sources.limits().length > 0) return true;
    if (view.sources.feedInStopsUntilMs() !== null) return true;
    // A block is held for its least time, also if its limit has ended.
    if ([...this.#memory.heatPumps.values()].some(({ blockedAtMs }) => blockedAtMs !== null)) return true;
    if ([...(this.#view?.controlled.values() ?? [])].some((each) => this.#isComingBack(each))) return true;
    return this.#view?.snapshot.batteries.some(({ plannedMode }) => plannedMode !== null) ?? false;
  }

  /** After a limit an inverter comes back step by step, also where nothing else is to be decided. */
  #isComingBack({ kind, device, view }: Controlled<AnyView>): boolean {
    if (kind !== "inverter" || device.commands.regulated.value("inverter.powerLimit") === null) return false;
    return (this.#memory.inverters.get(view.id)?.command ?? null) !== null;
  }

  /** The house as it is now; `null` if it has no meter at the grid. */
  look(): HouseView | null {
    const { view, devices, clock } = this.#options;
    return viewHouse(view, devices(), { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs() });
  }

  /** Decides once. Never throws. */
  run(): void {
    const { log, clock } = this.#options;
    const beganAtMs = clock.monotonicMs();
    try {
      const before = this.#view;
      const house = this.look();
      if (this.#isMeterAway(house)) return;
      if (this.#wasActive && before !== null) this.#leave(before, house);
      this.#view = house;
      if (this.#view === null || !this.isActive()) {
        this.#rest();
        return;
      }
      if (this.#awaitsMeter(this.#view)) return;
      this.#wasActive = true;
      this.#prepare(this.#view);
      // What was just prepared, such as a request that ended with the plug, counts in this cycle.
      this.#view = this.look() ?? this.#view;
      if (this.#fault !== null) {
        this.#recover(this.#view);
        this.#view = this.look() ?? this.#view;
      }
      const { decisions, memory } = controlCycle(this.#view.snapshot, this.#memory);
      this.#memory = memory;
      this.#fault = null;
      for (const decision of decisions) this.#apply(this.#view, decision);
      const decided = new Set(decisions.map(({ id }) => id));
      for (const [id, each] of this.#view.controlled) if (!decided.has(id)) this.#standing.end(each);
      this.#note(this.#view, memory.alarms);
      this.#options.measured(measuredPower(this.#view.snapshot));
      this.#decidedAtMs = clock.nowMs();
      this.figures.ran(clock.monotonicMs() - beganAtMs);
    } catch (err) {
      this.figures.failed();
      const fault = errorText(err);
      if (fault !== this.#fault) log.error({ err }, "control cycle failed; devices get their safe values");
      this.#fault = fault;
      this.#failSafe();
    }
  }

  /** After a start the meter has not been read yet: it counts as silent only once it had the time to be. */
  #awaitsMeter({ snapshot }: HouseView): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    this.#firstRunMs ??= nowMs;
    return snapshot.grid.measuredAtMs === null && nowMs - this.#firstRunMs < silenceMs(snapshot);
  }

  /** A meter that is connected again is away for seconds: what was decided stands meanwhile, or limits would be lifted. */
  #isMeterAway(house: HouseView | null): boolean {
    if (house !== null || this.#view === null) {
      this.#meterGoneMs = null;
      return false;
    }
    const nowMs = this.#options.clock.monotonicMs();
    this.#meterGoneMs ??= nowMs;
    return nowMs - this.#meterGoneMs < silenceMs(this.#view.snapshot);
  }

  /** Gives back what is regulated on a device. */
  release(id: string): void {
    const each = this.#view?.controlled.get(id);
    if (each !== undefined) this.#standing.release(each);
    this.#reasons.delete(id);
    this.figures.released(id);
  }

  /** Nothing is to be decided: all devices are as they are without the energy manager. */
  #rest(): void {
    if (!this.#wasActive) return;
    this.#wasActive = false;
    if (this.#view !== null) this.#leave(this.#view, null);
    this.#memory = EMPTY_MEMORY;
    this.#reasons.clear();
    this.#setAlarms([]);
  }

  /** What was decided about and is not any more, such as a vehicle that drives away, is given back. */
  #leave(before: HouseView, now: HouseView | null): void {
    const left = [...before.controlled.values()].filter(({ view }) => now?.controlled.has(view.id) !== true);
    for (const each of left) {
      this.#standing.release(each);
      this.#reasons.delete(each.view.id);
      this.figures.released(each.view.id);
    }
    const ended = left.flatMap((each) => this.#limitEnded(each));
    if (ended.length > 0) this.#options.report(ended);
  }

  #limitEnded({ view: { id }, device, kind }: Controlled<AnyView>): readonly NewJournalEntry[] {
    const active = this.#limits.get(id);
    if (active === undefined) return [];
    this.#limits.delete(id);
    return [limitEvent("limit-ended", { userId: device.settings.userId, id, deviceType: kind }, named(active))];
  }

  /** A request ends with the plug; measured currents teach how fast a charger follows. */
  #prepare({ snapshot, controlled }: HouseView): void {
    const { latencies } = this.#options;
    this.#endRequests();
    for (const charger of snapshot.chargers) {
      this.#endAsk(charger, controlled.get(charger.id) ?? null);
      const drawnA = drawn(charger);
      if (drawnA !== null && charger.measuredAtMs !== null)
        latencies.measured(charger.id, drawnA, charger.measuredAtMs);
    }
  }

  /** A vehicle may be unplugged elsewhere, where nothing is decided about it. */
  #endRequests(): void {
    const { book, devices } = this.#options;
    for (const { assetId, kind, asked } of book.all()) {
      if (asked === null || kind === "hvac") continue;
      const device = devices().find((each) => assetIdOf(each, kind) === assetId);
      if (device?.values[`${kind}.state`] !== "UNPLUGGED") continue;
      book.ask(assetId, null);
      device.commands.forgive();
    }
  }

  /**
   * Once nobody asks for charging any more the device has its own setting again, before the cycle decides what limits leave of
   * it: what a limit has made of the request would look like that setting, and stay.
   */
  #endAsk({ id, ask }: ChargerView, each: Controlled<AnyView> | null): void {
    const before = this.#askers.get(id) ?? ask.by;
    this.#askers.set(id, ask.by);
    if (ask.by === "device" && before !== "device" && before !== "energy" && each !== null)
      this.#standing.release(each);
  }

  #apply({ controlled }: HouseView, decision: Decision): void {
    const { book, latencies, clock, log } = this.#options;
    const each = controlled.get(decision.id);
    if (each === undefined) return;
    this.#reasons.set(decision.id, decision.reason);
    const { view } = each;
    this.figures.decided(decision, "isEnabled" in view ? view.isEnabled : null);
    const ask = "ask" in view ? view.ask : null;
    const asked = book.get(view.id)?.asked ?? null;
    const isMode = ask?.by === "energy";
    const lost = this.#standing.apply(each, decision, { isMode, isCarriedOut: ask?.by === "person" && asked !== null });
    if (isMode && lost.length > 0) {
      log.info(
        { id: view.id, points: lost },
        "somebody changed the device; its mode waits until it is plugged in again",
      );
      book.ask(view.id, { by: "device", isOn: null, maxA: asked?.maxA ?? null, actionId: null });
      this.#standing.release(each);
    }
    if (decision.kind === "charger" && "offeredA" in view && (decision.isOn ?? decision.currentA) !== null) {
      const targetA = decision.isOn === false ? 0 : (decision.currentA ?? view.offeredA ?? 0);
      latencies.commanded(view.id, targetA, drawn(view), clock.monotonicMs());
    }
  }

  /** Without a decision chargers get their least current where a limit could be exceeded, and batteries go free. */
  #failSafe(): void {
    const { clock } = this.#options;
    const last = this.#view?.snapshot ?? null;
    const isLimited = last !== null && (hasLimits(last.site) || last.limits.length > 0);
    for (const each of this.#view?.controlled.values() ?? []) this.#makeSafe(each, isLimited);
    const before = this.#alarms.find(({ code }) => code === "control-failed");
    const failed = before ?? { code: "control-failed", subject: "control-cycle", sinceMs: clock.nowMs() };
    this.#setAlarms([...this.#alarms.filter((alarm) => alarm !== before), failed]);
  }

  /** What was held for safety is given back, and the cycle decides in the same step what limits leave of it. */
  #recover({ controlled }: HouseView): void {
    for (const each of controlled.values()) if (each.kind !== "inverter") this.#standing.release(each);
  }

  #makeSafe(each: Controlled<AnyView>, isLimited: boolean): void {
    const { view, kind } = each;
    // What limits a feed-in, or blocks a heat pump, stays.
    if (kind === "inverter" || this.#isBlocked(view.id)) return;
    if ((kind !== "charger" && kind !== "vehicle") || !isLimited) {
      this.#standing.release(each);
      return;
    }
    const range = "range" in view ? view.range : null;
    if (range !== null) this.#standing.hold(each, `${kind}.maxCurrent`, Math.max(6, range.minA));
  }

  #isBlocked(id: string): boolean {
    return (this.#memory.heatPumps.get(id)?.blockedAtMs ?? null) !== null;
  }

  /** Reports limits and alarms that begin and end. */
  #note(house: HouseView, alarms: CycleMemory["alarms"]): void {
    const { clock } = this.#options;
    const events = [...house.controlled.values()].flatMap((each) => this.#limitEvents(each));
    if (events.length > 0) this.#options.report(events);
    this.#setAlarms(
      alarms.map(({ code, subject }) => {
        const known = this.#alarms.find((each) => each.code === code && each.subject === subject);
        return known ?? { code, subject, sinceMs: clock.nowMs() };
      }),
    );
  }

  #limitEvents(each: Controlled<AnyView>): readonly NewJournalEntry[] {
    const { view, device, kind } = each;
    const { id } = view;
    const nowMs = this.#options.clock.monotonicMs();
    const reason = this.#reasons.get(id);
    const active = this.#limits.get(id);
    const isLimited = reason !== undefined && isLimit(reason.code);
    if (isLimited && active?.code === reason.code && active.subject === reason.subject) {
      active.lastSeenMs = nowMs;
      return [];
    }
    if (!isLimited && (active === undefined || nowMs - active.lastSeenMs < LIMIT_ENDED_AFTER_MS)) return [];
    const ended = this.#limitEnded(each);
    if (!isLimited) return ended;
    this.#limits.set(id, { code: reason.code, subject: reason.subject, lastSeenMs: nowMs });
    const about = { userId: device.settings.userId, id, deviceType: kind };
    return [...ended, limitEvent("limit-active", about, named(reason))];
  }

  #setAlarms(alarms: readonly ShownAlarm[]): void {
    const before = this.#alarms;
    this.#alarms = alarms;
    this.#userId = this.#view?.controlled.values().next().value?.device.settings.userId ?? this.#userId;
    const userId = this.#userId;
    if (userId === null) return;
    const begun = alarms.filter((alarm) => !before.some((each) => isSame(each, alarm)));
    const ended = before.filter((alarm) => !alarms.some((each) => isSame(each, alarm)));
    const events = [
      ...begun.map((alarm) => alarmEvent(userId, alarm, true)),
      ...ended.map((alarm) => alarmEvent(userId, alarm, false)),
    ];
    if (events.length > 0) this.#options.report(events);
  }
}

/** What limitations are recorded with: the connection, and what can be controlled. */
function measuredPower(snapshot: EnergySnapshot): MeasuredPower {
  const { nowMs, grid, chargers, batteries, inverters, heatPumps = [], heatPumpsW = 0 } = snapshot;
  const [charged, dimmable] = [[...chargers, ...batteries], heatPumps.filter(({ isRaised }) => !isRaised)];
  const controlled = [...charged, ...dimmable];
  const devices = controlled.flatMap(({ id, powerW }) => (powerW === null ? [] : [{ id, powerW }]));
  const isKnown = devices.length === controlled.length;
  const chargedW = charged.reduce((sum, { powerW }) => sum + (powerW ?? 0), 0);
  // The house's own sun comes on top of what § 14a EnWG leaves.
  const panelsW = inverters.reduce((sum, inverter) => sum + Math.max(0, recentPower(inverter, nowMs) ?? 0), 0);
  // What heats without a mode counts with the limit, and so with its record.
  const controllableW = isKnown ? chargedW + heatPumpsW - panelsW : null;
  return { atMs: grid.measuredAtMs ?? nowMs, gridW: grid.powerW, controllableW, devices };
}

export function hasLimits({ fuseA, importKw, peakKw, exportKw, circuits }: SiteConnection): boolean {
  return fuseA !== null || importKw !== null || peakKw !== null || exportKw !== null || circuits.length > 0;
}

function named({ code, subject }: { readonly code: string; readonly subject: string | null }) {
  return { code, subject };
}

function isSame(a: ShownAlarm, b: ShownAlarm): boolean {
  return a.code === b.code && a.subject === b.subject;
}

/** A per phase, of the phase that draws most; `null` if it is not known. */
function drawn(view: Extract<AnyView, { readonly ask: unknown }>): number | null {
  const currents = view.currentA.flatMap((current) => current ?? []);
  if (currents.length > 0) return Math.max(...currents.map(Math.abs));
  return view.powerW === null ? null : view.powerW / NOMINAL_V / view.phases.length;
}
