import type { Action, ActionTargetType } from "../../domain/actions/action.ts";
import { CONTROL_SCOPES } from "../../domain/actions/action-refusal.ts";
import { settingOf } from "../../domain/actions/desired-setting.ts";
import type { Charger } from "../../domain/assets/charger.ts";
import type { Hvac } from "../../domain/assets/hvac.ts";
import type { Vehicle } from "../../domain/assets/vehicle.ts";
import {
  type BatteryUseSettings,
  type BatteryUseUpdate,
  batteryUseFault,
  type EnergyPolicy,
  type EnergyPolicyUpdate,
  heatOfOthersFault,
  heatPumpFault,
  phasesOfOthersFault,
  targetFault,
} from "../../domain/energy/energy-policy.ts";
import type { EnergyDeviceState, EnergyState } from "../../domain/energy/energy-state.ts";
import { heatStoreFault } from "../../domain/energy/heat-store.ts";
import type { PerPhase } from "../../domain/energy/site/site-connection.ts";
import type { SurplusRule } from "../../domain/energy/surplus-rule.ts";
import { problem } from "../../domain/problem.ts";
import { KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { AskedRecord, EnergyDeviceRecord } from "../../store/records/energy.ts";
import type { NewJournalEntry, Store } from "../../store/store.ts";
import type { Controller, Controllers, SmartOverrides } from "../contracts/control.ts";
import type { EnergyLimits, SiteConnections } from "../contracts/energy/energy.ts";
import type { EnergyFigures, EnergyManager, EnergySources } from "../contracts/energy/energy-manager.ts";
import type { FlexEvents } from "../contracts/energy/flex.ts";
import type { Actions, Assets } from "../contracts/engine.ts";
import type { EngineConfig, EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import type { PoweredSystem } from "../hem/house-power-service.ts";
import { Absorption } from "./absorption.ts";
import type { DimmableHeat } from "./dimmable-heat.ts";
import { EnergyBook, policyOf } from "./energy-book.ts";
import { EnergyCycle } from "./energy-cycle.ts";
import { assetIdOf, type EnergyDevice } from "./energy-device.ts";
import { modeChanged } from "./energy-events.ts";
import { EnergyViews } from "./energy-views.ts";
import { canHeat } from "./heat-pumps.ts";
import { type HouseView, nameOf } from "./house-view.ts";
import { Latencies } from "./latencies.ts";
import { LatestStart } from "./latest-start.ts";
import { PlannedHeat } from "./planned-heat.ts";
import { RatedPowers } from "./rated-powers.ts";

/** The cycle runs at least this often, ms, so that a silent meter is noticed. */
const CYCLE_EVERY_MS = 5_000;
/** Two cycles are at least this far apart, ms; a command of a person is decided at once. */
const LEAST_PAUSE_MS = 500;
const BATTERY_USE = "battery-use";

/** What the energy manager needs of the engine. */
export interface EnergyNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly assets: Assets;
  readonly actions: Actions;
  readonly config: EngineConfig;
  /** The devices that can be regulated. */
  readonly regulated: { all(): readonly EnergyDevice[]; wake(deviceId: string): void };
  /** Sources of the caller's own, instead of those of the engine. */
  readonly energySources?: Partial<EnergySources>;
}

export interface EnergyParts {
  readonly controllers: Controllers;
  readonly smartOverrides: SmartOverrides;
  readonly systems: () => readonly PoweredSystem[];
  readonly siteConnections: Pick<SiteConnections, "current" | "observe">;
  readonly energyLimits: Pick<EnergyLimits, "active" | "observe" | "note">;
  /** What the plan by price says now. */
  readonly plans: () => Pick<
    EnergySources,
    "plannedCharge" | "plannedMode" | "plannedPower" | "fullChargeByMs" | "feedInStopsUntilMs"
  >;
  readonly flexEvents: Pick<FlexEvents, "absorbing" | "observe">;
  readonly checks: { isReversed(deviceId: string): boolean };
}

/** The energy manager: keeps the modes, and runs the control cycle on each reading of the grid meter. */
export class EnergyService implements EnergyManager, EnginePart, Controller {
  readonly kind = "energy";
  readonly book: EnergyBook;
  readonly latestStart: LatestStart;
  readonly plannedHeat: PlannedHeat;
  readonly #needs: EnergyNeeds;
  readonly #parts: EnergyParts;
  readonly #cycle: EnergyCycle;
  readonly #views: EnergyViews;
  readonly #wake: WakeSignal;
  /** A change begins with what the one before it has stored. By device, and one key for the battery. */
  readonly #changes = new KeyedMutex({ maxWaiting: null });
  #expectedByMs = Number.POSITIVE_INFINITY;

  constructor(needs: EnergyNeeds, parts: EnergyParts) {
    const { clock, log, store, assets, actions, regulated, energySources } = needs;
    const { siteConnections, energyLimits } = parts;
    this.latestStart = new LatestStart({
      clock,
      zone: needs.config.site.timezone,
      assets,
      recordOf: (id) => this.book.get(id),
      devices: () => regulated.all(),
    });
    this.plannedHeat = new PlannedHeat({
      clock,
      recordOf: (id) => this.book.get(id),
      devices: () => regulated.all(),
    });
    const absorption = new Absorption({ clock, flexEvents: parts.flexEvents, devices: () => regulated.all() });
    const sources: EnergySources = {
      connection: () => siteConnections.current(),
      limits: () => energyLimits.active(),
      plannedCharge: (id) => {
        const absorbed = absorption.charge();
        if (absorbed !== null) return absorbed;
        if (this.plannedHeat.isPlanned(id)) return this.plannedHeat.charge(id, parts.plans().plannedCharge(id));
        const latest = this.latestStart.plannedCharge(id);
        return latest === null ? null : (parts.plans().plannedCharge(id) ?? latest);
      },
      plannedMode: (id) => (absorption.battery(id) === null ? parts.plans().plannedMode(id) : "IMPORT_FOCUS"),
      plannedPower: (id) => (absorption.battery(id) ?? { watts: parts.plans().plannedPower(id) }).watts,
      fullChargeByMs: (id) => (absorption.battery(id) === null ? parts.plans().fullChargeByMs(id) : null),
      feedInStopsUntilMs: () => parts.plans().feedInStopsUntilMs(),
      isReversed: (deviceId) => parts.checks.isReversed(deviceId),
      ...energySources,
    };
    const latencies = new Latencies();
    this.#needs = needs;
    this.#parts = parts;
    this.#wake = new WakeSignal(clock);
    this.book = new EnergyBook(needs);
    this.#cycle = new EnergyCycle({
      clock,
      log,
      book: this.book,
      latencies,
      devices: () => regulated.all(),
      wake: (deviceId) => regulated.wake(deviceId),
      measured: (powers) => energyLimits.note(powers),
      report: (events) => this.#report(events),
      view: {
        assets,
        sources,
        overrides: parts.smartOverrides,
        latencyMs: (id) => latencies.of(id),
        ratedPowers: new RatedPowers(),
        dimmableHeat: dimmableHeat(needs.config),
        batteryUse: () => this.book.batteryUse(),
        surplusRuleOf: (id) => this.book.surplusRule(id),
        recordOf: (id) => this.book.get(id),
        pendingOf: (id) => actions.pendingOf(id),
        ownerOf: (id) => parts.controllers.inChargeOf(id),
        isWarm: (id) => this.plannedHeat.isWarm(id),
        systems: parts.systems,
        hasNoPlaces: () => store.all("location").length === 0,
      },
    });
    const seen = { book: this.book, cycle: this.#cycle, sources, clock, zone: needs.config.site.timezone };
    this.#views = new EnergyViews({ ...seen, nameOf: (id) => this.#nameOf(id), canHeat: (id) => this.canHeat(id) });
  }

  latenessMs(): number {
    return this.#needs.clock.monotonicMs() - this.#expectedByMs;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, assets, actions } = this.#needs;
    using _assets = assets.observe((kind) => (kind === "meter" ? this.#wake.notify() : undefined));
    using _actions = actions.observe((action) => this.#follow(action));
    using _overrides = this.#parts.smartOverrides.observe(() => this.#cycle.run());
    using _site = this.#parts.siteConnections.observe(() => this.#cycle.run());
    using _events = this.#parts.flexEvents.observe(() => this.#cycle.run());
    using _limits = this.#parts.energyLimits.observe(() => this.#cycle.run());
    while (!signal.aborted) {
      this.#expectedByMs = clock.monotonicMs() + CYCLE_EVERY_MS;
      await clock.sleep(LEAST_PAUSE_MS, signal).catch(() => undefined);
      await this.#wake.wait(CYCLE_EVERY_MS - LEAST_PAUSE_MS, signal).catch(() => undefined);
      if (signal.aborted) break;
      this.latestStart.watch();
      this.#cycle.run();
    }
    this.#expectedByMs = Number.POSITIVE_INFINITY;
  }

  /** While a mode is set, no other feature is in charge; commands of clients go before the mode. */
  controls(targetId: string): boolean {
    return this.book.get(targetId) !== null;
  }

  async release(targetId: string): Promise<void> {
    await this.#clear(targetId);
  }

  /** The house as the last cycle saw it; `null` before the first one, and without a meter at the grid. */
  get house(): HouseView | null {
    return this.#cycle.last;
  }

  state(language?: string): EnergyState {
    return this.#views.state(language);
  }

  device(id: string, language?: string): EnergyDeviceState {
    const found = this.#views.device(id, language);
    if (found === null) throw problem("not-found", `The energy manager knows no device "${id}".`);
    return found;
  }

  async setPolicy(id: string, update: EnergyPolicyUpdate): Promise<EnergyDeviceState> {
    const { kind, asset } = this.#require(id);
    const { userId, scopes } = asset;
    const scope = CONTROL_SCOPES[kind];
    if (!scopes.includes(scope)) throw problem("forbidden", `The scope ${scope} is not granted.`);
    const fault =
      targetFault(update.target ?? null, this.#needs.clock.nowMs()) ??
      (kind === "charger" ? null : phasesOfOthersFault(update)) ??
      (kind === "hvac" ? this.#heatPumpFault(id, update) : heatOfOthersFault(update));
    if (fault !== null) throw problem("bad-request", fault);
    const changed = (): EnergyDeviceRecord => this.#changed({ assetId: id, kind, userId }, update);
    await this.#changes.run(id, async () => {
      // What is refused takes nothing over.
      changed();
      await this.#parts.controllers.takeOver(id, this.kind, () => this.#store(changed()));
    });
    if (update.mode !== undefined) this.#forgive(id);
    this.#cycle.run();
    return this.device(id);
  }

  canHeat(hvacId: string): boolean {
    const device = this.#needs.regulated.all().find((each) => assetIdOf(each, "hvac") === hvacId);
    return device !== undefined && canHeat(device);
  }

  async clearPolicy(id: string): Promise<void> {
    this.#require(id);
    await this.#changes.run(id, () => this.#clear(id));
    this.#cycle.run();
  }

  batteryUse(): BatteryUseSettings {
    return this.book.batteryUse();
  }

  async setBatteryUse(update: BatteryUseUpdate): Promise<BatteryUseSettings> {
    const changes = Object.entries(update).filter(([, value]) => value !== undefined);
    const changed = await this.#changes.run(BATTERY_USE, async () => {
      const next = { ...this.book.batteryUse(), ...Object.fromEntries(changes) };
      const fault = batteryUseFault(next);
      if (fault !== null) throw problem("bad-request", fault);
      await this.book.setBatteryUse(next).catch(refusedByDisk);
      return next;
    });
    if (update.isPlanned !== undefined) this.#forgiveBatteries();
    this.#cycle.run();
    return changed;
  }

  policy(id: string): EnergyPolicy | null {
    const record = this.book.get(id);
    return record === null ? null : policyOf(record);
  }

  surplusRule(chargerId: string): SurplusRule {
    const { minA, startExportW, stopImportW, delayMs } = this.book.surplusRule(chargerId);
    return { minA, startExportW, stopImportW, delayMs };
  }

  async setSurplusRule(chargerId: string, rule: SurplusRule): Promise<void> {
    await this.book.setSurplusRule(chargerId, rule).catch(refusedByDisk);
    this.#cycle.run();
  }

  phaseCurrents(): PerPhase<number | null> {
    return this.#views.phaseCurrents();
  }

  figures(): EnergyFigures {
    return this.#cycle.figures.read();
  }

  #require(id: string): Controllable {
    const { assets } = this.#needs;
    const charger = assets.get("charger", id);
    if (charger !== null) return { kind: "charger", asset: charger };
    const vehicle = assets.get("vehicle", id);
    if (vehicle !== null) return { kind: "vehicle", asset: vehicle };
    const hvac = assets.get("hvac", id);
    if (hvac === null) throw problem("not-found", `There is no charger, vehicle or heat pump "${id}".`);
    return { kind: "hvac", asset: hvac };
  }

  #nameOf(id: string): string | null {
    const { assets, regulated } = this.#needs;
    const device = regulated.all().find((each) => each.assets.ids.some((asset) => asset.id === id));
    const asset = assets.get("vehicle", id) ?? assets.get("charger", id) ?? assets.get("hvac", id);
    return device?.settings.name ?? (asset === null ? null : nameOf(asset));
  }

  #heatPumpFault(id: string, update: EnergyPolicyUpdate): string | null {
    if (this.canHeat(id)) return heatPumpFault(update);
    return "The unit cannot be asked to take more power: it has no SG Ready states, and neither its power nor its setpoint can be set without ending its own programme.";
  }

  /** Returns the record with the changes, from what is stored now. Throws `bad-request`. */
  #changed(asset: Parameters<EnergyBook["changed"]>[0], update: EnergyPolicyUpdate): EnergyDeviceRecord {
    const record = this.book.changed(asset, update);
    if (record === null) throw problem("bad-request", "The device has no mode yet; send one.");
    const fault = heatStoreFault(this.plannedHeat.storeOf(record));
    if (fault !== null) throw problem("bad-request", fault);
    return record;
  }

  async #store(record: EnergyDeviceRecord): Promise<void> {
    const { assetId: id, kind: deviceType, userId, mode } = record;
    const events = mode === this.book.get(id)?.mode ? [] : [modeChanged({ id, deviceType, userId }, mode)];
    await this.book.put(record, events).catch(refusedByDisk);
  }

  async #clear(id: string): Promise<void> {
    const record = this.book.get(id);
    if (record === null) return;
    const { kind: deviceType, userId } = record;
    await this.book.remove(id, [modeChanged({ id, deviceType, userId }, null)]).catch(refusedByDisk);
    this.#cycle.release(id);
  }

  /** What a client commands goes before the mode from now on; the guard narrows it before the device gets it. */
  #follow(action: Action): void {
    const { id, targetId, targetType, state, failureReason } = action;
    const asked = this.book.get(targetId)?.asked ?? null;
    if (state === "PENDING" && isChargeable(targetType)) {
      const pending = this.#needs.actions.pendingOf(targetId);
      if (pending?.origin === "client" && pending.action.id === id) this.book.ask(targetId, askedBy(action, asked));
    } else if (failureReason?.type === "REQUESTED_CANCELLATION" && asked?.actionId === id) {
      this.book.takeBack(targetId);
    }
    this.#cycle.run();
  }

  #forgive(id: string): void {
    for (const { assets, commands } of this.#needs.regulated.all()) {
      if (assets.ids.some((each) => each.id === id)) commands.forgive();
    }
  }

  /** Somebody else's change of a battery ends with the owner's next word about the plan. */
  #forgiveBatteries(): void {
    for (const { kind, view } of this.#cycle.last?.controlled.values() ?? []) {
      if (kind === "battery") this.#forgive(view.id);
    }
  }

  #report(events: readonly NewJournalEntry[]): void {
    const { store, log } = this.#needs;
    store.commit([], events).catch((err: unknown) => log.warn({ err }, "cannot store events of the energy manager"));
  }
}

type Controllable =
  | { readonly kind: "charger"; readonly asset: Charger }
  | { readonly kind: "vehicle"; readonly asset: Vehicle }
  | { readonly kind: "hvac"; readonly asset: Hvac };

export function createEnergy(needs: EnergyNeeds, parts: EnergyParts): Feature<EnergyService> {
  const service = new EnergyService(needs, parts);
  return { name: "energy", service, controller: service, loop: service, forgetter: service.book };
}

/** Heat pumps and coolers among the devices that the grid operator may dim. */
function dimmableHeat({ gridLimits }: EngineConfig): DimmableHeat {
  const heat = (gridLimits?.controllable ?? []).filter(({ kind }) => kind === "heat-pump" || kind === "cooling");
  return new Map(heat.map(({ device, kw }) => [device, kw * 1_000]));
}

function isChargeable(type: ActionTargetType): boolean {
  return type === "charger" || type === "vehicle";
}

function askedBy(action: Action, before: AskedRecord | null): AskedRecord {
  const setting = settingOf(action);
  const [isOn, maxA] = [before?.isOn ?? null, before?.maxA ?? null];
  const common = { by: "person", actionId: action.id } as const;
  if ("kind" in setting) return { ...common, isOn: setting.kind === "START", maxA };
  return { ...common, isOn, maxA: "maxCurrent" in setting ? setting.maxCurrent : maxA };
}

function refusedByDisk(cause: unknown): never {
  throw problem("service-unavailable", "The settings cannot be stored now, so they did not change.", { cause });
}
