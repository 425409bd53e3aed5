import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { SeenPower } from "../../store/records/setup.ts";
import type { SeenDevice } from "../contracts/setup.ts";
import type { EnergyDevice } from "../energy/energy-device.ts";
import type { SetupBook } from "./setup-book.ts";

const LOOK_EVERY_MS = 5_000;
/** Less may be noise or the device's own use, W. */
const LEAST_W = 200;
/** A larger power is stored again when it is larger by this factor, so that the disk is seldom written. */
const LARGER = 2;
/** A reading that is older says nothing of now, ms. */
const FRESH_MS = 60_000;

const KINDS = ["inverter", "battery"] as const;
type Kind = (typeof KINDS)[number];
type Direction = "positive" | "negative";

export interface SeenParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly book: SetupBook;
  readonly regulated: { all(): readonly EnergyDevice[] };
  /** True if there is an open finding about the asset. */
  readonly isInDoubt: (assetId: string) => boolean;
}

interface Sighting {
  readonly assetId: string;
  readonly direction: Direction;
  readonly watts: number;
}

/** Notes that panels produced and batteries charged and discharged, while the balance of the house agreed with it. */
export class SeenDevices {
  readonly #parts: SeenParts;

  constructor(parts: SeenParts) {
    this.#parts = parts;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    while (!signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      await this.#look().catch((err: unknown) => log.warn({ err }, "cannot store what devices were seen with"));
    }
  }

  list(): readonly SeenDevice[] {
    const { seen } = this.#parts.book.record;
    return this.#assets().map(({ assetId, kind }) => {
      const { positive = null, negative = null } = seen[assetId] ?? {};
      return { assetId, kind, positive, negative };
    });
  }

  /** How many there are of a kind, and how many of them were seen at work. */
  count(kind: Kind): { readonly all: number; readonly seen: number } {
    const own = this.list().filter((each) => each.kind === kind);
    return { all: own.length, seen: own.filter(({ positive, negative }) => (positive ?? negative) !== null).length };
  }

  #assets() {
    return this.#parts.regulated
      .all()
      .flatMap((device) =>
        KINDS.flatMap((kind) =>
          device.assets.ids
            .filter((asset) => asset.kind === kind)
            .map(({ id: assetId }) => ({ assetId, kind, device })),
        ),
      );
  }

  async #look(): Promise<void> {
    const { book, clock } = this.#parts;
    const news = this.#assets().flatMap((each) => this.#sighting(each) ?? []);
    if (news.length === 0) return;
    const atMs = clock.nowMs();
    await book.change((before) => {
      const seen: Record<string, (typeof before.seen)[string]> = { ...before.seen };
      for (const { assetId, direction, watts } of news) {
        const power: SeenPower = { watts, atMs };
        seen[assetId] = { ...seen[assetId], [direction]: power };
      }
      return { ...before, seen };
    });
  }

  #sighting({ assetId, kind, device }: { assetId: string; kind: Kind; device: EnergyDevice }): Sighting | null {
    const { book, clock, isInDoubt } = this.#parts;
    const power = device.values[`${kind}.power`] ?? null;
    const atMs = device.measuredAtMs(`${kind}.power`);
    const isFresh = atMs !== null && clock.monotonicMs() - atMs <= FRESH_MS;
    if (power === null || !isFresh || Math.abs(power) < LEAST_W || isInDoubt(assetId)) return null;
    // Panels never take power: what an inverter takes belongs to a battery behind it.
    if (kind === "inverter" && power < 0) return null;
    const direction: Direction = power > 0 ? "positive" : "negative";
    const watts = Math.round(Math.abs(power));
    const before = book.record.seen[assetId]?.[direction]?.watts ?? 0;
    return before > 0 && watts < LARGER * before ? null : { assetId, direction, watts };
  }
}
