/** Fuses, circuits, the contract, the operator's limits and the feed-in, second by second against what is true. */
import { PHASES, type Phase, type SiteConnection } from "../../src/domain/energy/site/site-connection.ts";
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import { Tally } from "../long-run/tally.ts";
import type { Calm } from "./calm.ts";
import type { House } from "./house.ts";
import { type Load, lowerableLoads, NOISE_A } from "./loads.ts";
import type { Residents } from "./residents.ts";
import { Sustained } from "./sustained.ts";

const SECOND_MS = 1_000;
/** Three cycles of the energy manager, or this. */
const REACTION_MS = 10 * SECOND_MS;
const CYCLES = 3;
/** A battery that charges from the grid is stopped before cars are lowered. */
const BATTERY_FIRST_MS = 20 * SECOND_MS;
const LEAST_A = 6;
/** A battery gives so much more than noise, W. */
const FORCED_W = 500;
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
/** A silent heat pump counts with what it drew, which may be nothing, for this long: it may go on by itself meanwhile. */
const SILENT_HEAT_MS = 600 * SECOND_MS;
const SILENCE_MS = 30 * SECOND_MS;
/** A car follows its charger within this time. */
const RAMP_MS = 5 * SECOND_MS;

/** A fuse, with what flows through one of its phases. */
interface Fused {
  readonly name: string;
  readonly phase: Phase;
  readonly fuseA: number;
  readonly amps: number;
  /** Assets behind it; `null`: the whole house. */
  readonly memberIds: readonly string[] | null;
}

export class LimitsKept {
  /** Seconds in which each limit was nearly reached by what the gateway can lower. */
  readonly nearS = new Tally();
  readonly #house: House;
  readonly #residents: Residents;
  readonly #calm: Calm;
  readonly #sustained: Sustained;

  constructor(parts: { world: World; house: House; calm: Calm; residents: Residents }) {
    this.#house = parts.house;
    this.#residents = parts.residents;
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

  #fuses({ fuseA, circuits }: Pick<SiteConnection, "fuseA" | "circuits">): readonly Fused[] {
    const { truth, chargers, battery } = this.#house;
    const { ids } = this.#residents;
    const all: Fused[] = [];
    for (const [i, phase] of PHASES.entries()) {
      if (fuseA !== null) all.push({ name: "main", phase, fuseA, amps: truth.phaseA[i] ?? 0, memberIds: null });
      for (const circuit of circuits) {
        const { id: name, memberIds } = circuit;
        const has = (id: string): boolean => memberIds.includes(ids.get(id) ?? "");
        const cars = chargers.filter(({ spec }) => has(spec.id));
        const ofBattery = has("battery") ? battery.ampsOnEachPhase() : 0;
        const amps = cars.reduce((sum, charging) => sum + charging.ampsOn(phase), ofBattery);
        if (circuit.fuseA !== null) all.push({ name, phase, fuseA: circuit.fuseA, amps, memberIds });
      }
    }
    return all;
  }

  #fuse({ name, phase, fuseA, amps, memberIds }: Fused): readonly string[] {
    const { ids } = this.#residents;
    const isBehind = ({ id }: Load): boolean => memberIds === null || memberIds.includes(ids.get(id) ?? "");
    const loads = this.#loads().filter((load) => isBehind(load) && load.ampsOn(phase) > 0);
    this.#count(`fuse ${name}`, amps > 0.95 * fuseA && loads.length > 0);
    const about = `${amps.toFixed(1)} A on ${phase} of the fuse "${name}" of ${fuseA} A`;
    const slowMs = slowest(loads);
    const breaches = this.#sustained.check(`fuse ${name} ${phase}`, {
      isBroken: loads.some((load) => load.canTrim(phase)) && amps > 1.02 * fuseA + NOISE_A,
      allowedMs: this.#reactionMs() + slowMs,
      text: `${about}, and what could be trimmed is not: ${this.#draws()}`,
    });
    const stops = DEADLINES.flatMap(({ ratio, ms }) =>
      this.#sustained.check(`fuse ${name} ${phase} ${ratio}`, {
        isBroken: loads.length > 0 && amps > ratio * fuseA + NOISE_A,
        allowedMs: Math.max(ms, this.#reactionMs()) + slowMs,
        text: `${about} for more than ${ms / SECOND_MS} s, and what could be stopped is not: ${this.#draws()}`,
      }),
    );
    return [...breaches, ...stops];
  }

  #power(scope: "contract" | "connection" | "controllable", limitW: number, reactionMs: number): readonly string[] {
    const { truth, controllableW } = this.#house;
    const watts = scope === "controllable" ? controllableW : truth.gridW;
    const loads = this.#loads();
    this.#count(scope, watts > 0.95 * limitW && loads.length > 0);
    return this.#sustained.check(`power ${scope} ${limitW}`, {
      isBroken: loads.length > 0 && watts > 1.02 * limitW + NOISE_W,
      allowedMs: reactionMs + this.#reactionMs() + slowest(loads) + this.#unknownMs(scope),
      text: `${Math.round(watts)} W against the ${scope} limit of ${limitW} W, and what could be stopped is not: ${this.#draws()}`,
    });
  }

  #feedIn(limitW: number): readonly string[] {
    const { panels, battery, truth } = this.#house;
    const exportW = -truth.gridW;
    const canLimit = this.#calm.isCalm("panels") && panels.watts > 500;
    const isForced = battery.mode === "EXPORT_FOCUS" && battery.watts < -FORCED_W && battery.isObedient;
    const canStop = this.#calm.isCalm("battery") && isForced;
    this.#count("feed-in", exportW > 0.9 * limitW && (canLimit || canStop));
    return this.#sustained.check("feed-in", {
      isBroken: (canLimit || canStop) && exportW > limitW + NOISE_W,
      allowedMs: FEED_IN_MS + this.#reactionMs(),
      text: `${Math.round(exportW)} W are fed in against a limit of ${limitW} W; the inverter is at ${panels.limitPct} %: ${this.#draws()}`,
    });
  }

  /** Without the meter no car gets more than the least current, and no battery is made to charge or to feed the grid. */
  #silentMeter(fuseA: number | null): readonly string[] {
    const isSilent = fuseA !== null && !this.#house.meter.isUp;
    const { chargers, battery } = this.#house;
    const cars = chargers.filter((charging) => charging.isObedient && this.#calm.isCalm(charging.spec.id));
    return [
      ...cars.flatMap(({ spec, amps }) =>
        this.#sustained.check(`silent ${spec.id}`, {
          isBroken: isSilent && amps > LEAST_A + NOISE_A,
          allowedMs: SILENCE_MS + spec.latencyMs + spec.pollMs + RAMP_MS,
          text: `the meter is silent, and ${spec.id} draws ${amps.toFixed(1)} A`,
        }),
      ),
      ...this.#sustained.check("silent battery", {
        isBroken: isSilent && battery.isForced && battery.isObedient && this.#calm.isCalm("battery"),
        allowedMs: SILENCE_MS + 2 * battery.device.pollMs,
        text: `the meter is silent, and the battery is in ${battery.mode}`,
      }),
    ];
  }

  #loads(): readonly Load[] {
    return lowerableLoads(this.#house, this.#residents, this.#calm);
  }

  #reactionMs(): number {
    const { meter, meterLagS, battery } = this.#house;
    const stopsFirst = battery.mode !== "SELF_RELIANCE" || !this.#calm.isCalm("battery") ? BATTERY_FIRST_MS : 0;
    return Math.max(REACTION_MS, CYCLES * meter.pollMs) + meterLagS * SECOND_MS + stopsFirst;
  }

  /** What panels and batteries give counts for a minute after they were last heard. */
  #unknownMs(scope: string): number {
    const { heating } = this.#house;
    if (scope === "controllable" && heating?.device.isUp === false) return SILENT_HEAT_MS;
    return this.#calm.isCalm("panels", "battery") ? 0 : UNKNOWN_MS;
  }

  #draws(): string {
    const { chargers, battery, heating } = this.#house;
    const cars = chargers.map(
      ({ spec, amps, offeredA, isOn }) => `${spec.id} ${amps.toFixed(1)} A of ${isOn ? offeredA : "off"}`,
    );
    const heat = heating === null ? [] : [`${heating.kind} ${Math.round(heating.watts)} W`];
    return [...cars, ...heat, `battery ${Math.round(battery.watts)} W in ${battery.mode}`].join(", ");
  }

  #count(name: string, isNear: boolean): void {
    if (isNear) this.nearS.count(name);
  }
}

function slowest(loads: readonly Load[]): number {
  return Math.max(0, ...loads.map(({ slowMs }) => slowMs));
}
