/** A house with a grid meter, panels, a charger and a battery, whose meter shows what they draw. */
import type { Config } from "../../../src/config/config.ts";
import type { SiteConnection } from "../../../src/domain/energy/site/site-connection.ts";
import type { EnergySources } from "../../../src/engine/contracts/energy/energy-manager.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { type Home, makeHome, type Run } from "../home.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const VOLTS = 230;
const RATED_W = 10_000;
const STEP_MS = 500;
const POLL_MS = SECOND;
const SELDOM_POLL_MS = 5 * SECOND;

export const NO_LIMITS: SiteConnection = {
  phases: 3,
  fuseA: null,
  importKw: null,
  peakKw: null,
  exportKw: null,
  gridMeterId: null,
  circuits: [],
  phasesOf: new Map(),
};

export interface EnergyHouse {
  readonly home: Home;
  readonly meter: FakeDevice;
  readonly charger: FakeDevice;
  readonly panels: FakeDevice;
  /** May be changed while the house runs. */
  readonly world: {
    sunW: number;
    loadA: number;
    carMaxA: number;
    isPlugged: boolean;
    isMeterReversed: boolean;
    /** How fast the panels' power follows a limit, W a second. */
    rampW: number;
  };
  start(): Promise<Run>;
  advance(ms: number): Promise<void>;
  /** Advances with a fifth of the polls: for long waits, in which single seconds do not matter. */
  wait(ms: number): Promise<void>;
  chargerId(run: Run): string;
}

/** The car draws what is offered, on three phases; the meter shows the sum with its sign. */
export function energyHouse(
  site: Partial<SiteConnection> = {},
  sources: Partial<EnergySources> = {},
  charging: {
    readonly isOn?: boolean;
    readonly maxA?: number;
    readonly holdMs?: number | null;
    /** What its own timer leaves, A; it has to have one. */
    readonly safeA?: number;
    /** The charger can be switched between one and three phases, and is on so many. */
    readonly phases?: number;
  } = {},
  config: Partial<Pick<Config, "pricing" | "gridLimits">> = {},
): EnergyHouse {
  const connection = { ...NO_LIMITS, ...site };
  const home = makeHome(1, {
    energySources: { connection: () => connection, ...sources },
    ...config,
  });
  const { isOn = true, maxA = 16, holdMs = null, safeA = "as-found", phases } = charging;
  const world = {
    sunW: 0,
    loadA: 1,
    carMaxA: 16,
    isPlugged: true,
    isMeterReversed: false,
    rampW: Number.POSITIVE_INFINITY,
  };
  const meter = home.add("meter", {
    values: { "meter.power": 0, "meter.current.l1": 0, "meter.current.l2": 0, "meter.current.l3": 0 },
    identity: { manufacturer: "Meters", model: "M", serial: "M-1" },
  });
  const panels = home.add("panels", {
    values: { "inverter.power": 0, "inverter.powerLimit": 100 },
    controls: [{ point: "inverter.powerLimit", range: { min: 0, max: 100 }, holdMs: null, safeDefault: 100 }],
    identity: { manufacturer: "Suns", model: "S", serial: "S-1" },
  });
  const charger = home.add("charger", {
    values: {
      "charger.state": isOn ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED",
      "charger.power": 0,
      "charger.energySession": 0,
      "charger.current.l1": 0,
      "charger.current.l2": 0,
      "charger.current.l3": 0,
      "charger.enabled": isOn,
      "charger.maxCurrent": maxA,
      ...(phases === undefined ? {} : { "charger.phases": phases }),
    },
    controls: [
      { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" },
      { point: "charger.maxCurrent", range: { min: 6, max: 32 }, holdMs, safeDefault: safeA },
      ...(phases === undefined
        ? []
        : [{ point: "charger.phases", values: [0, 1, 3], holdMs: null, safeDefault: "as-found" } as const]),
    ],
    identity: { manufacturer: "KEBA", model: "P30", serial: "K-1" },
    vendors: ["KEBA", "MODBUS"],
  });
  const house = { meter, charger, panels, world };
  const step = (): void => {
    flow(house);
    home.world.clock.timer(STEP_MS, step);
  };
  step();
  return {
    home,
    ...house,
    start: async () => {
      const run = await home.start();
      await home.world.clock.advance(5 * SECOND);
      return run;
    },
    advance: (ms) => home.world.clock.advance(ms),
    wait: async (ms) => {
      const pollEvery = (pollMs: number): void => {
        for (const device of Object.values(home.devices)) device.pollMs = pollMs;
      };
      pollEvery(SELDOM_POLL_MS);
      await home.world.clock.advance(ms);
      pollEvery(POLL_MS);
    },
    chargerId: (run) => run.engine.assets.list("charger")[0]?.asset.id ?? "",
  };
}

function flow({ meter, charger, panels, world }: Pick<EnergyHouse, "meter" | "charger" | "panels" | "world">): void {
  const isOn = world.isPlugged && charger.values["charger.enabled"] === true;
  const carA = isOn ? Math.min(world.carMaxA, Number(charger.values["charger.maxCurrent"] ?? 0)) : 0;
  const plugged = isOn ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED";
  charger.show("charger.state", world.isPlugged ? plugged : "UNPLUGGED");
  const isOnePhase = charger.values["charger.phases"] === 1;
  const carW = (isOnePhase ? 1 : 3) * VOLTS * carA;
  charger.show("charger.power", carW);
  const chargedWh = Number(charger.values["charger.energySession"]) + (carW * STEP_MS) / 3_600_000;
  charger.show("charger.energySession", world.isPlugged ? chargedWh : 0);
  const goalW = Math.min(world.sunW, (Number(panels.values["inverter.powerLimit"]) / 100) * RATED_W);
  const beforeW = Number(panels.values["inverter.power"]);
  const stepW = (world.rampW * STEP_MS) / SECOND;
  const producedW = Math.min(beforeW + stepW, Math.max(beforeW - stepW, goalW));
  panels.show("inverter.power", producedW);
  const othersA = world.loadA - producedW / 3 / VOLTS;
  const sign = world.isMeterReversed ? -1 : 1;
  for (const phase of ["l1", "l2", "l3"] as const) {
    const ofCarA = isOnePhase && phase !== "l1" ? 0 : carA;
    charger.show(`charger.current.${phase}`, ofCarA);
    meter.show(`meter.current.${phase}`, Math.abs(othersA + ofCarA));
    meter.show(`meter.power.${phase}`, sign * (othersA + ofCarA) * VOLTS);
  }
  meter.show("meter.power", sign * (3 * VOLTS * othersA + carW));
}

/** Current that the meter shows on each phase, A. */
export function gridA({ meter }: Pick<EnergyHouse, "meter">): number {
  return Number(meter.values["meter.power"]) / 3 / VOLTS;
}
