/** A house that is being set up: a grid meter on three phases, a charger, a battery with a timer, an inverter. */
import type { Run } from "../home.ts";
import { batteryOptions, chargerOptions, type Home, type HomeExtras, makeHome } from "../home.ts";

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const INSTALLER = { kind: "account", id: "a-1", name: "Ines" } as const;

export interface SetupHouse {
  readonly home: Home;
  readonly run: Run;
  /** Watts of the household on each phase; the meter follows. */
  readonly loads: [number, number, number];
  /** Factor on what the meter shows of each phase: −1 for a clamp that is turned round. */
  readonly clamps: [number, number, number];
  idOf(kind: "meter" | "charger" | "battery" | "inverter"): string;
  advance(ms: number): Promise<void>;
  resolve<Value>(promise: Promise<Value>): Promise<Value>;
  /** Pulls the plug, and starts again. */
  powerCut(): Promise<void>;
  close(): Promise<void>;
}

export async function setupHouse(extras: HomeExtras = {}): Promise<SetupHouse> {
  const home = makeHome(1, extras);
  const loads: [number, number, number] = [300, 200, 100];
  const clamps: [number, number, number] = [1, 1, 1];
  const meter = home.add("meter", {
    values: { "meter.power": 600 },
    identity: { manufacturer: "Eastron", model: "SDM630", serial: "M-1", version: "1.4" },
    vendors: ["EASTRON", "MODBUS"],
  });
  home.add("charger", chargerOptions());
  const battery = home.add("battery", batteryOptions());
  const inverter = home.add("inverter", {
    values: { "inverter.power": 0, "inverter.powerLimit": 100 },
    controls: [{ point: "inverter.powerLimit", range: { min: 0, max: 100 }, holdMs: null, safeDefault: 100 }],
    identity: { manufacturer: "Fronius", model: "Symo", serial: "I-1" },
    vendors: ["FRONIUS", "SUNSPEC"],
  });
  battery.show("battery.power", 0);
  const show = (): void => {
    const sunW = Number(inverter.values["inverter.power"] ?? 0) - Number(battery.values["battery.power"] ?? 0);
    const phases = loads.map((load, at) => (load - sunW / 3) * (clamps[at] ?? 1));
    for (const [at, watts] of phases.entries()) {
      const line = (["l1", "l2", "l3"] as const)[at] ?? "l1";
      meter.show(`meter.power.${line}`, watts);
      meter.show(`meter.voltage.${line}`, 230);
      meter.show(`meter.current.${line}`, Math.abs(watts) / 230);
    }
    meter.show(
      "meter.power",
      phases.reduce((sum, watts) => sum + watts, 0),
    );
  };
  const tick = (): void => {
    show();
    home.world.clock.timer(SECOND, tick);
  };
  tick();
  let run = await home.start();
  const house: SetupHouse = {
    home,
    get run() {
      return run;
    },
    loads,
    clamps,
    idOf(kind) {
      const [entry] = run.engine.assets.list(kind);
      if (entry === undefined) throw new Error(`the house has no ${kind} yet`);
      return entry.asset.id;
    },
    advance: (ms) => home.world.clock.advance(ms),
    resolve: (promise) => home.world.clock.resolve(promise, MINUTE),
    async powerCut() {
      run.process.kill();
      home.disk.crash();
      run = await home.start();
    },
    close: () => run.close(),
  };
  await house.advance(MINUTE);
  return house;
}
