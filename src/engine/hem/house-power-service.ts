import { type HousePower, housePower, type PowerView } from "../../domain/hem-power.ts";
import type { PointName } from "../../sdk/points.ts";
import type { EnginePart, PartContext, TellingDevice } from "../engine-part.ts";
import { isDark } from "../is-dark.ts";
import type { HemPower, HousePowers } from "../services/hem.ts";
import type { HemDevice } from "./hem-history.ts";

/** How often the powers of the houses are reckoned, ms. */
const LOOK_EVERY_MS = 5_000;

const POWERS: Readonly<Record<HemDevice["kind"], PointName>> = {
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

type Context = Pick<PartContext, "clock" | "config" | "log" | "devices">;

/** Reckons what the houses use at this moment, and tells when it changes. */
export class HousePowerService implements HousePowers, EnginePart {
  readonly #context: Context;
  readonly #systems: () => readonly PoweredSystem[];
  readonly #listeners = new Set<(power: HemPower) => void>();
  #powers: ReadonlyMap<string, HemPower> = new Map();

  constructor(context: Context, systems: () => readonly PoweredSystem[]) {
    this.#context = context;
    this.#systems = systems;
  }

  list(userId?: string): readonly HemPower[] {
    return [...this.#powers.values()].filter((power) => userId === undefined || power.userId === userId);
  }

  observe(listener: (power: HemPower) => void): Disposable {
    const own = (power: HemPower): void => listener(power);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
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
        const power = housePower(
          views.map((view) => powerView(view, known.get(view.deviceId))),
          isNight,
        );
        return { hemSystemId: id, userId, atMs: clock.nowMs(), ...power };
      });
      this.#powers = new Map(now.map((power) => [power.hemSystemId, power]));
      for (const power of now) {
        const last = before.get(power.hemSystemId);
        if (last === undefined || !isSame(last, power)) for (const listener of this.#listeners) listener(power);
      }
    } catch (err) {
      log.warn({ err }, "powers of the house not reckoned");
    }
  }
}

function powerView({ kind, rank }: HemDevice, device: TellingDevice | undefined): PowerView {
  const value = device?.latest(POWERS[kind]) ?? null;
  return { kind: kind === "hem" ? "load" : kind, rank, powerW: typeof value === "number" ? value : null };
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
