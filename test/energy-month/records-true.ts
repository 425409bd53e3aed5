/** The records of limitations against the energy that really flowed. */
import type { World } from "../../src/testing/world.ts";
import type { RunningGateway } from "../long-run/gateway-box.ts";
import type { Calm } from "./calm.ts";
import type { House } from "./house.ts";

const LEAST_MS = 10 * 60_000;
const SECONDS_AN_HOUR = 3_600;
const SHARE = 0.05;
const SPARE_WH = 60;

interface Seen {
  wh: number;
  readonly sinceMs: number;
  isCalm: boolean;
}

export class RecordsTrue {
  judged = 0;
  readonly #world: World;
  readonly #house: House;
  readonly #calm: Calm;
  readonly #seen = new Map<string, Seen>();

  constructor(parts: { world: World; house: House; calm: Calm }) {
    this.#world = parts.world;
    this.#house = parts.house;
    this.#calm = parts.calm;
  }

  /** Adds what flowed in the last second to each limitation in force, and judges those that are over. */
  afterSecond(running: RunningGateway | null): readonly string[] {
    if (running === null) {
      this.#seen.clear();
      return [];
    }
    const { energyLimits } = running.gateway.engine.services;
    const nowMs = this.#world.clock.monotonicMs();
    const { truth, chargers, controllableW } = this.#house;
    const isCalm = this.#calm.isCalm("gateway", "meter", "battery", "heat", ...chargers.map(({ spec }) => spec.id));
    const active = energyLimits.active();
    for (const { id, direction, scope } of active) {
      const seen = this.#seen.get(id) ?? { wh: 0, sinceMs: nowMs, isCalm: true };
      const watts = scope === "controllable" ? controllableW : truth.gridW;
      seen.wh += Math.max(0, direction === "import" ? watts : -watts) / SECONDS_AN_HOUR;
      seen.isCalm &&= isCalm;
      this.#seen.set(id, seen);
    }
    return [...this.#seen].flatMap(([id, seen]) => {
      if (active.some((limit) => limit.id === id)) return [];
      this.#seen.delete(id);
      return seen.isCalm && nowMs - seen.sinceMs >= LEAST_MS ? this.#judge(id, seen, running) : [];
    });
  }

  #judge(id: string, { wh }: Seen, { gateway }: RunningGateway): readonly string[] {
    const record = gateway.engine.services.energyLimits.limitations().find((limitation) => limitation.id === id);
    if (record === undefined) return [`the limitation ${id} has no record`];
    this.judged += 1;
    const { energyWh } = record.reaction;
    if (Math.abs(energyWh - wh) <= SHARE * wh + SPARE_WH) return [];
    return [`the record of a limitation has ${Math.round(energyWh)} Wh, and ${Math.round(wh)} Wh flowed`];
  }
}
