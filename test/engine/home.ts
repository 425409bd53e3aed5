/** A simulated home around an engine: devices in memory, a disk, and gateways that come and go. */
import { createMqttLinks } from "../../src/broker/mqtt-links.ts";
import type { Config } from "../../src/config/config.ts";
import type { ActionTimings } from "../../src/domain/actions/action-timing.ts";
import type { EnergySources } from "../../src/engine/contracts/energy/energy-manager.ts";
import type { PriceSource } from "../../src/engine/contracts/places.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { RunningEngine } from "../../src/engine/running-engine.ts";
import type { MqttServer } from "../../src/platform/ports/ports.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import type { ForecastSource } from "../../src/sdk/forecast-source.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { OpenedStore } from "../../src/store/store.ts";
import { FakeDevice, type FakeDeviceOptions, fakeAdapter } from "../../src/testing/fake-adapter.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { type SimProcess, World } from "../../src/testing/world.ts";

const START_LIMIT_MS = 60_000;
const NO_BROKER = { kind: "none" } as const;

/** One run of the gateway's engine. */
export interface Run {
  readonly engine: RunningEngine;
  readonly store: OpenedStore;
  readonly process: SimProcess;
  close(): Promise<void>;
}

export interface Home {
  readonly world: World;
  readonly disk: MemoryDisk;
  readonly devices: Record<string, FakeDevice>;
  /** Adds a device to the home; the next run finds it. */
  add(id: string, options: Omit<FakeDeviceOptions, "clock">): FakeDevice;
  start(change?: { devices?: Config["devices"]; timings?: Record<string, ActionTimings> }): Promise<Run>;
}

/** What a home's gateway has beside the fake devices. */
export interface HomeExtras {
  readonly adapters?: readonly Adapter[];
  readonly linking?: Config["linking"];
  readonly sandbox?: Config["sandbox"];
  readonly discovery?: Config["discovery"];
  readonly priceSource?: PriceSource;
  readonly energySources?: Partial<EnergySources>;
  readonly forecast?: Config["forecast"];
  readonly connection?: Config["site"]["connection"];
  readonly place?: Config["site"]["place"];
  readonly gridLimits?: Config["gridLimits"];
  readonly pricing?: Config["pricing"];
  readonly forecastSources?: readonly ForecastSource[];
  /** The MQTT broker of the configuration, such as one of `world.mqtt`. */
  readonly broker?: MqttServer;
  /** When the world begins, wall-clock ms. */
  readonly startMs?: number;
}

export function makeHome(seed = 1, extras: HomeExtras = {}): Home {
  const world = new World({ seed, ...(extras.startMs !== undefined && { startMs: extras.startMs }) });
  const disk = new MemoryDisk();
  const devices: Record<string, FakeDevice> = {};
  return {
    world,
    disk,
    devices,
    add(id, options) {
      const device = new FakeDevice({ ...options, clock: world.clock });
      devices[id] = device;
      return device;
    },
    start(change = {}) {
      const process = world.boot("gateway", disk);
      const { clock, random, log } = process.platform;
      const config = {
        site: {
          name: "Home",
          owner: "home",
          timezone: "Europe/Berlin",
          ...(extras.connection === undefined ? {} : { connection: extras.connection }),
          ...(extras.place === undefined ? {} : { place: extras.place }),
        },
        ...(extras.gridLimits === undefined ? {} : { gridLimits: extras.gridLimits }),
        ...(extras.pricing === undefined ? {} : { pricing: extras.pricing }),
        ...(extras.linking === undefined ? {} : { linking: extras.linking }),
        ...(extras.sandbox === undefined ? {} : { sandbox: extras.sandbox }),
        ...(extras.discovery === undefined ? {} : { discovery: extras.discovery }),
        ...(extras.forecast === undefined ? {} : { forecast: extras.forecast }),
        devices: change.devices ?? Object.keys(devices).map((id) => ({ id, adapter: "fake" })),
      };
      const opening = async (): Promise<Run> => {
        const store = await openStore({ disk: process.platform.disk, clock, random, log });
        const adapters = [fakeAdapter(devices), ...(extras.adapters ?? [])];
        const timings = change.timings === undefined ? {} : { timings: change.timings };
        const market = extras.priceSource === undefined ? {} : { priceSource: extras.priceSource };
        const energy = extras.energySources === undefined ? {} : { energySources: extras.energySources };
        const configured =
          extras.broker === undefined ? NO_BROKER : ({ kind: "elsewhere", server: extras.broker } as const);
        const mqtt = createMqttLinks({ mqtt: process.platform.mqtt, configured, log });
        const engine = await createEngine({
          ...process.platform,
          mqtt,
          store,
          config,
          adapters,
          ...timings,
          ...market,
          ...energy,
          forecastSources: extras.forecastSources ?? [],
        });
        const closing = async (): Promise<void> => {
          await engine[Symbol.asyncDispose]();
          await store[Symbol.asyncDispose]();
        };
        return { engine, store, process, close: () => world.clock.resolve(closing(), START_LIMIT_MS) };
      };
      return world.clock.resolve(opening(), START_LIMIT_MS);
    },
  };
}

/** A battery with all modes, a reversion timer of one minute, and SELF_RELIANCE as what it falls back to. */
export function batteryOptions(change: Partial<FakeDeviceOptions> = {}): Omit<FakeDeviceOptions, "clock"> {
  return {
    values: {
      "battery.power": -1_234,
      "battery.soc": 55.5,
      "battery.capacity": 10_240,
      "battery.reserve": 10,
      "battery.mode": "SELF_RELIANCE",
    },
    controls: [
      {
        point: "battery.mode",
        values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS", "IDLE"],
        holdMs: 60_000,
        safeDefault: "SELF_RELIANCE",
      },
    ],
    identity: { manufacturer: "SolarEdge", model: "Home Battery", serial: "B-1" },
    vendors: ["SOLAREDGE", "SUNSPEC"],
    ...change,
  };
}

/** A charger with a car on it, stopped, without a reversion timer. */
export function chargerOptions(change: Partial<FakeDeviceOptions> = {}): Omit<FakeDeviceOptions, "clock"> {
  return {
    values: {
      "charger.state": "PLUGGED_IN:STOPPED",
      "charger.power": 0,
      "charger.enabled": false,
      "charger.maxCurrent": 16,
    },
    controls: [
      { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: "as-found" },
      { point: "charger.maxCurrent", range: { min: 6, max: 32 }, holdMs: null, safeDefault: "as-found" },
    ],
    identity: { manufacturer: "KEBA", model: "P30", serial: "K-1" },
    vendors: ["KEBA", "MODBUS"],
    ...change,
  };
}

/** Lets the charger follow its switch, as a car that wants to charge does. */
export function followSwitch(charger: FakeDevice): void {
  charger.onWrite = (point, value) => {
    charger.show(point, value);
    if (point !== "charger.enabled") return;
    charger.show("charger.state", value === true ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED");
    charger.show("charger.power", value === true ? 7_400 : 0);
  };
}
