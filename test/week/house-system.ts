/** Whether a house's energy system adds up: its powers and today's energies against what flowed in the house. */
import type { World } from "hemgate/testing";
import type { HemSystem } from "../../src/domain/hem/hem-system.ts";
import type { HemPower } from "../../src/engine/contracts/hem.ts";
import type { GatewayBox, RunningGateway } from "../long-run/gateway-box.ts";
import type { Calm } from "./calm.ts";
import { History } from "./history.ts";
import { FLOWS, type HouseEnergies, type HouseFlow, NO_ENERGIES } from "./house-flow.ts";
import { HOUSE_OWNER, HOUSE_PARTS } from "./house-parts.ts";
import { WEEK_START_MS } from "./mishaps.ts";
import type { WeekDevice } from "./week-device.ts";

const MINUTE_MS = 60_000;
const STARTED_MS = 4 * MINUTE_MS;
/** The system sums what flowed today every five minutes. */
const SUMMED_WITHIN_MS = 7 * MINUTE_MS;
/** Local midnight of Berlin in summer, after that of Greenwich. */
const MIDNIGHT_MS = 22 * 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Values of a kill that were not on disk yet. */
const UNSAVED_MINUTES = 6;
/** Of what flowed within a minute or so: the parts are read one after the other, Wh and as a part. */
const APART_WH = 150;
const APART_PART = 0.02;
const WATT = 1.01;

interface Powers {
  readonly gridW: number;
  readonly generationW: number;
  readonly batteryW: number;
  readonly loadW: number;
}

export class HouseSystem {
  readonly counts = { powers: 0, energies: 0 };
  readonly #parts: { readonly world: World; readonly box: GatewayBox; readonly calm: Calm; readonly house: HouseFlow };
  readonly #powers = new History<Powers>();
  /** Since midnight, by the minute. */
  readonly #today = new History<HouseEnergies>();
  /** Of that, what flowed while the gateway may have missed it. */
  #missed = NO_ENERGIES;
  /** What flowed unseen right before midnight: it may be counted after it. */
  #carried = NO_ENERGIES;
  #unseen = NO_ENERGIES;
  #atMidnight = NO_ENERGIES;
  #before = NO_ENERGIES;
  #lately: HouseEnergies[] = [];
  #wasUp = false;
  #day = -1;
  #wasWrong = false;

  constructor(parts: {
    readonly world: World;
    readonly box: GatewayBox;
    readonly calm: Calm;
    readonly house: HouseFlow;
  }) {
    this.#parts = parts;
  }

  /** Before the house moves. */
  afterMinute(devices: readonly WeekDevice[]): readonly string[] {
    const { box, world, calm, house } = this.#parts;
    const nowMs = world.clock.monotonicMs();
    const own = devices.filter(({ id }) => Object.values(HOUSE_PARTS).some((part) => part === id));
    const isUp = box.running !== null && nowMs - box.running.startedAtMs > STARTED_MS;
    const isClockRight = Math.abs(world.clock.nowMs() - WEEK_START_MS - nowMs) < MINUTE_MS;
    const isCalm = own.every((device) => calm.isCalm(device));
    const { gridW, pvW: generationW, batteryW, loadW } = house;
    this.#powers.note(nowMs - MINUTE_MS, { gridW, generationW, batteryW, loadW });
    this.#count(isUp && isClockRight && isCalm);
    if (!isClockRight) this.#wasWrong = true;
    if (box.running === null || !isUp) return [];
    return [
      ...this.#power(box.running, isCalm),
      ...(isClockRight && !this.#wasWrong ? this.#energies(box.running) : []),
    ];
  }

  /** What flowed in the last minute, and whether it was seen. */
  #count(isSeen: boolean): void {
    const { house, world, box } = this.#parts;
    const nowMs = world.clock.monotonicMs();
    const flowed = difference(house.energiesWh, this.#before);
    this.#before = house.energiesWh;
    const day = Math.floor((nowMs - MIDNIGHT_MS) / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#atMidnight = this.#before;
      this.#missed = NO_ENERGIES;
      this.#carried = this.#unseen;
      this.#wasWrong = false;
    }
    this.#lately = [...this.#lately, flowed].slice(-UNSAVED_MINUTES);
    const isUp = box.running !== null;
    const lost = isSeen ? [] : this.#wasUp && !isUp ? this.#lately : [flowed];
    this.#missed = lost.reduce(sum, this.#missed);
    this.#unseen = isSeen ? NO_ENERGIES : lost.reduce(sum, this.#unseen);
    this.#wasUp = isUp;
    this.#today.note(nowMs, difference(this.#before, this.#atMidnight));
  }

  #power({ gateway }: RunningGateway, isCalm: boolean): readonly string[] {
    const shown = gateway.engine.services.housePowers.list(HOUSE_OWNER)[0];
    if (shown === undefined) return [`the system of ${HOUSE_OWNER} has no powers`];
    const nowMs = this.#parts.world.clock.monotonicMs();
    const was = isCalm ? this.#powers.during(nowMs - MINUTE_MS, nowMs) : this.#powers.during(nowMs - 5 * MINUTE_MS);
    if (isCalm) {
      this.counts.powers += 1;
      const newest = was[0];
      const isSo = newest !== undefined && KEYS.every((key) => isNear(shown[key], newest[key]));
      return isSo ? [] : [`the house is shown with ${told(shown)}, it was ${told(newest)}`];
    }
    return PARTS.flatMap((key) => {
      const isSo = shown[key] === null || was.some((powers) => isNear(shown[key], powers[key]));
      return isSo ? [] : [`the house's ${key} is shown as ${shown[key]}, it was ${was.map((powers) => powers[key])}`];
    });
  }

  #energies({ gateway, startedAtMs }: RunningGateway): readonly string[] {
    const system = gateway.engine.services.hemSystems.list(HOUSE_OWNER)[0]?.system;
    if (system === undefined) return [`${HOUSE_OWNER} has no energy system`];
    const { today } = system.status.energy;
    const nowMs = this.#parts.world.clock.monotonicMs();
    const atMs = today.lastUpdated === null ? null : Date.parse(today.lastUpdated) - WEEK_START_MS;
    if (atMs === null || nowMs - atMs > SUMMED_WITHIN_MS) {
      const isDue = nowMs - startedAtMs > STARTED_MS + SUMMED_WITHIN_MS;
      return isDue ? [`today's energies are of ${today.lastUpdated}`] : [];
    }
    // The day that began a moment ago, and those that are summed up for the one before.
    if ((nowMs + DAY_MS - MIDNIGHT_MS) % DAY_MS < SUMMED_WITHIN_MS + MINUTE_MS) return [];
    const were = this.#today.during(atMs - MINUTE_MS, atMs + MINUTE_MS);
    return FLOWS.flatMap((flow) => this.#energy(flow, today, were));
  }

  #energy(
    flow: (typeof FLOWS)[number],
    today: HemSystem["status"]["energy"]["today"],
    were: readonly HouseEnergies[],
  ): readonly string[] {
    const values = were.map((energies) => energies[flow]);
    const missed = this.#missed[flow];
    const most = Math.max(...values) * (1 + APART_PART) + APART_WH + this.#carried[flow];
    const least = Math.min(...values) * (1 - APART_PART) - APART_WH - missed;
    const shownWh = today[flow] === null ? null : 1_000 * today[flow];
    this.counts.energies += 1;
    // What consumption is made of may not fit together where parts of it were missed.
    if (shownWh === null) return least <= 0 || missed > 0 ? [] : [`today's ${flow} is not known, it was ${values} Wh`];
    const slack = flow === "consumption" ? total(this.#missed) + total(this.#carried) : 0;
    const isSo = shownWh <= most + slack && shownWh >= least - slack;
    return isSo
      ? []
      : [`today's ${flow} is shown as ${shownWh} Wh, it was ${values} Wh, of which ${missed} in trouble`];
  }
}

const PARTS = ["gridW", "generationW", "batteryW"] as const;
const KEYS = [...PARTS, "loadW"] as const;

function isNear(shown: number | null, was: number): boolean {
  return shown !== null && Math.abs(shown - was) <= WATT;
}

function told(powers: Powers | HemPower | undefined): string {
  return KEYS.map((key) => `${key} ${powers?.[key]}`).join(", ");
}

function difference(one: HouseEnergies, other: HouseEnergies): HouseEnergies {
  return mapped((flow) => one[flow] - other[flow]);
}

function sum(one: HouseEnergies, other: HouseEnergies): HouseEnergies {
  return mapped((flow) => one[flow] + other[flow]);
}

function total(energies: HouseEnergies): number {
  return FLOWS.reduce((all, flow) => all + energies[flow], 0);
}

function mapped(of: (flow: (typeof FLOWS)[number]) => number): HouseEnergies {
  const [imported, exported, generation, charge, discharge, consumption] = FLOWS.map(of);
  const known = (value: number | undefined): number => value ?? 0;
  return {
    import: known(imported),
    export: known(exported),
    generation: known(generation),
    charge: known(charge),
    discharge: known(discharge),
    consumption: known(consumption),
  };
}
