import { type HousePower, housePower, type PowerView } from "../../domain/hem/hem-power.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { HemPower, HousePowers } from "../contracts/hem.ts";
import { isDark } from "../devices/is-dark.ts";
import type { EngineConfig, EnginePart, TellingDevice } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { HemDevice } from "./hem-history.ts";
import type { CountedPower, HousePowerPoint } from "./power-track.ts";

/** Interval at which the house powers are calculated. */
const CALCULATE_EVERY_MS = 5_000;
/** Unchanged powers are reported again when they are this much newer, so that a reader knows that they are still measured. */
const REPORT_AGAIN_MS = 20_000;
/** Measurements up to this far apart count as simultaneous. */
const SIMULTANEOUS_MS = 60_000;

const POWERS: Readonly<Record<HemDevice["kind"], HousePowerPoint>> = {
  battery: "battery.power",
  inverter: "inverter.power",
  meter: "meter.power",
  hem: "hem.load",
};

/** A system with its devices' roles. */
export interface PoweredSystem {
  readonly id: string;
  readonly userId: string;
  readonly devices: readonly HemDevice[];
}

/** The parts of the engine that house powers use. */
export interface HousePowerNeeds {
  readonly clock: Clock;
  readonly config: EngineConfig;
  readonly log: Log;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
}

/** Calculates the present power flows of each house, and notifies listeners of changes and of newer measurements. */
export class HousePowerService implements HousePowers, EnginePart {
  readonly #context: HousePowerNeeds;
  readonly #systems: () => readonly PoweredSystem[];
  readonly #listeners = new Listeners<[power: HemPower]>();
  #powers: ReadonlyMap<string, HemPower> = new Map();
  /** The powers of which listeners were notified. */
  readonly #reported = new Map<string, HemPower>();

  constructor(context: HousePowerNeeds, systems: () => readonly PoweredSystem[]) {
    this.#context = context;
    this.#systems = systems;
  }

  list(userId?: string): readonly HemPower[] {
    return [...this.#powers.values()].filter((power) => userId === undefined || power.userId === userId);
  }

  observe(listener: (power: HemPower) => void): Disposable {
    return this.#listeners.subscribe(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#context.clock.sleep(CALCULATE_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) this.#calculate();
    }
  }

  #calculate(): void {
    const { clock, config, log, devices } = this.#context;
    try {
      const known = new Map(devices().map((device) => [device.settings.id, device]));
      const isNight = isDark(clock, config.site.place);
      const now = this.#systems().map(({ id, userId, devices: views }): HemPower => {
        const roles = views.map((view) => ({ view, device: known.get(view.deviceId) }));
        const { powers, ageMs } = simultaneousPowers(roles, clock.monotonicMs());
        return { hemSystemId: id, userId, atMs: clock.nowMs() - ageMs, ...housePower(powers, isNight) };
      });
      this.#powers = new Map(now.map((power) => [power.hemSystemId, power]));
      for (const power of now) {
        const last = this.#reported.get(power.hemSystemId);
        const isKnown = last !== undefined && isSamePower(last, power) && power.atMs - last.atMs < REPORT_AGAIN_MS;
        if (isKnown) continue;
        this.#reported.set(power.hemSystemId, power);
        this.#listeners.emit(power);
      }
    } catch (err) {
      log.warn({ err }, "house power could not be calculated; the last one is kept");
    }
  }
}

export function createHousePowers(
  context: HousePowerNeeds,
  systems: () => readonly PoweredSystem[],
): Feature<HousePowerService> {
  const service = new HousePowerService(context, systems);
  return { name: "housePowers", service, loop: service };
}

interface RoleDevice {
  readonly view: HemDevice;
  readonly device: TellingDevice | undefined;
}

/**
 * Returns the powers at the moment of the slowest device's last measurement. A cloud reports values that are minutes old;
 * newer values of other devices do not add up with them.
 */
function simultaneousPowers(
  roles: readonly RoleDevice[],
  nowMs: number,
): { readonly powers: readonly PowerView[]; readonly ageMs: number } {
  const newest = countedTicks(roles, nowMs);
  const momentMs = Math.min(nowMs, Math.min(...newest) + SIMULTANEOUS_MS);
  const measured = roles.map((each) => ({ each, power: powerAt(each, momentMs) }));
  const oldestMs = Math.min(nowMs, ...newest);
  const powers = measured.map(({ each: { view }, power }): PowerView => {
    return { kind: view.kind === "hem" ? "load" : view.kind, rank: view.rank, powerW: power?.powerW ?? null };
  });
  return { powers, ageMs: nowMs - oldestMs };
}

/**
 * Returns when the powers were measured that the sums are made of: per kind, those of the first rank in which all devices
 * have a value.
 */
function countedTicks(roles: readonly RoleDevice[], nowMs: number): readonly number[] {
  const measured = roles.map((each) => ({ ...each.view, tickMs: powerAt(each, nowMs)?.tickMs ?? null }));
  const kinds = Map.groupBy(measured, ({ kind }) => kind).values();
  return [...kinds].flatMap((alike) => {
    const ranks = [...Map.groupBy(alike, ({ rank }) => rank)].toSorted(([a], [b]) => a - b);
    const [, counted = []] = ranks.find(([, peers]) => peers.every(({ tickMs }) => tickMs !== null)) ?? [];
    return counted.flatMap(({ tickMs }) => tickMs ?? []);
  });
}

function powerAt({ view, device }: RoleDevice, tickMs: number): CountedPower | null {
  const power = device?.powerAt(POWERS[view.by === undefined ? view.kind : "meter"], tickMs) ?? null;
  return power === null || view.by !== "turned-meter" ? power : { ...power, powerW: 0 - power.powerW };
}

/** Compares two powers at a resolution of 1 W. */
function isSamePower(a: HousePower, b: HousePower): boolean {
  const alike = (x: number | null, y: number | null): boolean =>
    x === null || y === null ? x === y : Math.round(x) === Math.round(y);
  return (
    alike(a.gridW, b.gridW) &&
    alike(a.generationW, b.generationW) &&
    alike(a.batteryW, b.batteryW) &&
    alike(a.loadW, b.loadW) &&
    a.loadFrom === b.loadFrom
  );
}
