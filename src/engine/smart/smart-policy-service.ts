import type { ControllerKind } from "../../domain/actions/action.ts";
import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import type { AssetTypes } from "../../domain/assets/asset.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { PricedSpan } from "../../domain/market/price-curve.ts";
import { problem } from "../../domain/problem.ts";
import type { Tables } from "../../store/records.ts";
import type { EnginePart } from "../engine-part.ts";
import { FeatureCommands } from "./feature-commands.ts";
import { RoundLoop } from "./round-loop.ts";
import { smartRemovals } from "./smart-forgetter.ts";
import { CLOCK_PATIENCE_MS, type SmartParts } from "./smart-parts.ts";

/** Prices are looked up again this often, ms; sooner when they change. */
const PRICES_EVERY_MS = 15 * MINUTE_MS;

type PolicyKind = "charger" | "hvac";
type RecordOf<Kind extends PolicyKind> = Tables[`${Kind}-smart`];

/** What a step of a policy depends on beside the asset and its record. */
export interface PriceView {
  readonly nowMs: number;
  /** IANA zone of the asset's location; UTC without one. */
  readonly zone: string;
  /** Prices or the policy may have changed since the record was planned. */
  readonly isStale: boolean;
  prices(fromMs: number, toMs: number): readonly PricedSpan[];
}

/**
 * A policy of each charger or HVAC unit that follows the prices: one record an asset, which a loop moves on when something
 * about the asset changes or is due.
 */
export abstract class SmartPolicyService<Kind extends PolicyKind> implements EnginePart {
  protected readonly parts: SmartParts;
  protected readonly commands: FeatureCommands;
  /** By asset, what the last confirmed command was for; it is not sent again. */
  protected readonly settled = new Map<string, string | number>();
  readonly #kind: Kind;
  readonly #table: `${Kind}-smart`;
  readonly #rounds: RoundLoop;
  readonly #startedAtMs: number;
  /** By asset, monotonic ms at which its record was planned; absent if it is stale. */
  readonly #plannedAtMs = new Map<string, number>();

  constructor(parts: SmartParts, kind: Kind, origin: ControllerKind) {
    const { clock, actions, log } = parts;
    this.parts = parts;
    this.#kind = kind;
    this.#table = `${kind}-smart`;
    this.#startedAtMs = clock.monotonicMs();
    this.commands = new FeatureCommands({ actions, clock, log, origin });
    this.#rounds = new RoundLoop({
      clock,
      log,
      ids: () => this.#ids(),
      dueInMs: (id) => this.#dueInMs(id),
      look: (id) => this.#look(id),
    });
  }

  /** Returns the record of an asset that has no policy yet. */
  protected abstract newRecord(id: string): RecordOf<Kind>;
  /** Moves the record on, and sends the command that it needs now. */
  protected abstract advance(record: RecordOf<Kind>, asset: AssetTypes[Kind]): Promise<void>;
  /** Lets go of what waits for a time, because nobody has known the time for long. */
  protected async goOnWithoutTime(_record: RecordOf<Kind>, _asset: AssetTypes[Kind]): Promise<void> {}
  /** Returns when the record has to be looked at again, wall-clock ms; past ones do not matter. */
  protected abstract edgesMs(record: RecordOf<Kind>): readonly number[];
  protected abstract commit(before: RecordOf<Kind>, record: RecordOf<Kind>): Promise<void>;

  latenessMs(): number {
    return this.#rounds.latenessMs();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions, prices, locations } = this.parts;
    using _assets = assets.observe((kind, id) => kind === this.#kind && this.mark(id));
    using _actions = actions.observe(({ targetId }) => this.mark(targetId));
    using _prices = prices.observe(() => this.#planAllAgain());
    using _locations = locations.observe(() => this.#planAllAgain());
    await this.#rounds.run(signal);
  }

  policy(id: string): RecordOf<Kind>["policy"] {
    this.require(id);
    return (this.record(id) ?? this.newRecord(id)).policy;
  }

  /** Removes what is in memory of an asset that is gone. */
  forget(id: string): void {
    this.#rounds.forget(id);
    this.commands.forget(id);
    this.#plannedAtMs.delete(id);
    this.settled.delete(id);
  }

  /** Stores a change of the policy, then runs `stored`, while the loop leaves the asset alone. Throws a problem. */
  protected async change(
    id: string,
    change: (record: RecordOf<Kind>) => RecordOf<Kind>,
    stored: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.#rounds.withLock(id, async () => {
      const before = this.record(id) ?? this.newRecord(id);
      await this.commit(before, change(before)).catch((cause: unknown) => {
        throw problem("service-unavailable", "The policy cannot be stored now, so it did not change.", { cause });
      });
      this.#plannedAtMs.delete(id);
      await stored();
    });
    this.mark(id);
  }

  /** Looks at the assets of a user at once. */
  protected async lookAtUser(userId: string): Promise<void> {
    const { assets } = this.parts;
    await this.lookNow(this.#ids().filter((id) => assets.get(this.#kind, id)?.userId === userId));
  }

  protected async lookNow(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.record(id) !== null);
    await Promise.all(known.map((id) => this.#rounds.lookNow(id)));
  }

  protected mark(id: string): void {
    if (this.record(id) !== null) this.#rounds.mark(id);
  }

  protected record(id: string): RecordOf<Kind> | null {
    return this.parts.store.get(this.#table, id);
  }

  protected require(id: string): AssetTypes[Kind] {
    const asset = this.parts.assets.get(this.#kind, id);
    const noun = this.#kind === "hvac" ? "HVAC unit" : this.#kind;
    if (asset === null) throw problem("not-found", `There is no ${noun} "${id}".`);
    return asset;
  }

  /** A policy that could send nothing is not switched on. */
  protected refuseWithoutScope({ scopes }: Pick<AssetTypes[Kind], "scopes">): void {
    const scope = CONTROL_SCOPES[this.#kind];
    if (!scopes.includes(scope)) throw problem("forbidden", `The scope ${scope} is not granted.`);
  }

  /** Returns the prices as they are now, and counts the record as planned with them. */
  protected priceView({ policy }: RecordOf<Kind>, { id, locationId }: AssetTypes[Kind]): PriceView {
    const { clock, locations, prices } = this.parts;
    const atMs = clock.monotonicMs();
    const isStale = atMs - (this.#plannedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) >= PRICES_EVERY_MS;
    if (isStale && policy.isEnabled) this.#plannedAtMs.set(id, atMs);
    return {
      nowMs: clock.nowMs(),
      zone: locations.zoneOf(locationId),
      isStale,
      prices: (fromMs, toMs) => prices.between(locationId, fromMs, toMs),
    };
  }

  #ids(): readonly string[] {
    return this.parts.store.all(this.#table).map((record) => ("hvacId" in record ? record.hvacId : record.chargerId));
  }

  async #look(id: string): Promise<void> {
    const { store, assets, clock } = this.parts;
    const record = this.record(id);
    const asset = assets.get(this.#kind, id);
    if (record === null) return;
    if (asset === null) {
      if (store.get("asset", id) === null) await store.commit(smartRemovals(store, new Set([id])), []);
      return;
    }
    // Before the clock can be trusted nothing is begun because of the time.
    if (!record.policy.isEnabled || clock.quality() === "synced") await this.advance(record, asset);
    else if (clock.monotonicMs() >= this.#startedAtMs + CLOCK_PATIENCE_MS) await this.goOnWithoutTime(record, asset);
  }

  #planAllAgain(): void {
    this.#plannedAtMs.clear();
    for (const id of this.#ids()) this.mark(id);
  }

  /** Returns how long until the record changes, or a command is sent again, ms. */
  #dueInMs(id: string): number {
    const { clock } = this.parts;
    const record = this.record(id);
    if (record === null || clock.quality() !== "synced") return Number.POSITIVE_INFINITY;
    const aheadMs = this.edgesMs(record).map((edgeMs) => edgeMs - clock.nowMs());
    const retryMs = Math.max(this.commands.retryAtMs(id) - clock.monotonicMs(), 1);
    return Math.min(...aheadMs.filter((ms) => ms > 0), retryMs);
  }
}
