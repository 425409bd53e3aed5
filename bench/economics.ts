/**
 * What a year of one home costs by policy, week by week: without a battery, with the plain rule, with the plan's powers as
 * literal setpoints, with the plan's shadow price, and with perfect foresight.
 *
 *   HEMGATE_FIXTURES=… node --conditions=source bench/economics.ts [STRIDE]
 *
 * With a stride of 4, the default, every fourth week counts. EACH_WEEK=1 prints each.
 *
 * Forecasts are made from what was known then: the load by `forecastLoad`, the sun from earlier days, the weather of the
 * day before. The fixture's own predictions of the sun are the later truth and are not used.
 */
import { forecastLoad, type LoadRow } from "../src/domain/energy/load-forecast.ts";
import type { EnergyPlan, PlannedBattery } from "../src/domain/energy/plan/energy-plan.ts";
import { makePlan } from "../src/domain/energy/plan/make-plan.ts";
import type { PlanInputs, PlanSlot } from "../src/domain/energy/plan/plan-inputs.ts";
import { isFlatShadowPrice, storedEnergyPolicy } from "../src/domain/energy/plan/stored-energy-policy.ts";
import { plannedVehicleKw } from "../src/domain/energy/plan/vehicle-policy.ts";
import { InProcessOptimizer } from "../src/platform/optimizer/in-process-optimizer.ts";
import {
  BATTERY,
  CAR,
  COMFORT,
  HEAT,
  type Home,
  heatSlot,
  knownUntil,
  readHome,
  STEP_HOURS,
  STEPS_OF_DAY,
  type Stay,
  timeOf,
} from "./economics-home.ts";

const WEEK = 7 * STEPS_OF_DAY;
const HORIZON = 2 * STEPS_OF_DAY;
const FIRST_WEEK = 4;
const REPLAN = 4;
const HISTORY = 8 * WEEK;
const START_KWH = 5;
/** Less is nothing, kW. */
const LEAST_KW = 0.05;
const RESERVE_PCT = (BATTERY.minKwh / BATTERY.maxKwh) * 100;

type Market = "fixed feed-in" | "spot";
type Policy = "no battery" | "rule" | "literal" | "ours" | "foresight";
const POLICIES: readonly Policy[] = ["no battery", "rule", "literal", "ours", "foresight"];

interface World {
  readonly home: Home;
  readonly market: Market;
  readonly hasFlexibleLoads: boolean;
  readonly mayDischargeToGrid: boolean;
  readonly optimizer: InProcessOptimizer;
}

const FEES = 0.16;

function pricesAt(
  { home, market }: World,
  step: number,
): { readonly importPrice: number; readonly exportPrice: number } {
  if (market === "fixed feed-in") return { importPrice: home.timeOfUse[step]!, exportPrice: 0.08 };
  return { importPrice: home.spot[step]! + FEES, exportPrice: home.spot[step]! };
}

/** What a kWh that is left at the end of a week is worth, the same for all policies. */
function leftOverValue(market: Market): number {
  return market === "fixed feed-in" ? 0.15 : 0.12;
}

interface State {
  batteryKwh: number;
  temperatureC: number;
  /** Still needed in this stay. */
  carKwh: number;
}

/** A week with its cost so far. */
class Week {
  readonly world: World;
  readonly from: number;
  cost = 0;
  readonly state: State = { batteryKwh: START_KWH, temperatureC: COMFORT.minC, carKwh: 0 };
  readonly stays: readonly Stay[];
  missedKwh = 0;

  constructor(world: World, from: number) {
    this.world = world;
    this.from = from;
    this.stays = world.hasFlexibleLoads
      ? world.home.stays.filter((stay) => stay.from >= from && stay.to <= from + WEEK)
      : [];
  }

  stayAt(step: number): Stay | undefined {
    return this.stays.find((stay) => step >= stay.from && step < stay.to);
  }

  /** The power that keeps the lower temperature. */
  thermostatKw(step: number): number {
    if (!this.world.hasFlexibleLoads) return 0;
    const { heatPerPower, gainKw, outdoorC } = heatSlot(this.world.home.outdoorC[step]!);
    const share = 1 - Math.exp((-STEP_HOURS * HEAT.heatLossKwPerK) / HEAT.heatCapacityKwhPerK);
    const without =
      this.state.temperatureC + share * (outdoorC + gainKw / HEAT.heatLossKwPerK - this.state.temperatureC);
    const neededKw = ((COMFORT.minC - without) * HEAT.heatLossKwPerK) / share / heatPerPower;
    return Math.min(HEAT.maxKw, Math.max(0, neededKw));
  }

  /** Runs a quarter hour with these powers, after physics has limited them. `battery`: from the net load to its power. */
  run(step: number, carKw: number, heatKw: number, battery: (netKw: number) => number): void {
    const { home } = this.world;
    const stay = this.stayAt(step);
    const car =
      stay === undefined ? 0 : Math.min(carKw, CAR.maxKw, this.state.carKwh / CAR.chargeEfficiency / STEP_HOURS);
    const heat = Math.min(HEAT.maxKw, Math.max(0, heatKw));
    const net = home.loadKw[step]! - home.pvKw[step]! + car + heat;
    const power = this.#limited(battery(net));
    this.state.batteryKwh +=
      (power > 0 ? power * BATTERY.chargeEfficiency : power / BATTERY.dischargeEfficiency) * STEP_HOURS;
    this.state.carKwh -= car * CAR.chargeEfficiency * STEP_HOURS;
    if (stay !== undefined && step === stay.to - 1) this.missedKwh += Math.max(0, this.state.carKwh);
    if (this.world.hasFlexibleLoads) this.#warm(step, heat);
    const { importPrice, exportPrice } = pricesAt(this.world, step);
    const gridKw = net + power;
    this.cost +=
      (gridKw * (gridKw > 0 ? importPrice : exportPrice) + Math.abs(power) * BATTERY.wearPerKwh) * STEP_HOURS;
  }

  /** The cost with what is left in the battery. */
  total(hasBattery: boolean): number {
    return this.cost - (hasBattery ? (this.state.batteryKwh - START_KWH) * leftOverValue(this.world.market) : 0);
  }

  #limited(kw: number): number {
    const { batteryKwh } = this.state;
    const charge = Math.max(0, (BATTERY.maxKwh - batteryKwh) / BATTERY.chargeEfficiency / STEP_HOURS);
    const discharge = (Math.max(0, batteryKwh - BATTERY.minKwh) * BATTERY.dischargeEfficiency) / STEP_HOURS;
    return Math.min(BATTERY.maxChargeKw, charge, Math.max(-BATTERY.maxDischargeKw, -discharge, kw));
  }

  #warm(step: number, heatKw: number): void {
    const { heatPerPower, gainKw, outdoorC } = heatSlot(this.world.home.outdoorC[step]!);
    const share = 1 - Math.exp((-STEP_HOURS * HEAT.heatLossKwPerK) / HEAT.heatCapacityKwhPerK);
    const target = outdoorC + (gainKw + heatKw * heatPerPower) / HEAT.heatLossKwPerK;
    this.state.temperatureC += share * (target - this.state.temperatureC);
  }
}

/** The sun from earlier days: half yesterday, half the last week, carried by what the last hour showed. */
function sunForecast({ pvKw }: Home, now: number, ahead: number): number {
  const step = now + ahead;
  const daysBack = Math.floor(ahead / STEPS_OF_DAY) + 1;
  const earlier = (target: number) => {
    let mean = 0;
    for (let day = 0; day < 7; day++) mean += pvKw[target - (daysBack + day) * STEPS_OF_DAY]! / 7;
    return 0.5 * pvKw[target - daysBack * STEPS_OF_DAY]! + 0.5 * mean;
  };
  const guess = earlier(step);
  if (ahead >= 12) return guess;
  let seen = 0;
  let expected = 0;
  for (let back = 1; back <= 4; back++) {
    const target = now - back;
    seen += pvKw[target]!;
    expected += 0.5 * pvKw[target - STEPS_OF_DAY]! + 0.5 * pvKw[target - 2 * STEPS_OF_DAY]!;
  }
  const ratio = expected < 0.4 ? 1 : Math.min(2, Math.max(0.3, seen / expected));
  return guess * (1 + (ratio - 1) * (1 - ahead / 12));
}

interface Known {
  readonly loadKw: (ahead: number) => number;
  readonly pvKw: (ahead: number) => number;
  readonly outdoorC: (ahead: number) => number;
  readonly known: number;
}

function forecastAt({ home, market }: World, now: number): Known {
  const history: LoadRow[] = [];
  for (let step = Math.max(0, now - HISTORY); step < now; step++)
    history.push({ fromMs: timeOf(step), kw: home.loadKw[step]! });
  const times = Array.from({ length: HORIZON }, (_, ahead) => ({
    fromMs: timeOf(now + ahead),
    toMs: timeOf(now + ahead + 1),
  }));
  const load = forecastLoad({ history, times, nowMs: timeOf(now), zone: "UTC", holidays: new Set() });
  return {
    loadKw: (ahead) => load[ahead]?.kw ?? 1,
    pvKw: (ahead) => sunForecast(home, now, ahead),
    outdoorC: (ahead) => home.outdoorC[now + ahead - STEPS_OF_DAY * (Math.floor(ahead / STEPS_OF_DAY) + 1)]!,
    known: market === "spot" ? knownUntil(now) - now : HORIZON,
  };
}

function inputsAt(
  week: Week,
  now: number,
  steps: number,
  { loadKw, pvKw, outdoorC, known }: Known,
  isForesight = false,
): PlanInputs {
  const { world, state } = week;
  const slots = Array.from({ length: steps }, (_, ahead): PlanSlot => {
    const prices = ahead < known ? pricesAt(world, now + ahead) : { importPrice: null, exportPrice: null };
    return {
      ...{ fromMs: timeOf(now + ahead), toMs: timeOf(now + ahead + 1), ...prices },
      ...{ loadKw: loadKw(ahead), pvKw: pvKw(ahead), maxImportKw: null, maxExportKw: null, maxControllableKw: null },
    };
  });
  const endValuePerKwh = isForesight ? leftOverValue(world.market) : null;
  const stays = isForesight ? week.stays : [week.stayAt(now) ?? []].flat();
  return {
    slots,
    batteries: [
      { ...BATTERY, mayDischargeToGrid: world.mayDischargeToGrid, storedKwh: state.batteryKwh, endValuePerKwh },
    ],
    vehicles: stays.map((stay, index) => ({
      ...CAR,
      id: `car-${index}`,
      maxKwh: isForesight ? stay.neededKwh : state.carKwh,
      storedKwh: 0,
      plugged: [{ fromMs: timeOf(stay.from), toMs: timeOf(stay.to) }],
      targets: [{ atMs: timeOf(stay.to), storedKwh: isForesight ? stay.neededKwh : state.carKwh }],
    })),
    heats: world.hasFlexibleLoads
      ? [{ ...HEAT, temperatureC: state.temperatureC, slots: slots.map((_, ahead) => heatSlot(outdoorC(ahead))) }]
      : [],
    canCurtail: false,
    peak: null,
  };
}

async function planAt(week: Week, now: number): Promise<EnergyPlan> {
  const inputs = inputsAt(week, now, HORIZON, forecastAt(week.world, now));
  const plan = await makePlan(inputs, (model) => week.world.optimizer.solve(model));
  if (plan.kind === "no-plan") throw new Error(`no plan: ${plan.reason} ${plan.detail}`);
  return plan;
}

function startStay(week: Week, step: number): void {
  const stay = week.stays.find(({ from }) => from === step);
  if (stay !== undefined) week.state.carKwh = stay.neededKwh;
}

function runRule(week: Week, hasBattery: boolean): void {
  for (let step = week.from; step < week.from + WEEK; step++) {
    startStay(week, step);
    week.run(step, CAR.maxKw, week.thermostatKw(step), (netKw) => (hasBattery ? -netKw : 0));
  }
}

async function runPlanned(week: Week, isLiteral: boolean): Promise<void> {
  const { home } = week.world;
  let plan: EnergyPlan | null = null;
  let planned = 0;
  for (let step = week.from; step < week.from + WEEK; step++) {
    const hasArrived = week.stays.some(({ from }) => from === step);
    startStay(week, step);
    if (plan === null || hasArrived || step - planned >= REPLAN) {
      plan = await planAt(week, step);
      planned = step;
    }
    const index = step - planned;
    const device = (id: string) => plan?.devices.find((each) => each.id === id);
    const slot = plan.slots[index]!;
    const heatKw = Math.max(device(HEAT.id)?.powerKw[index] ?? 0, week.thermostatKw(step));
    const car = device("car-0");
    const battery = device(BATTERY.id);
    if (battery?.kind !== "battery") throw new Error("no battery in the plan");
    const surplusKw = home.pvKw[step]! - home.loadKw[step]! - heatKw;
    const carKw =
      car?.kind !== "vehicle"
        ? 0
        : plannedVehicleKw({
            ...{
              plannedKw: car.powerKw[index]!,
              plannedSurplusKw: slot.pvKw - slot.loadKw - (device(HEAT.id)?.powerKw[index] ?? 0),
              lambda: car.shadowPrice[index]!,
            },
            ...{ exportPrice: slot.exportPrice, chargeEfficiency: CAR.chargeEfficiency, surplusKw, maxKw: CAR.maxKw },
          });
    week.run(step, carKw, heatKw, (netKw) =>
      isLiteral ? battery.powerKw[index]! : livePower(week, slot, netKw, battery, index),
    );
  }
}

function livePower(
  week: Week,
  { importPrice, exportPrice, importKw }: EnergyPlan["slots"][number],
  netKw: number,
  { shadowPrice, powerKw }: PlannedBattery,
  index: number,
): number {
  const mode = storedEnergyPolicy({
    lambda: shadowPrice[index] ?? null,
    isFlat: isFlatShadowPrice(shadowPrice),
    buysNow: powerKw[index]! > LEAST_KW && importKw > LEAST_KW,
    ...{ importPrice, exportPrice },
    chargeEfficiency: BATTERY.chargeEfficiency,
    dischargeEfficiency: BATTERY.dischargeEfficiency,
    wearPerKwh: BATTERY.wearPerKwh,
    netLoadW: netKw * 1_000,
    soc: (week.state.batteryKwh / BATTERY.maxKwh) * 100,
    reserve: RESERVE_PCT,
    mayChargeFromGrid: BATTERY.mayChargeFromGrid,
    mayDischargeToGrid: week.world.mayDischargeToGrid,
    mode: "SELF_RELIANCE",
  });
  if (mode === "IMPORT_FOCUS") return BATTERY.maxChargeKw;
  if (mode === "EXPORT_FOCUS") return -BATTERY.maxDischargeKw;
  return mode === "SELF_RELIANCE" ? -netKw : 0;
}

async function foresight(week: Week): Promise<number> {
  const { world, from } = week;
  const { home } = world;
  const truth: Known = {
    loadKw: (ahead) => home.loadKw[from + ahead]!,
    pvKw: (ahead) => home.pvKw[from + ahead]!,
    outdoorC: (ahead) => home.outdoorC[from + ahead]!,
    known: WEEK,
  };
  const plan = await makePlan(inputsAt(week, from, WEEK, truth, true), (model) => world.optimizer.solve(model));
  if (plan.kind === "no-plan") throw new Error(`no plan with foresight: ${plan.reason} ${plan.detail}`);
  const battery = plan.devices.find(({ kind }) => kind === "battery");
  if (battery?.kind !== "battery") throw new Error("no battery in the plan");
  return plan.cost - (battery.storedKwh.at(-1)! - START_KWH) * leftOverValue(world.market);
}

async function costOf(world: World, from: number, policy: Policy): Promise<{ cost: number; missedKwh: number }> {
  const week = new Week(world, from);
  if (policy === "foresight") return { cost: await foresight(week), missedKwh: 0 };
  if (policy === "no battery" || policy === "rule") runRule(week, policy === "rule");
  else await runPlanned(week, policy === "literal");
  return { cost: week.total(policy !== "no battery"), missedKwh: week.missedKwh };
}

async function table(world: World, weeks: readonly number[]): Promise<void> {
  const sums = new Map<Policy, number>(POLICIES.map((policy) => [policy, 0]));
  let missedKwh = 0;
  const worse: string[] = [];
  for (const index of weeks) {
    const from = index * WEEK;
    const costs = new Map<Policy, number>();
    for (const policy of POLICIES) {
      const result = await costOf(world, from, policy);
      costs.set(policy, result.cost);
      sums.set(policy, sums.get(policy)! + result.cost);
      if (policy === "ours") missedKwh += result.missedKwh;
    }
    const loss = costs.get("ours")! - costs.get("rule")!;
    if (loss > 0.01 * Math.abs(costs.get("rule")!))
      worse.push(`week ${index}: +${loss.toFixed(2)} of ${costs.get("rule")!.toFixed(2)}`);
    if (process.env["EACH_WEEK"] === "1")
      console.log(index, [...costs.values()].map((cost) => cost.toFixed(2)).join(" "));
  }
  const between = sums.get("rule")! - sums.get("foresight")!;
  const share = (100 * (sums.get("rule")! - sums.get("ours")!)) / between;
  const cells = POLICIES.map((policy) => sums.get(policy)!.toFixed(2)).join(" | ");
  const name = `${world.market}, ${world.hasFlexibleLoads ? "battery, car, heat pump" : "battery alone"}`;
  console.log(`| ${name} | ${cells} | ${share.toFixed(0)} % | ${worse.length} |`);
  if (worse.length > 0) console.log(`  worse than the rule by more than 1 %: ${worse.join("; ")}`);
  if (missedKwh > 0.5) console.log(`  the car left with ${missedKwh.toFixed(1)} kWh too little`);
}

const home = readHome();
const stride = Number(process.argv[2] ?? 4);
const weeks: number[] = [];
for (let week = FIRST_WEEK; (week + 1) * WEEK + HORIZON <= home.steps; week += stride) weeks.push(week);
const optimizer = new InProcessOptimizer();
console.log(`${weeks.length} weeks of one home, cost in EUR`);
console.log(`| home | ${POLICIES.join(" | ")} | recovered | weeks worse by > 1 % |`);
console.log(`|---|${POLICIES.map(() => "---|").join("")}---|---|`);
for (const hasFlexibleLoads of [false, true]) {
  for (const market of ["fixed feed-in", "spot"] as const) {
    await table({ home, market, hasFlexibleLoads, mayDischargeToGrid: market === "spot", optimizer }, weeks);
  }
}
await optimizer[Symbol.asyncDispose]();
