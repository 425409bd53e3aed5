/** What is promised beside the limits: the battery, few switchings, reasons, true figures, targets, the operator's records. */
import { type EnergyState, isLimit } from "../../src/domain/energy/energy-state.ts";
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import { Tally } from "../long-run/tally.ts";
import { BatteryKept } from "./battery-kept.ts";
import type { Calm } from "./calm.ts";
import type { Charging } from "./charging.ts";
import { HeatKept } from "./heat-kept.ts";
import type { House, Truth } from "./house.ts";
import type { Residents, Wish } from "./residents.ts";
import { Sustained } from "./sustained.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const LOOK_EVERY_S = 10;
const LANGUAGES = ["en-US", "de-DE", "fr-FR", "nl-NL", "sv-SE"] as const;
/** A battery that gives less than this is idle. */
const DISCHARGE_W = 400;
const HOLD_WITHIN_MS = 2 * MINUTE_MS;
/** Starts an hour: promised for the automatic modes; the others restart after a stop for the fuse, and its pause. */
const AUTOMATIC_STARTS = 4;
const DIRECT_STARTS = 12;
/** A battery is held for a minute at least, and a car under changing clouds may ask for that again at once. */
const BATTERY_CHANGES = 60;
const DECIDED_WITHIN_MS = 10 * SECOND_MS;
/** The heartbeat is lost after 120 s. */
const LOST_AFTER_MS = 130 * SECOND_MS;
const FAILSAFE_W = 4_200;
/** A target counts as reachable if limits held its car up for no more of the time. */
const LIMITED_SHARE = 0.05;
const NEARLY = 0.96;

export class PromisesKept {
  readonly judged = new Tally();
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #residents: Residents;
  readonly #sustained: Sustained;
  readonly #battery: BatteryKept;
  readonly #heat: HeatKept;
  readonly #limitedMs = new Map<string, number[]>();
  readonly #batteryChangesMs: number[] = [];
  #batteryMode: unknown = null;
  #seconds = 0;
  #lostSinceMs: number | null = null;

  constructor(parts: { world: World; house: House; calm: Calm; residents: Residents }) {
    this.#world = parts.world;
    this.#house = parts.house;
    this.#calm = parts.calm;
    this.#residents = parts.residents;
    this.#sustained = new Sustained(parts.world.clock);
    this.#battery = new BatteryKept({ ...parts, judged: this.judged });
    this.#heat = new HeatKept({ ...parts, judged: this.judged });
  }

  afterSecond(running: RunningGateway | null): readonly string[] {
    this.#seconds += 1;
    const shown = shownBy(running);
    const breaches = [...this.#switchings(), ...this.#targets(running)];
    breaches.push(...this.#battery.afterSecond(running, shown), ...this.#heat.afterSecond(running, shown));
    if (running === null || !this.#calm.isCalm("gateway")) {
      this.#sustained.clear();
      return breaches;
    }
    breaches.push(...this.#batteryIntoCar(shown));
    if (this.#seconds % LOOK_EVERY_S !== 0) return breaches;
    return [...breaches, ...this.#explained(running), ...this.#operatorHeard(running)];
  }

  /**
   * With `holdWhileFast` and without support, no battery is emptied into a car for more than two minutes. A charger that the
   * energy manager let go because its commands had no effect is a plain load of the house, for ten minutes.
   */
  #batteryIntoCar(shown: Shown): readonly string[] {
    const { battery, chargers } = this.#house;
    const { batteryUse, ids } = this.#residents;
    const cars = chargers.filter(({ amps, spec }) => amps > 1 && isControlled(shown, ids.get(spec.id) ?? ""));
    const isPromised =
      batteryUse.holdWhileFast &&
      batteryUse.supportAbove >= 100 &&
      cars.length > 0 &&
      this.#calm.isCalm("meter", "battery", ...cars.map(({ spec }) => spec.id));
    // What is fed in does not go into the car.
    const intoHouseW = -battery.watts - Math.max(0, -this.#house.truth.gridW);
    const isBroken = isPromised && intoHouseW > DISCHARGE_W && isFree(shown, ids.get("battery") ?? "");
    return this.#sustained.check("battery into car", {
      isBroken,
      allowedMs: HOLD_WITHIN_MS + Math.max(...cars.map(({ spec }) => spec.latencyMs), 0),
      text: `the battery gives ${Math.round(-battery.watts)} W in ${battery.mode} while a car charges`,
    });
  }

  #switchings(): readonly string[] {
    const nowMs = this.#world.clock.monotonicMs();
    const breaches = this.#house.chargers.flatMap((charging) => this.#starts(charging, nowMs));
    const mode = this.#house.battery.mode;
    if (mode !== this.#batteryMode) this.#batteryChangesMs.push(nowMs);
    this.#batteryMode = mode;
    while ((this.#batteryChangesMs[0] ?? nowMs) < nowMs - HOUR_MS) this.#batteryChangesMs.shift();
    const isCalm = this.#calm.wasCalmFor(HOUR_MS, "battery", "meter", "gateway");
    const allowed = BATTERY_CHANGES + 2 * this.#calm.deedsWithin("battery", HOUR_MS);
    if (!isCalm || this.#batteryChangesMs.length <= allowed) return breaches;
    const text = `the battery's mode changed ${this.#batteryChangesMs.length} times in an hour`;
    this.#batteryChangesMs.length = 0;
    return [...breaches, text];
  }

  #starts({ spec: { id }, startsMs }: Charging, nowMs: number): readonly string[] {
    while ((startsMs[0] ?? nowMs) < nowMs - HOUR_MS) startsMs.shift();
    if (!this.#calm.wasCalmFor(HOUR_MS, id, "meter", "gateway")) return [];
    const mode = this.#residents.mode.get(id);
    const isAutomatic = mode === "SURPLUS" || mode === "PLANNED";
    const deeds = this.#calm.deedsWithin(id, HOUR_MS);
    const allowed = (isAutomatic ? AUTOMATIC_STARTS : DIRECT_STARTS) + deeds;
    if (startsMs.length <= allowed) return [];
    const text = `${id} was started ${startsMs.length} times in an hour in the mode ${mode}, with ${deeds} deeds`;
    startsMs.length = 0;
    return [text];
  }

  #targets(running: RunningGateway | null): readonly string[] {
    const nowMs = this.#world.clock.monotonicMs();
    const due = this.#residents.wishes.filter(({ dueMs }) => dueMs <= nowMs);
    for (const wish of due) this.#residents.wishes.splice(this.#residents.wishes.indexOf(wish), 1);
    return due.flatMap((wish) => (running === null ? [] : this.#target(wish, nowMs)));
  }

  #target({ chargerId, kwh, setAtMs, dueMs }: Wish, nowMs: number): readonly string[] {
    const charging = this.#house.chargers.find(({ spec }) => spec.id === chargerId);
    if (charging === undefined) return [];
    const sinceMs = nowMs - setAtMs;
    const isAlone = this.#calm.deedsWithin(chargerId, sinceMs + SECOND_MS) <= 1;
    const isCalm = this.#calm.wasCalmFor(sinceMs, chargerId, "meter", "gateway");
    const limitedMs = (this.#limitedMs.get(chargerId) ?? []).filter((atMs) => atMs >= setAtMs).length * 10 * SECOND_MS;
    const { sessionWh, wantedWh, isPlugged, spec } = charging;
    const fullWh = Math.min(spec.car.maxA, spec.maxA) * charging.carPhases.length * 230 * ((dueMs - setAtMs) / HOUR_MS);
    const isReachable = isPlugged && kwh * 1_000 < 0.75 * fullWh && limitedMs < LIMITED_SHARE * sinceMs;
    if (!isAlone || !isCalm || !isReachable) {
      this.judged.count("targets that could not be judged");
      return [];
    }
    this.judged.count("targets");
    if (wantedWh <= 0 || sessionWh >= NEARLY * kwh * 1_000) return [];
    return [`${chargerId} has ${Math.round(sessionWh)} Wh at the time of its target of ${kwh} kWh`];
  }

  /** Every device has a reason, in every language, and the figures are those of the meters. */
  #explained({ gateway }: RunningGateway): readonly string[] {
    const { clock } = this.#world;
    const language = LANGUAGES[(this.#seconds / LOOK_EVERY_S) % LANGUAGES.length];
    const state = gateway.engine.services.energy.state(language);
    if (!state.isActive || !this.#calm.isCalm("site", "limits")) return [];
    this.judged.count("states");
    const nowMs = clock.nowMs();
    const breaches: string[] = [];
    const decidedMs = state.decidedAt === null ? 0 : Date.parse(state.decidedAt);
    if (nowMs - decidedMs > DECIDED_WITHIN_MS) breaches.push(`the last decision is of ${state.decidedAt}`);
    for (const { id, name, deviceType, reason } of state.devices) {
      if (reason === null || reason.text.trim() === "" || /undefined|null|NaN|[{}]/.test(reason.text)) {
        breaches.push(`${deviceType} ${name} has no reason in ${language}: ${JSON.stringify(reason)}`);
        continue;
      }
      if (reason.until !== null && Date.parse(reason.until) < nowMs - DECIDED_WITHIN_MS) {
        breaches.push(`${deviceType} ${name} names a change that is over: ${JSON.stringify(reason)}`);
      }
      this.judged.count(`reason ${reason.code}`);
      const charging = this.#house.chargers.find(({ spec }) => this.#residents.ids.get(spec.id) === id);
      if (charging === undefined) continue;
      if (isLimit(reason.code) || reason.code === "waits-minimum-time") this.#noteLimited(charging.spec.id);
    }
    return [...breaches, ...this.#flows(state)];
  }

  #noteLimited(id: string): void {
    const all = this.#limitedMs.get(id) ?? [];
    const nowMs = this.#world.clock.monotonicMs();
    all.push(nowMs);
    while ((all[0] ?? nowMs) < nowMs - 12 * HOUR_MS) all.shift();
    this.#limitedMs.set(id, all);
  }

  #flows(state: {
    readonly grid: { readonly powerKw: number | null; readonly ageSeconds: number | null };
    readonly chargers: { readonly powerKw: number | null };
    readonly production: { readonly powerKw: number | null };
    readonly battery: { readonly powerKw: number | null };
  }): readonly string[] {
    const { chargers, meter, meterLagS, panels, battery } = this.#house;
    const slowS = (pollMs: number): number => (2 * pollMs) / SECOND_MS + 2;
    const carS = Math.max(...chargers.map(({ spec }) => slowS(spec.pollMs)));
    const ids = chargers.map(({ spec }) => spec.id);
    return [
      ...this.#flow("grid", state.grid.powerKw, (truth) => truth.gridW, slowS(meter.pollMs) + meterLagS, ["meter"]),
      ...this.#flow("chargers", state.chargers.powerKw, (truth) => truth.chargersW, carS, ids),
      ...this.#flow("production", state.production.powerKw, ({ sunW }) => sunW, slowS(panels.device.pollMs), [
        "panels",
      ]),
      ...this.#flow("battery", state.battery.powerKw, ({ batteryW }) => batteryW, slowS(battery.device.pollMs), [
        "battery",
      ]),
    ];
  }

  #flow(
    name: string,
    kw: number | null,
    of: (truth: Truth) => number,
    seconds: number,
    subjects: readonly string[],
  ): readonly string[] {
    if (!this.#calm.isCalm(...subjects)) return [];
    const seen = this.#house.past.slice(-seconds - 1).map(of);
    const [lowest, highest] = [Math.min(...seen), Math.max(...seen)];
    if (kw !== null && kw * 1_000 > lowest - 50 && kw * 1_000 < highest + 50) return [];
    return [`${name} shows ${kw} kW and was between ${Math.round(lowest)} and ${Math.round(highest)} W`];
  }

  /** What the operator set is in force; without its sign of life the failsafe value is. */
  #operatorHeard({ gateway }: RunningGateway): readonly string[] {
    const { demand, isHeartbeatOn } = this.#residents;
    const nowMs = this.#world.clock.monotonicMs();
    if (isHeartbeatOn || demand === null) this.#lostSinceMs = null;
    else this.#lostSinceMs ??= nowMs;
    if (demand === null || nowMs >= demand.untilMs) return [];
    const isLost = this.#lostSinceMs !== null && nowMs - this.#lostSinceMs > LOST_AFTER_MS;
    const isHeard = isHeartbeatOn && this.#calm.wasCalmFor(nowMs - demand.setAtMs, "gateway");
    if (!isLost && !isHeard) return [];
    const most = isLost ? FAILSAFE_W : demand.watts;
    const active = gateway.engine.services.energyLimits
      .active()
      .find(({ direction, scope }) => direction === demand.direction && scope === demand.scope);
    this.judged.count(isLost ? "failsafe values" : "limits in force");
    if (active !== undefined && active.watts <= most) return [];
    return [`the operator's ${demand.direction} limit of ${most} W is not in force, but ${active?.watts ?? "none"}`];
  }
}

/** What the gateway shows at this second: asked once, and only if a check needs it. */
export type Shown = () => EnergyState | null;

function shownBy(running: RunningGateway | null): Shown {
  let state: EnergyState | null = null;
  return () => {
    state ??= running?.gateway.engine.services.energy.state() ?? null;
    return state;
  };
}

/** True if nobody else has the battery. */
function isFree(shown: Shown, id: string): boolean {
  const state = shown();
  if (state?.isActive !== true) return false;
  return state.devices.some((device) => device.id === id && ["device", "energy"].includes(device.inCharge));
}

function isControlled(shown: Shown, id: string): boolean {
  return shown()?.devices.some((device) => device.id === id && device.isControlled) ?? false;
}
