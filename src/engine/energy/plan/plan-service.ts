import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../domain/duration.ts";
import type { NoPlanCode } from "../../../domain/energy/plan/energy-plan.ts";
import { makePlan } from "../../../domain/energy/plan/make-plan.ts";
import {
  chargeInPlan,
  heatInPlan,
  planDigest,
  powerInPlan,
  storedValueInPlan,
} from "../../../domain/energy/plan/plan-acts.ts";
import { QUARTER_HOUR_MS } from "../../../domain/energy/plan/plan-inputs.ts";
import { type EnergyPlanView, type MadePlan, noPlanView, planView } from "../../../domain/energy/plan/plan-view.ts";
import type {
  EnergySavings,
  EnergySimulation,
  EnergySimulationRequest,
} from "../../../domain/energy/plan/savings-view.ts";
import type { ValuedSpan } from "../../../domain/energy/plan/spans.ts";
import { storedEnergyPolicy } from "../../../domain/energy/plan/stored-energy-policy.ts";
import type { Optimizer } from "../../../platform/ports/optimizer-port.ts";
import type { Clock, Log } from "../../../platform/ports/ports.ts";
import { WakeSignal } from "../../../platform/wake-signal.ts";
import { within } from "../../../platform/within.ts";
import type { OperationMode } from "../../../points/points.ts";
import type { Store } from "../../../store/store.ts";
import type { EnergySources, PlannedCharge } from "../../contracts/energy/energy-manager.ts";
import type { EnergyPlans, EnergyPriceNow, SavingsQuery } from "../../contracts/energy/energy-plans.ts";
import type { Assets } from "../../contracts/engine.ts";
import type { EngineConfig, EnginePart } from "../../engine-part.ts";
import type { Feature } from "../../feature.ts";
import { planUpdated } from "../energy-events.ts";
import type { EnergyService } from "../energy-service.ts";
import { collectInputs, type InputParts } from "./collect-inputs.ts";
import { CurtailedHours } from "./curtailed-hours.ts";
import { EarlierLoad } from "./earlier-load.ts";
import { type FullChargeParts, FullCharges } from "./full-charges.ts";
import { type HouseFlowParts, HouseFlowReader } from "./house-flows.ts";
import { HouseHistory, SETTLED_AFTER_MS } from "./house-history.ts";
import { HouseMoney, type HouseMoneyParts } from "./house-money.ts";
import { type HousePriceParts, HousePrices } from "./house-prices.ts";
import { netLoadW } from "./net-load.ts";
import { deviates } from "./plan-deviation.ts";
import { isUnread, type PlanTargets, targetsIn } from "./plan-targets.ts";

/** How often it is looked whether a plan has to be made, ms. */
const LOOK_EVERY_MS = 10 * SECOND_MS;
/** Two plans are at least this far apart, ms. */
const LEAST_PAUSE_MS = 30 * SECOND_MS;
/** A plan that is older is not acted on, ms. */
const EXPIRES_AFTER_MS = HOUR_MS;
const SOLVE_DEADLINE_MS = 10 * SECOND_MS;
/** Two models, each with its way to the solver's thread and back, ms. */
const PLAN_DEADLINE_MS = MINUTE_MS;
/** A battery keeps its mode for so long, so that a cloud does not switch it to and fro, ms. */
const DWELL_MS = MINUTE_MS;
/** A planned power above this share of the highest one means as much as goes. */
const FULL_SHARE = 0.9;
const W_PER_KW = 1_000;

export interface PlanNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Pick<Store, "commit"> & FullChargeParts["store"];
  readonly assets: Pick<Assets, "get">;
  readonly config: EngineConfig;
  readonly optimizer: Optimizer;
}

export interface PlanParts extends Omit<InputParts, "clock"> {
  readonly energy: Pick<EnergyService, "house" | "batteryUse" | "latestStart" | "plannedHeat">;
  readonly money: HouseMoney;
  readonly siteConnections: InputParts["siteConnections"] & { observe(listener: () => void): Disposable };
  readonly energyLimits: InputParts["energyLimits"] & { observe(listener: () => void): Disposable };
  readonly forecasts: InputParts["forecasts"] & { observe(listener: () => void): Disposable };
}

interface Standing extends MadePlan {
  readonly targets: PlanTargets;
  /** Monotonic ms. */
  readonly madeAtTickMs: number;
}

type Outcome = Standing | NoPlanCode;

/** Makes the plan by price each quarter hour and when something changed, and says what it wants now. */
export class PlanService
  implements
    EnergyPlans,
    EnginePart,
    Pick<EnergySources, "plannedCharge" | "plannedMode" | "plannedPower" | "fullChargeByMs" | "feedInStopsUntilMs">
{
  readonly #needs: PlanNeeds;
  readonly #parts: PlanParts;
  readonly #wake: WakeSignal;
  readonly #earlier: EarlierLoad;
  readonly fullCharges: FullCharges;
  readonly #curtailed: CurtailedHours;
  #outcome: Outcome = "not-read-yet";
  #targets: PlanTargets | null = null;
  /** What the last plan was made for. */
  #facts = "";
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #quarter = Number.NaN;
  #isAsked = false;
  readonly #startedAtMs: number;
  #published = "";
  readonly #modes = new Map<string, { readonly mode: OperationMode; readonly sinceMs: number }>();

  constructor(needs: PlanNeeds, parts: PlanParts) {
    this.#needs = needs;
    this.#parts = parts;
    this.#startedAtMs = needs.clock.monotonicMs();
    this.#wake = new WakeSignal(needs.clock);
    this.#earlier = new EarlierLoad(needs.store);
    this.fullCharges = new FullCharges(needs);
    this.#curtailed = new CurtailedHours(needs);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { prices, forecasts, siteConnections, energyLimits } = this.#parts;
    using _prices = prices.observe(() => this.#ask());
    using _forecasts = forecasts.observe(() => this.#ask());
    using _site = siteConnections.observe(() => this.#ask());
    using _limits = energyLimits.observe(() => this.#ask());
    while (!signal.aborted) {
      await this.#wake.wait(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#look(signal);
      } catch (err) {
        if (signal.aborted) return;
        this.#needs.log.warn({ err }, "cannot make a plan; the last one is acted on until it expires");
        if (this.#standing() === null) this.#settle("no-solution");
      }
    }
  }

  view(language?: string): EnergyPlanView {
    const { config, clock } = this.#needs;
    const { prices, history } = this.#parts;
    const zone = config.site.timezone;
    const style = { zone, language, currency: prices.currency };
    const standing = this.#standing();
    const leftOut = this.#targets?.leftOut ?? [];
    const earlier = [...this.#earlier.today(this.#userId, history.load, zone, clock.nowMs())];
    if (standing !== null) return { ...planView(standing, leftOut, style), earlier };
    // What somebody has just set is seen at once, and planned with the next look.
    const targets = isIdle(this.#outcome) ? this.#targetsNow() : null;
    if (targets !== null && !isEmpty(targets))
      return { ...noPlanView("not-made-yet", targets.leftOut, style), earlier };
    const whyNot = typeof this.#outcome === "string" ? this.#outcome : "no-solution";
    return { ...noPlanView(whyNot, leftOut, style), earlier };
  }

  priceNow(): EnergyPriceNow {
    const { clock } = this.#needs;
    const { prices } = this.#parts;
    const nowMs = clock.nowMs();
    const at = (spans: readonly ValuedSpan[]): number | null =>
      spans.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs)?.value ?? null;
    return {
      importPrice: at(prices.imported(this.#userId, nowMs, nowMs + 1)),
      exportPrice: at(prices.fedIn(nowMs, nowMs + 1)),
      currency: prices.currency,
    };
  }

  savings(query: SavingsQuery): Promise<EnergySavings> {
    return this.#parts.money.savings(query);
  }

  simulate(request: EnergySimulationRequest): Promise<EnergySimulation> {
    return this.#parts.money.simulation(request);
  }

  feedInStopsUntilMs(): number | null {
    const { clock } = this.#needs;
    // A clock that is not right reads the price of another hour.
    if (clock.quality() !== "synced") return null;
    const untilMs = this.#parts.prices.feedInStopsUntilMs(clock.nowMs());
    return untilMs === null ? null : clock.monotonicMs() + untilMs - clock.nowMs();
  }

  plannedCharge(id: string): PlannedCharge | null {
    const { clock } = this.#needs;
    const standing = this.#standing();
    if (standing === null) return null;
    const nowMs = clock.nowMs();
    const { vehicles, heats } = standing.targets;
    const heat = heats.find((each) => each.id === id);
    const { maxKw = 0 } = heat ?? vehicles.find((each) => each.id === id) ?? {};
    const charge = heat
      ? heatInPlan(standing.plan, id, { ...heat, minC: heat.store.minC }, nowMs)
      : chargeInPlan(standing.plan, id, maxKw, nowMs);
    if (charge === null) return null;
    const isFull = charge.kw > maxKw * FULL_SHARE;
    return {
      powerW: isFull ? Number.MAX_SAFE_INTEGER : charge.kw * W_PER_KW,
      untilMs: clock.monotonicMs() + charge.untilMs - nowMs,
    };
  }

  plannedMode(id: string): OperationMode | null {
    // What the owner switches off ends at once, and not with the next plan.
    const standing = this.#parts.energy.batteryUse().isPlanned ? this.#standing() : null;
    const planned = standing === null ? null : this.#modeBy(standing, id);
    if (planned === null) {
      this.#modes.delete(id);
      return null;
    }
    const atMs = this.#needs.clock.monotonicMs();
    const before = this.#modes.get(id);
    if (before !== undefined && (before.mode === planned || atMs - before.sinceMs < DWELL_MS)) return before.mode;
    this.#modes.set(id, { mode: planned, sinceMs: atMs });
    return planned;
  }

  plannedPower(id: string): number | null {
    const standing = this.#standing();
    const kw = standing === null ? null : powerInPlan(standing.plan, id, this.#needs.clock.nowMs());
    return kw === null ? null : kw * W_PER_KW;
  }

  fullChargeByMs(id: string): number | null {
    const { clock } = this.#needs;
    const device = this.#standing()?.plan.devices.find((each) => each.id === id);
    const atMs = device?.kind === "battery" ? device.fullAtMs : null;
    return atMs === null || atMs < clock.nowMs() ? null : clock.monotonicMs() + atMs - clock.nowMs();
  }

  #modeBy({ plan, targets }: Standing, id: string): OperationMode | null {
    const { clock } = this.#needs;
    const { house } = this.#parts.energy;
    const battery = targets.batteries.find((each) => each.id === id);
    const view = house?.snapshot.batteries.find((each) => each.id === id);
    const value = storedValueInPlan(plan, id, clock.nowMs());
    if (house === null || battery === undefined || view === undefined || value === null) return null;
    const { minSoc, maxSoc } = this.#parts.energy.batteryUse();
    const mode = storedEnergyPolicy({
      ...battery,
      ...value,
      netLoadW: netLoadW(house.snapshot, clock.monotonicMs()),
      soc: view.soc,
      reserve: view.reserve,
      minSoc,
      maxSoc,
      mode: this.#modes.get(id)?.mode ?? view.mode,
    });
    return view.modes.includes(mode) ? mode : "SELF_RELIANCE";
  }

  /** The plan that is acted on; `null` if there is none, or if it is too old. */
  #standing(): Standing | null {
    const outcome = this.#outcome;
    if (typeof outcome === "string") return null;
    return this.#needs.clock.monotonicMs() - outcome.madeAtTickMs < EXPIRES_AFTER_MS ? outcome : null;
  }

  get #userId(): string {
    return this.#targets?.userId ?? this.#needs.config.site.owner;
  }

  #ask(): void {
    this.#isAsked = true;
    this.#wake.notify();
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock } = this.#needs;
    this.#targets = this.#targetsNow();
    const targets = this.#targets;
    if (targets === null || isEmpty(targets)) {
      this.#rest();
      return;
    }
    const quarter = Math.floor((clock.nowMs() - SETTLED_AFTER_MS) / QUARTER_HOUR_MS);
    const isNews =
      this.#isAsked || quarter !== this.#quarter || targets.facts !== this.#facts || this.#deviates(targets);
    if (!isNews || clock.monotonicMs() - this.#triedAtMs < LEAST_PAUSE_MS) return;
    this.#isAsked = false;
    this.#quarter = quarter;
    this.#facts = targets.facts;
    this.#triedAtMs = clock.monotonicMs();
    if (isIdle(this.#outcome)) this.#outcome = "not-made-yet";
    this.#settle(await this.#make(targets, signal));
  }

  #targetsNow(): PlanTargets | null {
    const { assets, clock } = this.#needs;
    const { energy } = this.#parts;
    const { latestStart, plannedHeat, house } = energy;
    if (house === null) return null;
    this.fullCharges.note(house.snapshot);
    this.#curtailed.note(house.snapshot);
    return targetsIn(house, {
      assets,
      batteryUse: energy.batteryUse(),
      needOf: (id) => latestStart.needOf(id),
      usualW: (id) => latestStart.usualW(id),
      heatOf: (id) => plannedHeat.needOf(id),
      fullBy: (id) => this.fullCharges.dueBy(id),
      nowMs: clock.nowMs(),
    });
  }

  /** Nothing asks for a plan: nothing is kept, and the solver's thread ends by itself. */
  #rest(): void {
    const { energy } = this.#parts;
    const runsMs = this.#needs.clock.monotonicMs() - this.#startedAtMs;
    const whyNot = isUnread(energy.house, energy.batteryUse(), runsMs) ? "not-read-yet" : "nothing-to-plan";
    if (this.#facts === "" && this.#outcome === whyNot) return;
    this.#facts = "";
    this.#quarter = Number.NaN;
    this.#modes.clear();
    this.#parts.history.forget();
    this.#settle(whyNot);
  }

  /** True if what is stored is far from what the plan expected by now. */
  #deviates(targets: PlanTargets): boolean {
    const standing = this.#standing();
    return standing !== null && deviates(standing.plan, standing.targets, targets, this.#needs.clock.nowMs());
  }

  async #make(targets: PlanTargets, signal: AbortSignal): Promise<Outcome> {
    const { clock, log, optimizer } = this.#needs;
    if (clock.quality() === "unset") return "clock-not-set";
    const collected = await collectInputs(targets, { ...this.#parts, clock }, signal);
    if (collected.kind === "no-plan") return collected.reason;
    // Building the model waits for the next turn of the event loop, so that nothing else waits for long.
    await clock.sleep(0, signal);
    const madeAtMs = clock.nowMs();
    const plan = await within(clock, PLAN_DEADLINE_MS, signal, () =>
      makePlan(collected.inputs, (model) => optimizer.solve(model, { deadlineMs: SOLVE_DEADLINE_MS })),
    );
    if (plan.kind === "no-plan") {
      log.debug({ reason: plan.reason, detail: plan.detail }, "no plan; the devices follow the plain rule");
      return plan.reason;
    }
    this.#earlier.expect(targets.userId, collected.inputs.slots, madeAtMs);
    return {
      plan,
      targets,
      madeAtMs,
      basis: collected.basis,
      madeAtTickMs: clock.monotonicMs(),
      actedOnUntilMs: madeAtMs + EXPIRES_AFTER_MS,
    };
  }

  #settle(outcome: Outcome): void {
    const { log, store } = this.#needs;
    const before = this.#outcome;
    this.#outcome = outcome;
    const hasNoPlan = typeof outcome === "string";
    if (typeof before !== typeof outcome || (hasNoPlan && before !== outcome))
      log.info(hasNoPlan ? { reason: outcome } : { method: outcome.plan.method }, "plan by price changed");
    const digest = hasNoPlan ? outcome : planDigest(outcome.plan, outcome.madeAtMs);
    if (digest === this.#published || (this.#published === "" && isIdle(outcome))) return;
    this.#published = digest;
    const deviceIds = hasNoPlan ? [] : outcome.plan.devices.map(({ id }) => id);
    const entry = planUpdated(this.#userId, { isPlanned: !hasNoPlan, whyNot: hasNoPlan ? outcome : null, deviceIds });
    store.commit([], [entry]).catch((err: unknown) => log.warn({ err }, "cannot store an event of the plan"));
  }
}

function isEmpty({ batteries, vehicles, heats }: PlanTargets): boolean {
  return batteries.length + vehicles.length + heats.length === 0;
}

/** Nothing asks for a plan, as far as is known. */
function isIdle(outcome: Outcome): boolean {
  return outcome === "nothing-to-plan" || outcome === "not-read-yet";
}

export interface PlanNeighbours extends Omit<PlanParts, "prices" | "history" | "money"> {
  readonly prices: HousePriceParts["prices"];
  readonly locations: HousePriceParts["locations"];
  readonly systems: HouseFlowParts["systems"];
}

export function createPlans(
  needs: PlanNeeds & Pick<HouseFlowParts, "store"> & Pick<HouseMoneyParts, "assets"> & Pick<HousePriceParts, "market">,
  { prices, locations, systems, ...parts }: PlanNeighbours,
): Feature<PlanService> {
  const { clock, config, market } = needs;
  const housePrices = new HousePrices({ prices, locations, market, feedIn: config.pricing?.feedIn });
  const isPlannedHeat = (id: string): boolean => parts.energy.plannedHeat.isPlanned(id);
  const flows = new HouseFlowReader({ ...needs, systems, isPlannedHeat });
  const service = new PlanService(needs, {
    ...parts,
    prices: housePrices,
    history: new HouseHistory({ clock, flows, zone: config.site.timezone }),
    money: new HouseMoney({ ...needs, flows, prices: housePrices }),
  });
  return { name: "energyPlans", service, loop: service, forgetter: service.fullCharges };
}
