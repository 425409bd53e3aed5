/** A house with a grid meter, a battery and a charger, whose prices change by the hour. */
import type { PriceSource } from "../../../src/engine/contracts/places.ts";
import { InProcessOptimizer } from "../../../src/platform/optimizer/in-process-optimizer.ts";
import type { FakeDevice } from "../../../src/testing/fake-adapter.ts";
import { batteryOptions, type Home, makeHome, type Run } from "../home.ts";
import { HOUR, MINUTE, SECOND } from "./energy-house.ts";

/** A meter that reports each five seconds is as good for a plan as one that does each second. */
const STEP_MS = 5 * SECOND;
const BATTERY_W = 5_000;
const CAR_W = 11_040;
const CAPACITY_WH = 10_000;

export interface PlanHouse {
  readonly home: Home;
  readonly meter: FakeDevice;
  readonly battery: FakeDevice;
  readonly charger: FakeDevice;
  /** May be changed while the house runs. `priceAt`: price of the hour that begins at wall-clock ms; `null`: not known. */
  readonly world: {
    loadW: number;
    isPlugged: boolean;
    priceAt: (hourMs: number) => string | null;
    /** How often prices were asked for. */
    pricesRead: number;
  };
  /** Starts it with a place, so that it has prices, and with the solver loaded. */
  start(): Promise<Run>;
  advance(ms: number): Promise<void>;
  /** Tells that prices changed. */
  tellPrices(): void;
  resolve<T>(work: Promise<T>): Promise<T>;
}

export function planHouse(): PlanHouse {
  const listeners = new Set<() => void>();
  const world: PlanHouse["world"] = { loadW: 800, isPlugged: false, priceAt: () => "0.30", pricesRead: 0 };
  const priceSource: PriceSource = {
    between: (_place, fromMs, toMs) => {
      world.pricesRead += 1;
      const firstMs = Math.floor(fromMs / HOUR) * HOUR;
      const hours = Array.from({ length: Math.ceil((toMs - firstMs) / HOUR) }, (_, hour) => firstMs + hour * HOUR);
      return hours.flatMap((hourMs) => {
        const cost = world.priceAt(hourMs);
        const slot = { fromMs: Math.max(hourMs, fromMs), toMs: Math.min(hourMs + HOUR, toMs) };
        return cost === null ? [] : [{ ...slot, cost }];
      });
    },
    covers: () => true,
    observe: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
  const feedIn = { perKwh: 0.05, marketFactor: 0, stopsBelowZero: false };
  const home = makeHome(1, { priceSource, pricing: { currency: "EUR", feedIn } });
  const meter = home.add("meter", {
    values: { "meter.power": 0 },
    identity: { manufacturer: "Meters", model: "M", serial: "M-1" },
  });
  const battery = home.add("battery", batteryOptions());
  battery.show("battery.capacity", CAPACITY_WH);
  battery.show("battery.soc", 50);
  const charger = home.add("charger", {
    values: {
      "charger.state": "UNPLUGGED",
      "charger.power": 0,
      "charger.energySession": 0,
      "charger.enabled": false,
      "charger.maxCurrent": 16,
    },
    controls: [
      { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" },
      { point: "charger.maxCurrent", range: { min: 6, max: 16 }, holdMs: null, safeDefault: "as-found" },
    ],
    identity: { manufacturer: "KEBA", model: "P30", serial: "K-1" },
    vendors: ["KEBA", "MODBUS"],
  });
  for (const device of [meter, battery, charger]) device.pollMs = STEP_MS;
  const step = (): void => {
    flow({ meter, battery, charger, world });
    home.world.clock.timer(STEP_MS, step);
  };
  step();
  const resolve = <T>(work: Promise<T>): Promise<T> => home.world.clock.resolve(work, 20 * SECOND);
  return {
    ...{ home, meter, battery, charger, world, resolve },
    start: async () => {
      const run = await home.start();
      const { optimizer } = run.process.platform;
      if (optimizer instanceof InProcessOptimizer) await optimizer.ready();
      const { locations } = run.engine.services;
      const place = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
      if (locations.list("home").length === 0) await resolve(locations.create("home", place));
      return run;
    },
    advance: (ms) => home.world.clock.advance(ms),
    tellPrices: () => {
      for (const listener of listeners) listener();
    },
  };
}

type Flowing = Pick<PlanHouse, "meter" | "battery" | "charger" | "world">;

function flow({ meter, battery, charger, world }: Flowing): void {
  const isCharging = world.isPlugged && charger.values["charger.enabled"] === true;
  const carW = isCharging ? (CAR_W * Math.min(16, Number(charger.values["charger.maxCurrent"]))) / 16 : 0;
  charger.show("charger.state", state(world.isPlugged, isCharging));
  charger.show("charger.power", carW);
  const chargedWh = Number(charger.values["charger.energySession"]) + (carW * STEP_MS) / HOUR;
  charger.show("charger.energySession", world.isPlugged ? chargedWh : 0);
  const soc = Number(battery.values["battery.soc"]);
  const powerW = limited(batteryPower(battery, world.loadW + carW), soc);
  battery.show("battery.power", powerW);
  battery.show("battery.soc", Math.min(100, Math.max(0, soc + ((powerW * STEP_MS) / HOUR / CAPACITY_WH) * 100)));
  meter.show("meter.power", world.loadW + carW + powerW);
}

function state(isPlugged: boolean, isCharging: boolean) {
  if (!isPlugged) return "UNPLUGGED";
  return isCharging ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED";
}

function batteryPower({ values }: FakeDevice, loadW: number): number {
  switch (values["battery.mode"]) {
    case "IMPORT_FOCUS":
      return BATTERY_W;
    case "EXPORT_FOCUS":
      return -BATTERY_W;
    case "IDLE":
      return 0;
    default:
      return Math.max(-BATTERY_W, -loadW);
  }
}

function limited(powerW: number, soc: number): number {
  if (soc >= 100) return Math.min(0, powerW);
  return soc <= 10 ? Math.max(0, powerW) : powerW;
}

/** The hour of the virtual clock that begins next, wall-clock ms. */
export function nextHourMs({ home }: PlanHouse): number {
  return Math.ceil(home.world.clock.nowMs() / HOUR) * HOUR;
}

/** Lets the house learn what it uses. */
export async function learn(house: PlanHouse): Promise<void> {
  await house.advance(80 * MINUTE);
}
