/** A house in which nothing is added yet: four devices announce themselves, and one clamp of the grid meter is turned round. */
import { z } from "zod";
import type { Clock } from "../../src/platform/ports/ports.ts";
import { DeviceError } from "../../src/points/device-error.ts";
import type { Sighting } from "../../src/sdk/discovery.ts";
import { type Adapter, defineAdapter } from "../../src/sdk/driver.ts";
import { FakeDevice, type FakeDeviceOptions } from "../../src/testing/fake-adapter.ts";
import { batteryOptions, chargerOptions } from "../engine/home.ts";

const TICK_MS = 500;
const POLL_MS = 1_000;

export interface SimulatedHouse extends Disposable {
  readonly adapter: Adapter;
  /** W on each phase. */
  readonly loads: [number, number, number];
}

type Kind = Sighting["vendorTypes"][number];

export function simulatedHouse(clock: Clock): SimulatedHouse {
  const make = (options: Omit<FakeDeviceOptions, "clock">): FakeDevice =>
    new FakeDevice({ ...options, pollMs: POLL_MS, clock });
  const devices = {
    meter: make({
      values: { "meter.power": 600 },
      identity: { manufacturer: "Eastron", model: "SDM630", serial: "20114482", version: "1.42" },
      vendors: ["EASTRON", "MODBUS"],
    }),
    inverter: make({
      values: { "inverter.power": 3_200, "inverter.powerLimit": 100 },
      controls: [{ point: "inverter.powerLimit", range: { min: 0, max: 100 }, holdMs: null, safeDefault: 100 }],
      identity: { manufacturer: "Fronius", model: "Symo GEN24 10.0", serial: "33514207", version: "1.34.6" },
      vendors: ["FRONIUS", "SUNSPEC"],
    }),
    battery: make(
      batteryOptions({ identity: { manufacturer: "BYD", model: "HVS 10.2", serial: "P03T020Z2205", version: "3.26" } }),
    ),
    charger: make(
      chargerOptions({
        identity: { manufacturer: "KEBA", model: "P30 x-series", serial: "22840019", version: "1.17.1" },
      }),
    ),
  };
  const loads: [number, number, number] = [420, 310, 180];
  const tick = (): void => move(devices, loads);
  tick();
  const timer = setInterval(tick, TICK_MS);
  const sightings = Object.entries(devices).map(([key, device], at) => sightingOf(key as Kind, device, at));
  const adapter = defineAdapter({
    name: "house",
    options: z.strictObject({ key: z.string() }),
    start: ({ clock: now }) => ({
      connect: async (_deviceId, { key }, signal) => {
        const device = devices[key as keyof typeof devices];
        if (device === undefined) throw new DeviceError("unreachable", `nothing is at ${key}`);
        return await device.connect(now, signal);
      },
      discovery: {
        serviceTypes: [],
        search: async (_scope, found) => {
          for (const sighting of sightings) found(sighting);
        },
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  });
  return { adapter: adapter as unknown as Adapter, loads, [Symbol.dispose]: () => clearInterval(timer) };
}

/** What devices measure a moment later; a battery that is commanded to wait does. */
function move(devices: Readonly<Record<"meter" | "inverter" | "battery", FakeDevice>>, loads: readonly number[]): void {
  const { meter, inverter, battery } = devices;
  const noise = Math.round(20 * Math.sin(Date.now() / 3_000));
  const sunW = 3_200 + noise;
  inverter.show("inverter.power", sunW);
  const batteryW = battery.values["battery.mode"] === "IDLE" ? 0 : 1_500 + noise;
  battery.show("battery.power", batteryW);
  const measured = loads.map((load, at) => (load + noise + (batteryW - sunW) / 3) * (at === 1 ? -1 : 1));
  for (const [at, watts] of measured.entries()) {
    const line = (["l1", "l2", "l3"] as const)[at] ?? "l1";
    meter.show(`meter.power.${line}`, watts);
    meter.show(`meter.voltage.${line}`, 231);
    meter.show(`meter.current.${line}`, Math.abs(watts) / 231);
  }
  meter.show(
    "meter.power",
    measured.reduce((sum, watts) => sum + watts, 0),
  );
}

function sightingOf(kind: Kind, { identity, vendors, values }: FakeDevice, at: number): Sighting {
  const power = Object.entries(values).find(([point]) => point.endsWith(".power"))?.[1];
  return {
    key: identity.serial ?? kind,
    options: { key: kind },
    place: { key: kind },
    manufacturer: identity.manufacturer,
    model: identity.model,
    serial: identity.serial,
    firmware: identity.version,
    name: null,
    vendorTypes: [kind],
    vendors,
    profile: null,
    address: `192.168.1.${20 + at}`,
    confidence: 0.95,
    proof: `reads ${Math.round(Number(power))} W`,
    source: "modbus",
  };
}
