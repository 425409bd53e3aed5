import type { ActionWish, ChargeKind } from "../../../domain/actions/action.ts";
import { CONTROL_SCOPES } from "../../../domain/actions/action-refusal.ts";
import type { Charger } from "../../../domain/assets/charger.ts";
import { problem } from "../../../domain/problem.ts";
import {
  type ChargerPolicyUpdate,
  type ChargerSmartPolicy,
  type ChargerSmartState,
  type ChargerSmartStatus,
  NO_CHARGER_POLICY,
  shownIntervals,
} from "../../../domain/smart/charger-smart-charging.ts";
import type { ChargerSmartRecord, Write } from "../../../store/records.ts";
import type { Controller } from "../../contracts/control.ts";
import type { ChargerSmartCharging } from "../../contracts/smart.ts";
import type { EnginePart } from "../../engine-part.ts";
import { FeatureCommands } from "../feature-commands.ts";
import { RoundLoop } from "../round-loop.ts";
import { smartRemovals } from "../smart-forgetter.ts";
import type { SmartParts } from "../smart-parts.ts";
import { turnedCharger } from "./charger-turn.ts";

/** Prices are looked up again this often, ms; sooner when they change. */
const PRICES_EVERY_MS = 15 * 60_000;
/** A shift shorter than this is the time that switching takes, and none, ms. */
const LEAST_SHIFT_MS = 60_000;

/** Smart charging of chargers: in cycles that end at a time of day, the cheapest hours. */
export class ChargerSmartService implements ChargerSmartCharging, Controller, EnginePart {
  readonly kind = "smart-charging";
  readonly #parts: SmartParts;
  readonly #commands: FeatureCommands;
  readonly #rounds: RoundLoop;
  /** Monotonic ms at which the intervals were chosen; absent: they are stale. */
  readonly #chosenAtMs = new Map<string, number>();
  /** For which state, by the time it began, a charger did as it was told. */
  readonly #settled = new Map<string, number>();

  constructor(parts: SmartParts) {
    const { clock, actions, log } = parts;
    this.#parts = parts;
    this.#commands = new FeatureCommands({ actions, clock, log, origin: this.kind });
    this.#rounds = new RoundLoop({
      clock,
      log,
      ids: () => parts.store.all("charger-smart").map(({ chargerId }) => chargerId),
      dueInMs: (id) => this.#dueInMs(id),
      look: (id) => this.#look(id),
    });
  }

  latenessMs(): number {
    return this.#rounds.latenessMs();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { assets, actions, overrides, prices, locations } = this.#parts;
    using _assets = assets.observe((kind, id) => kind === "charger" && this.#mark(id));
    using _actions = actions.observe(({ targetId }) => this.#mark(targetId));
    using _overrides = overrides.observe((targetId) => this.#mark(targetId));
    using _prices = prices.observe(() => this.#chooseAnew());
    using _locations = locations.observe(() => this.#chooseAnew());
    using _ended = overrides.follow((targetId) => this.#lookAt([targetId]));
    using _moved = locations.follow((userId) => this.#lookAt(this.#chargersOf(userId)));
    await this.#rounds.run(signal);
  }

  #chargersOf(userId: string): readonly string[] {
    const { store, assets } = this.#parts;
    const ids = store.all("charger-smart").map(({ chargerId }) => chargerId);
    return ids.filter((id) => assets.get("charger", id)?.userId === userId);
  }

  async #lookAt(chargerIds: readonly string[]): Promise<void> {
    const known = chargerIds.filter((id) => this.#record(id) !== null);
    await Promise.all(known.map((id) => this.#rounds.lookNow(id)));
  }

  controls(targetId: string): boolean {
    return (this.#record(targetId)?.state ?? "DISABLED") !== "DISABLED";
  }

  async release(targetId: string): Promise<void> {
    if (this.#record(targetId)?.policy.isEnabled !== true) return;
    await this.#store(targetId, { isEnabled: false });
  }

  policy(chargerId: string): ChargerSmartPolicy {
    this.#require(chargerId);
    return this.#record(chargerId)?.policy ?? NO_CHARGER_POLICY;
  }

  async setPolicy(chargerId: string, update: ChargerPolicyUpdate): Promise<ChargerSmartPolicy> {
    const charger = this.#require(chargerId);
    const { isEnabled } = this.policy(chargerId);
    if (update.isEnabled === true && !isEnabled) refuseUncontrolled(charger);
    const willBeEnabled = update.isEnabled ?? isEnabled;
    const store = (): Promise<void> => this.#store(chargerId, update);
    // Before this charger's turn: another feature may be waiting for that turn.
    if (willBeEnabled) await this.#parts.controllers.takeOver(chargerId, this.kind, store);
    else await store();
    return this.policy(chargerId);
  }

  status(chargerId: string): ChargerSmartStatus {
    const { userId } = this.#require(chargerId);
    const record = this.#record(chargerId);
    const chargingIntervals = shownIntervals(record?.spans ?? [], this.#parts.clock.nowMs());
    return { chargerId, userId, state: record?.state ?? "DISABLED", chargingIntervals };
  }

  /** The charger is gone, with what was stored of it. */
  forget(chargerId: string): void {
    this.#rounds.forget(chargerId);
    this.#commands.forget(chargerId);
    this.#chosenAtMs.delete(chargerId);
    this.#settled.delete(chargerId);
  }

  async #store(chargerId: string, update: ChargerPolicyUpdate): Promise<void> {
    await this.#rounds.inTurn(chargerId, async () => {
      const { clock } = this.#parts;
      const before = this.#record(chargerId) ?? newRecord(chargerId, clock.nowMs());
      const { isEnabled, deadline, chargingDuration } = { ...before.policy, ...definedOf(update) };
      this.#chosenAtMs.delete(chargerId);
      const changed = { ...before, policy: { isEnabled, deadline, chargingDuration } };
      // What is switched off is off with this very write.
      const record: ChargerSmartRecord = isEnabled ? changed : { ...changed, state: "DISABLED" };
      await this.#commit(before, record).catch((cause: unknown) => {
        throw problem("service-unavailable", "The policy cannot be stored now, so it did not change.", { cause });
      });
    });
    this.#mark(chargerId);
  }

  async #look(chargerId: string): Promise<void> {
    const { store, assets, clock } = this.#parts;
    const before = this.#record(chargerId);
    const charger = assets.get("charger", chargerId);
    if (before === null) return;
    if (charger === null) {
      if (store.get("asset", chargerId) === null) await store.commit(smartRemovals(store, new Set([chargerId])), []);
      return;
    }
    // Before the clock can be trusted nothing is begun because of the time.
    if (clock.quality() !== "synced" && before.policy.isEnabled) return;
    const record = this.#turned(before, charger);
    if (record !== before) await this.#commit(before, record);
    if (record.state !== before.state) this.#parts.log.info({ chargerId, state: record.state }, "charger moved on");
    await this.#follow(record);
  }

  #turned(record: ChargerSmartRecord, charger: Charger): ChargerSmartRecord {
    const { clock, locations, prices } = this.#parts;
    const atMs = clock.monotonicMs();
    const isStale = atMs - (this.#chosenAtMs.get(charger.id) ?? Number.NEGATIVE_INFINITY) >= PRICES_EVERY_MS;
    if (isStale) this.#chosenAtMs.set(charger.id, atMs);
    return turnedCharger(record, {
      charger,
      nowMs: clock.nowMs(),
      zone: locations.zoneOf(charger.locationId),
      isStale,
      prices: (fromMs, toMs) => prices.between(charger.locationId, fromMs, toMs),
    });
  }

  async #commit(before: ChargerSmartRecord, record: ChargerSmartRecord): Promise<void> {
    const put: Write = { table: "charger-smart", key: record.chargerId, put: record };
    await this.#parts.store.commit([put, ...this.#shiftWrites(before, record)], []);
  }

  /** Charging that begins after a pause was moved from when the vehicle was plugged in, or went on from there. */
  #shiftWrites(before: ChargerSmartRecord, { chargerId, state, countFromMs, spans }: ChargerSmartRecord) {
    const { shifts, clock } = this.#parts;
    const nowMs = clock.nowMs();
    if (state === before.state) return [];
    if (state !== "CHARGING") return before.state === "CHARGING" ? shifts.closed(chargerId, nowMs) : [];
    if (countFromMs === null) return [];
    const earlier = spans.filter(({ fromMs, toMs }) => fromMs >= countFromMs && toMs <= nowMs);
    const pausedAtMs = earlier.reduce((atMs, { fromMs, toMs }) => atMs + toMs - fromMs, countFromMs);
    return nowMs - pausedAtMs < LEAST_SHIFT_MS ? [] : shifts.opened(chargerId, pausedAtMs, nowMs);
  }

  /** Sends what the state wants, once for each time it is entered; again only when that failed. */
  async #follow({ chargerId, state, stateChangedAtMs }: ChargerSmartRecord): Promise<void> {
    const kind = KINDS[state];
    const isOverridden = this.#parts.overrides.active(chargerId) !== null;
    if (kind === null || isOverridden) {
      this.#settled.delete(chargerId);
      return await this.#commands.withdraw(chargerId);
    }
    if (this.#settled.get(chargerId) === stateChangedAtMs) return;
    const wish: ActionWish = { targetType: "charger", kind };
    const progress = this.#commands.progress(chargerId, wish);
    const isShown = progress === "failed" && this.#shows(chargerId, kind);
    if (progress === "done" || isShown) {
      this.#settled.set(chargerId, stateChangedAtMs);
      return this.#commands.forget(chargerId);
    }
    if (progress === "pending") return;
    if (progress === "failed") {
      if (this.#parts.clock.monotonicMs() < this.#commands.retryAtMs(chargerId)) return;
      this.#commands.renew(chargerId);
    }
    await this.#commands.send(chargerId, wish);
    this.#mark(chargerId);
  }

  #shows(chargerId: string, kind: ChargeKind): boolean {
    const isCharging = this.#parts.assets.get("charger", chargerId)?.chargeState.isCharging ?? null;
    return isCharging === (kind === "START");
  }

  #chooseAnew(): void {
    this.#chosenAtMs.clear();
    for (const { chargerId } of this.#parts.store.all("charger-smart")) this.#mark(chargerId);
  }

  #mark(chargerId: string): void {
    if (this.#record(chargerId) !== null) this.#rounds.mark(chargerId);
  }

  #record(chargerId: string): ChargerSmartRecord | null {
    return this.#parts.store.get("charger-smart", chargerId);
  }

  #require(chargerId: string): Charger {
    const charger = this.#parts.assets.get("charger", chargerId);
    if (charger === null) throw problem("not-found", `There is no charger "${chargerId}".`);
    return charger;
  }

  /** How long until an interval begins or ends, the cycle ends, or a command is tried again, ms. */
  #dueInMs(chargerId: string): number {
    const { clock } = this.#parts;
    const record = this.#record(chargerId);
    if (record === null || !record.policy.isEnabled || clock.quality() !== "synced") return Number.POSITIVE_INFINITY;
    const nowMs = clock.nowMs();
    const edges = [...record.spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]), record.cycleEndMs ?? 0];
    const aheadMs = edges.filter((edge) => edge > nowMs).map((edge) => edge - nowMs);
    return Math.min(...aheadMs, Math.max(this.#commands.retryAtMs(chargerId) - clock.monotonicMs(), 1));
  }
}

/** What each state sends when it is entered. */
const KINDS: Readonly<Record<ChargerSmartState, ChargeKind | null>> = {
  DISABLED: null,
  CHARGER_NOT_REACHABLE: null,
  VEHICLE_NOT_PLUGGED_IN: null,
  CHARGING_PAUSED: "STOP",
  CHARGING: "START",
  AWAITING_PRICES: "STOP",
};

function newRecord(chargerId: string, nowMs: number): ChargerSmartRecord {
  return {
    chargerId,
    policy: NO_CHARGER_POLICY,
    state: "DISABLED",
    stateChangedAtMs: nowMs,
    cycleEndMs: null,
    countFromMs: null,
    spans: [],
    lacksPrices: false,
  };
}

/** A policy that could send nothing is not switched on. */
function refuseUncontrolled({ scopes }: Charger): void {
  const scope = CONTROL_SCOPES.charger;
  if (!scopes.includes(scope)) throw problem("forbidden", `The scope ${scope} is not granted.`);
}

/** Without the keys whose values are undefined, so that they do not take the place of others. */
function definedOf({ isEnabled, deadline, chargingDuration }: ChargerPolicyUpdate) {
  return {
    ...(isEnabled === undefined ? {} : { isEnabled }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(chargingDuration === undefined ? {} : { chargingDuration }),
  };
}
