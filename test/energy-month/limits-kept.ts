/** Fuses, circuits, the contract, the operator's limits and the feed-in, second by second against what is true. */
import { PHASES, type Phase } from "../../src/domain/energy/site/site-connection.ts";
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { Charging } from "./charging.ts";
import type { House } from "./house.ts";
import { Sustained } from "./sustained.ts";

const SECOND_MS = 1_000;
/** Three cycles of the energy manager, or this. */
const REACTION_MS = 10 * SECOND_MS;
const CYCLES = 3;
/** A car follows its charger within this time. */
const RAMP_MS = 5 * SECOND_MS;
/** A battery that charges from the grid is stopped before cars are lowered. */
const BATTERY_FIRST_MS = 20 * SECOND_MS;
const LEAST_A = 6;
/** Above the fuse by less is the noise of the house. */
const NOISE_A = 0.6;
const NOISE_W = 250;
/** How long a fuse bears a load above so many times its rating. */
const DEADLINES = [
  { ratio: 1.45, ms: 10 * SECOND_MS },
  { ratio: 1.13, ms: 20 * SECOND_MS },
  { ratio: 1, ms: 60 * SECOND_MS },
] as const;
const OPERATOR_MS = 30 * SECOND_MS;
const CONTRACT_MS = 60 * SECOND_MS;
const FEED_IN_MS = 30 * SECOND_MS;
const UNKNOWN_MS = 60 * SECOND_MS;
const SILENCE_MS = 30 * SECOND_MS;

/** A fuse, with what flows through one of its phases. */
interface Fused {
  readonly name: string;
  readonly phase: Phase;
  readonly fuseA: number;
  readonly amps: number;
}

export class LimitsKept {
  /** Seconds in which each limit was nearly reached by a car that the gateway can lower. */
  readonly nearS = new Tally();
  readonly #house: House;
  readonly #calm: Calm;
  readonly #sustained: Sustained;

  constructor(parts: { world: World; house: House; calm: Calm }) {
    this.#house = parts.house;
    this.#calm = parts.calm;
    this.#sustained = new Sustained(parts.world.clock);
  }

  afterSecond({ gateway }: RunningGateway): readonly string[] {
    const { siteConnections, energyLimits } = gateway.engine.services;
    if (!this.#calm.isCalm("gateway")) {
      this.#sustained.clear();
      return [];
    }
    const site = siteConnections.current();
    const silent = this.#silentMeter(site.fuseA);
    if (!this.#calm.isCalm("meter")) {
      this.#sustained.clear("fuse", "power", "feed-in");
      return silent;
    }
    const limits = energyLimits.active();
    const exports = limits.filter(({ direction }) => direction === "export").map(({ watts }) => watts);
    if (site.exportKw !== null) exports.push(site.exportKw * 1_000);
    return [
      ...silent,
      ...this.#fuses(site).flatMap((fused) => this.#fuse(fused)),
      ...(site.importKw === null ? [] : this.#power("contract", site.importKw * 1_000, CONTRACT_MS)),
      ...limits
        .filter(({ direction }) => direction === "import")
        .flatMap(({ scope, watts }) => this.#power(scope, watts, OPERATOR_MS)),
      ...(exports.length === 0 ? [] : this.#feedIn(Math.min(...exports))),
    ];
  }

  #fuses({ fuseA, circuits }: { fuseA: number | null; circuits: readonly { id: string; fuseA: number | null }[] }) {
    const { truth, chargers } = this.#house;
    const all: Fused[] = [];
    for (const [i, phase] of PHASES.entries()) {
      if (fuseA !== null) all.push({ name: "main", phase, fuseA, amps: truth.phaseA[i] ?? 0 });
      const amps = chargers.reduce((sum, charging) => sum + charging.ampsOn(phase), 0);
      for (const circuit of circuits) {
        if (circuit.fuseA !== null) all.push({ name: circuit.id, phase, fuseA: circuit.fuseA, amps });
      }
    }
    return all;
  }

  #fuse({ name, phase, fuseA, amps }: Fused): readonly string[] {
    const cars = this.#controllable().filter((charging) => charging.ampsOn(phase) > 1);
    this.#near(`fuse ${name}`, amps > 0.95 * fuseA);
    const about = `${amps.toFixed(1)} A on ${phase} of the fuse "${name}" of ${fuseA} A`;
    const isTrimmable = cars.some((charging) => charging.ampsOn(phase) > LEAST_A + NOISE_A);
    const slowMs = this.#slowMs(cars);
    const breaches = this.#sustained.check(`fuse ${name} ${phase}`, {
      isBroken: isTrimmable && amps > 1.02 * fuseA + NOISE_A,
      allowedMs: this.#reactionMs() + slowMs,
      text: `${about}, and a car that could be trimmed is not: ${this.#draws()}`,
    });
    const stops = DEADLINES.flatMap(({ ratio, ms }) =>
      this.#sustained.check(`fuse ${name} ${phase} ${ratio}`, {
        isBroken: cars.length > 0 && amps > ratio * fuseA + NOISE_A,
        allowedMs: Math.max(ms, this.#reactionMs()) + slowMs,
        text: `${about} for more than ${ms / SECOND_MS} s, and a car still charges: ${this.#draws()}`,
      }),
    );
    return [...breaches, ...stops];
  }

  #power(scope: "contract" | "connection" | "controllable", limitW: number, reactionMs: number): readonly string[] {
    const { gridW, chargersW, batteryW, sunW } = this.#house.truth;
    const watts = scope === "controllable" ? chargersW + batteryW - sunW : gridW;
    const cars = this.#controllable().filter((charging) => charging.amps > 1);
    this.#near(scope, watts > 0.95 * limitW);
    return this.#sustained.check(`power ${scope} ${limitW}`, {
      isBroken: cars.length > 0 && watts > 1.02 * limitW + NOISE_W,
      allowedMs: reactionMs + this.#reactionMs() + this.#slowMs(cars) + this.#unknownMs(),
      text: `${Math.round(watts)} W against the ${scope} limit of ${limitW} W, and a car still charges: ${this.#draws()}`,
    });
  }

  #feedIn(limitW: number): readonly string[] {
    const { panels, truth } = this.#house;
    const exportW = -truth.gridW;
    this.#count("feed-in", exportW > 0.9 * limitW && panels.watts > 500);
    return this.#sustained.check("feed-in", {
      isBroken: this.#calm.isCalm("panels") && panels.watts > 500 && exportW > limitW + NOISE_W,
      allowedMs: FEED_IN_MS + this.#reactionMs(),
      text: `${Math.round(exportW)} W are fed in against a limit of ${limitW} W; the inverter is at ${panels.limitPct} %`,
    });
  }

  /** Without the meter no car gets more than the least current. */
  #silentMeter(fuseA: number | null): readonly string[] {
    const isSilent = fuseA !== null && !this.#house.meter.isUp;
    return this.#controllable().flatMap((charging) =>
      this.#sustained.check(`silent ${charging.spec.id}`, {
        isBroken: isSilent && charging.amps > LEAST_A + NOISE_A,
        allowedMs: SILENCE_MS + this.#slowMs([charging]),
        text: `the meter is silent, and ${charging.spec.id} draws ${charging.amps.toFixed(1)} A`,
      }),
    );
  }

  /** What the gateway can lower: what is ill or disobeys counts as a load of the house. */
  #controllable(): readonly Charging[] {
    return this.#house.chargers.filter((charging) => charging.isObedient && this.#calm.isCalm(charging.spec.id));
  }

  #reactionMs(): number {
    const { meter, meterLagS, battery } = this.#house;
    const stopsFirst = battery.mode !== "SELF_RELIANCE" || !this.#calm.isCalm("battery") ? BATTERY_FIRST_MS : 0;
    return Math.max(REACTION_MS, CYCLES * meter.pollMs) + meterLagS * SECOND_MS + stopsFirst;
  }

  /** What panels and batteries give counts for a minute after they were last heard. */
  #unknownMs(): number {
    return this.#calm.isCalm("panels", "battery") ? 0 : UNKNOWN_MS;
  }

  #slowMs(cars: readonly Charging[]): number {
    return Math.max(0, ...cars.map(({ spec }) => spec.latencyMs + spec.pollMs)) + RAMP_MS;
  }

  #draws(): string {
    return this.#house.chargers
      .map(({ spec, amps, offeredA, isOn }) => `${spec.id} ${amps.toFixed(1)} A of ${isOn ? offeredA : "off"}`)
      .join(", ");
  }

  #near(name: string, isNear: boolean): void {
    this.#count(name, isNear && this.#controllable().some(({ amps }) => amps > 1));
  }

  #count(name: string, isNear: boolean): void {
    if (isNear) this.nearS.count(name);
  }
}
