import { type HousePower, housePower, type PowerView } from "../../domain/hem/hem-power.ts";
import { Listeners } from "../../platform/listeners.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { HemPower, HousePowers } from "../contracts/hem.ts";
import { isDark } from "../devices/is-dark.ts";
import type { EngineConfig, EnginePart, TellingDevice } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { HemDevice } from "./hem-history.ts";
import type { CountedPower, HousePowerPoint } from "./power-track.ts";

/** How often the powers of the houses are reckoned, ms. */
const LOOK_EVERY_MS = 5_000;
/** What was measured so far apart, ms, is of one moment. */
const ONE_MOMENT_MS = 60_000;

const POWERS: Readonly<Record<HemDevice["kind"], HousePowerPoint>> = {
  battery: "battery.power",
  inverter: "inverter.power",
  meter: "meter.power",
  hem: "hem.load",
};

/** A system with what its devices see. */
export interface PoweredSystem {
  readonly id: string;
  readonly userId: string;
  readonly devices: readonly HemDevice[];
}

/** What the powers of houses need of the engine. */
export interface HousePowerNeeds {
  readonly clock: Clock;
  readonly config: EngineConfig;
  readonly log: Log;
  /** All devices, in the order of the configuration and then as they were added. */
  devices(): readonly TellingDevice[];
}

/** Reckons what the houses use at this moment, and tells when it changes. */
export class HousePowerService implements HousePowers, EnginePart {
  readonly #context: HousePowerNeeds;
  readonly #systems: () => readonly PoweredSystem[];
  readonly #listeners = new Listeners<[power: HemPower]>();
  #powers: ReadonlyMap<string, HemPower> = new Map();

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
      await this.#context.clock.sleep(LOOK_EVERY_MS, signal).catch(() => {});
      if (!signal.aborted) this.#look();
    }
  }

  #look(): void {
    const { clock, config, log, devices } = this.#context;
    try {
      const known = new Map(devices().map((device) => [device.settings.id, device]));
      const isNight = isDark(clock, config.site.place);
      const before = this.#powers;
      const now = this.#systems().map(({ id, userId, devices: views }): HemPower => {
        const seen = views.map((view) => ({ view, device: known.get(view.deviceId) }));
        const { powers, ageMs } = atOneMoment(seen, clock.monotonicMs());
        return { hemSystemId: id, userId, atMs: clock.nowMs() - ageMs, ...housePower(powers, isNight) };
      });
      this.#powers = new Map(now.map((power) => [power.hemSystemId, power]));
      for (const power of now) {
        const last = before.get(power.hemSystemId);
        if (last === undefined || !isSame(last, power)) this.#listeners.emit(power);
      }
    } catch (err) {
      log.warn({ err }, "powers of the house not reckoned");
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

interface Seen {
  readonly view: HemDevice;
  readonly device: TellingDevice | undefined;
}

/**
 * The powers as they were when the slowest device that counts measured last: a cloud tells of minutes ago, and what others
 * measured since belongs to another moment than its word.
 */
function atOneMoment(
  seen: readonly Seen[],
  nowMs: number,
): { readonly powers: readonly PowerView[]; readonly ageMs: number } {
  const newest = leading(seen, nowMs).map((each) => powerAt(each, nowMs)?.tickMs ?? nowMs);
  const momentMs = Math.min(nowMs, Math.min(...newest) + ONE_MOMENT_MS);
  const told = seen.map((each) => ({ each, power: powerAt(each, momentMs) }));
  const oldestMs = Math.min(nowMs, ...newest);
  const powers = told.map(({ each: { view }, power }): PowerView => {
    return { kind: view.kind === "hem" ? "load" : view.kind, rank: view.rank, powerW: power?.powerW ?? null };
  });
  return { powers, ageMs: nowMs - oldestMs };
}

/** Those that the sums are made of: of each kind the first rank that knows all of it. */
function leading(seen: readonly Seen[], nowMs: number): readonly Seen[] {
  return seen.filter(({ view: { kind, rank } }) => {
    const alike = seen.filter(({ view }) => view.kind === kind);
    const knowing = alike.filter((each) => {
      return alike.every((other) => other.view.rank !== each.view.rank || powerAt(other, nowMs) !== null);
    });
    return rank === Math.min(...knowing.map(({ view }) => view.rank));
  });
}

function powerAt({ view, device }: Seen, tickMs: number): CountedPower | null {
  return device?.powerAt(POWERS[view.kind], tickMs) ?? null;
}

/** To the watt. */
function isSame(a: HousePower, b: HousePower): boolean {
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
