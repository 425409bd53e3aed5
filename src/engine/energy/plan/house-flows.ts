/** What a house used and produced, in the quarter hours that its devices measured. */
import { DAY_MS } from "../../../domain/duration.ts";
import { type HouseFlows, houseFlows, longestKnownMs } from "../../../domain/hem/hem-system.ts";
import { flowByBucket } from "../../../domain/statistics/statistics-flow.ts";
import { QUARTER_MS } from "../../../domain/statistics/statistics-row.ts";
import type { Clock } from "../../../platform/ports/ports.ts";
import type { Store } from "../../../store/store.ts";
import type { Assets } from "../../contracts/engine.ts";
import { measuredBy } from "../../hem/hem-measured.ts";
import type { PoweredSystem } from "../../hem/house-power-service.ts";
import { EnergyReader, type Stream } from "../../statistics/energy-reader.ts";

/** A quarter hour that is measured for less than this share is not known. */
const KNOWN_SHARE = 0.9;
const MWH_PER_KWH = 1_000_000;

/** A quarter hour of the house. Energies are kWh. */
export interface HouseQuarter extends HouseFlows {
  /** Wall-clock ms. */
  readonly fromMs: number;
  /** Of all chargers, or of the vehicles in a house without; part of the consumption. */
  readonly chargers: number;
  /** Of the heat pumps and heaters that are planned; part of the consumption. */
  readonly heat: number;
  /** Mean state of charge of the batteries, %; `null` if it was not read. */
  readonly level: number | null;
}

export interface HouseFlowParts {
  readonly clock: Pick<Clock, "sleep">;
  readonly store: Pick<Store, "energy" | "get">;
  readonly assets: Pick<Assets, "list">;
  readonly systems: () => readonly PoweredSystem[];
  /** True if an HVAC unit is planned, so that what it took is no load to expect. */
  readonly isPlannedHeat: (hvacId: string) => boolean;
}

/** Reads the quarter hours of houses, a day at a time, so that nothing else waits for long. */
export class HouseFlowReader {
  readonly #parts: HouseFlowParts;
  readonly #reader: EnergyReader;

  constructor(parts: HouseFlowParts) {
    this.#parts = parts;
    this.#reader = new EnergyReader(parts.store);
  }

  /** The meters, panels and batteries that count for a user, as a text that changes with them. */
  signature(userId: string): string {
    return JSON.stringify([this.#rolesOf(userId), this.#chargerStreams(userId), this.#heatStreams(userId)]);
  }

  /**
   * Yields the quarter hours in [fromMs, toMs), each day in one piece and ascending; a quarter hour that was hardly measured
   * is left out. Rejects as the store does, and with the signal's reason.
   */
  async *days(
    userId: string,
    { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
    signal: AbortSignal,
  ): AsyncGenerator<readonly HouseQuarter[]> {
    for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
      yield await this.#quarters(userId, dayMs, Math.min(dayMs + DAY_MS, toMs));
      await this.#parts.clock.sleep(0, signal);
    }
  }

  async #quarters(userId: string, fromMs: number, toMs: number): Promise<readonly HouseQuarter[]> {
    const buckets = Array.from({ length: Math.floor((toMs - fromMs) / QUARTER_MS) }, (_, index) => ({
      fromMs: fromMs + index * QUARTER_MS,
      toMs: fromMs + (index + 1) * QUARTER_MS,
    }));
    const read = async (stream: Stream) =>
      (await this.#reader.rows(stream, QUARTER_MS, { fromMs, toMs })).map((row) => ({ row, slotMs: QUARTER_MS }));
    const measured = await measuredBy(this.#rolesOf(userId), buckets, read);
    const taken = async (streams: readonly Stream[]): Promise<readonly number[]> => {
      const sums = buckets.map(() => 0);
      for (const stream of streams) {
        for (const [index, { inMwh }] of flowByBucket(await read(stream), buckets).entries())
          sums[index] = (sums[index] ?? 0) + inMwh / MWH_PER_KWH;
      }
      return sums;
    };
    const chargers = await taken(this.#chargerStreams(userId));
    const heat = await taken(this.#heatStreams(userId));
    return buckets.flatMap((bucket, index): HouseQuarter[] => {
      const flows = measured[index];
      if (flows === undefined) return [];
      const isKnown = longestKnownMs([...flows.meter, ...flows.load]) >= KNOWN_SHARE * QUARTER_MS;
      if (!isKnown) return [];
      const levels = flows.battery.flatMap(({ level }) => level ?? []);
      const level = levels.length === 0 ? null : levels.reduce((sum, each) => sum + each, 0) / levels.length;
      const loads = { chargers: chargers[index] ?? 0, heat: heat[index] ?? 0 };
      return [{ fromMs: bucket.fromMs, ...houseFlows(flows), ...loads, level }];
    });
  }

  #rolesOf(userId: string): PoweredSystem["devices"] {
    return this.#parts.systems().find((system) => system.userId === userId)?.devices ?? [];
  }

  #chargerStreams(userId: string): readonly Stream[] {
    const chargers = this.#streams(userId, "charger");
    return chargers.length > 0 ? chargers : this.#streams(userId, "vehicle");
  }

  #heatStreams(userId: string): readonly Stream[] {
    return this.#streams(userId, "hvac", this.#parts.isPlannedHeat);
  }

  #streams(
    userId: string,
    kind: "charger" | "vehicle" | "hvac",
    isCounted: (id: string) => boolean = () => true,
  ): readonly Stream[] {
    const { assets, store } = this.#parts;
    return assets
      .list(kind)
      .filter(({ asset }) => asset.userId === userId && isCounted(asset.id))
      .flatMap(({ asset }) => {
        const deviceId = store.get("asset", asset.id)?.deviceId;
        return deviceId === undefined ? [] : [{ kind, deviceId }];
      });
  }
}
