/** The sandbox home: a house that lives on the clock, and the devices in it behind Modbus servers. */
import type { Clock, Random, SimulatedSupply, TcpAddress } from "hemgate/sdk";
import type { FollowedCar } from "./car.ts";
import { FACTORY_BOX, FACTORY_SECOND_BOX, isBoxOffering } from "./charger-box.ts";
import { CHARGER_UNIT, createChargerTwin } from "./charger-twin.ts";
import { type FaultyTwin, type TwinFaults, withFaults } from "./faults.ts";
import { createHeaterTwin, HEATER_UNIT } from "./heater-twin.ts";
import { createHomeModel, type HomeModel, type HomeSpec, SANDBOX_SPEC, standardTimeOffsetMs } from "./home-model.ts";
import { parseHomeProfile } from "./home-profile.ts";
import type { HomeTruth } from "./home-truth.ts";
import { NORMAL_CONTROLS } from "./inverter-controls.ts";
import { createInverterTwin } from "./inverter-twin.ts";
import { createMeterTwin } from "./meter-twin.ts";
import type { RegisterImage } from "./register-image.ts";
import { createSecondChargerTwin, SECOND_CHARGER_UNIT } from "./second-charger-twin.ts";
import { serveOnLoopback } from "./serve-twins.ts";

export type SandboxDeviceId = "inverter" | "meter" | "charger" | "second-charger" | "heater";

/** Where each device listens. The second charger and the heater are in the house if they have a port. */
export type SandboxPorts = Readonly<
  Record<"inverter" | "meter" | "charger", number> & Partial<Record<"second-charger" | "heater", number>>
>;

/** A device's entry in the gateway's configuration. */
export interface SandboxDevice {
  readonly id: SandboxDeviceId;
  readonly adapter: "modbus";
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly unit: number;
  readonly profile: string;
  /** The inverter's twin follows every mode. */
  readonly confirmUnverified?: true;
  readonly settings?: Readonly<Record<string, number>>;
}

/** Serves an image at an address until it is disposed. Rejects when the address cannot be had. */
type ServeImage = (image: RegisterImage, address: TcpAddress) => Promise<AsyncDisposable>;

export interface SandboxOptions {
  readonly clock: Pick<Clock, "monotonicMs" | "nowMs" | "timer">;
  /** Only its seed-like first number is taken: the same number makes the same weather and habits. */
  readonly random: Pick<Random, "next">;
  /** "real" listens on loopback; a simulated world passes its own. */
  readonly serve: "real" | ServeImage;
  /** Where each device is found; loopback when absent. */
  readonly hosts?: Readonly<Partial<Record<SandboxDeviceId, string>>>;
  readonly ports?: SandboxPorts;
  /** The text of a home file (CSV, an hour a row) that drives load and sun. */
  readonly homeFile?: string;
  readonly spec?: HomeSpec;
  /** The house's wall clock at the start, ms since 1970; the clock's when absent. */
  readonly startMs?: number;
  readonly hasCar?: boolean;
  /** True if the chargers are off at the start; absent: as from the factory. */
  readonly areChargersOff?: boolean;
  /** How often the house moves, ms. */
  readonly tickMs?: number;
}

export interface SandboxHome extends AsyncDisposable {
  /** What the gateway's configuration has to say to reach the devices. */
  readonly devices: readonly SandboxDevice[];
  /** What is really so in the house now. */
  truth(): HomeTruth;
  /** Has the car at the charger do as a made-up one; `null`: as its own habits have it. */
  followCar(car: FollowedCar | null): void;
  /** Power that made-up heat pumps draw besides the household, W. */
  setHeatW(heatW: number): void;
  /** What the charger offers the car on it. */
  carSupply(): SimulatedSupply;
  /** Stops the house's time: every value stays, timers of the devices too. */
  pause(): void;
  resume(): void;
  setFaults(device: SandboxDeviceId, faults: Partial<TwinFaults>): void;
  /** Power off and on: volatile settings are gone, connections close, nobody answers for `bootMs`. */
  restart(device: SandboxDeviceId, bootMs: number): void;
}

/** Where the devices listen by default. */
export const SANDBOX_PORTS: Readonly<Record<SandboxDeviceId, number>> = {
  inverter: 5020,
  meter: 5021,
  charger: 5022,
  "second-charger": 5023,
  heater: 5024,
};
const LOOPBACK = "127.0.0.1";
const TICK_MS = 1_000;

/** Starts the house and its servers. The caller disposes it; a port that is taken rejects, and nothing is left. */
export async function startSandboxHome(options: SandboxOptions): Promise<SandboxHome> {
  const { clock, hosts = {}, ports = SANDBOX_PORTS } = options;
  const home = createModel(options, ports);
  const twins = createTwins(clock, home);
  const serve: ServeImage =
    options.serve === "real" ? (image, address) => serveOnLoopback(clock, image, address) : options.serve;
  await using opening = new AsyncDisposableStack();
  const devices = devicesAt(hosts, ports);
  for (const { id, host, port } of devices) opening.use(await serve(twins[id].image, { host, port }));
  const life = keepAlive(clock, home, options.tickMs ?? TICK_MS);
  opening.use(life);
  const owned = opening.move();
  return {
    devices,
    truth: () => home.truth(),
    followCar: (car) => home.followCar(car),
    setHeatW: (heatW) => home.setHeatW(heatW),
    carSupply: () => {
      const box = home.chargerBox();
      return { isChargingEnabled: isBoxOffering(box), maxCurrent: box.limitMa / 1_000, phases: box.phases };
    },
    pause: () => life.pause(),
    resume: () => life.resume(),
    setFaults: (device, faults) => twins[device].setFaults(faults),
    restart: (device, bootMs) => twins[device].restart(bootMs),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function createModel(options: SandboxOptions, ports: SandboxPorts): HomeModel {
  const { clock, random, homeFile, spec = SANDBOX_SPEC, startMs = clock.nowMs(), hasCar = true } = options;
  const seed = Math.floor(random.next() * 0x1_0000_0000);
  const hasSecondCar = hasCar && ports["second-charger"] !== undefined;
  const base = { spec, seed, startMs, hasCar, hasSecondCar, areChargersOff: options.areChargersOff ?? false };
  if (homeFile === undefined) return createHomeModel(base);
  return createHomeModel({ ...base, profile: parseHomeProfile(homeFile, standardTimeOffsetMs(spec.place)) });
}

function createTwins(
  clock: Pick<Clock, "monotonicMs">,
  home: HomeModel,
): Readonly<Record<SandboxDeviceId, FaultyTwin>> {
  return {
    inverter: withFaults(clock, createInverterTwin(home), () => home.setInverterControls(NORMAL_CONTROLS)),
    meter: withFaults(
      clock,
      createMeterTwin(() => home.truth()),
      () => {},
    ),
    charger: withFaults(clock, createChargerTwin(home), () => {
      const { sessionWh } = home.chargerBox();
      home.setChargerBox({ ...FACTORY_BOX, sessionWh });
    }),
    "second-charger": withFaults(clock, createSecondChargerTwin(home), () => {
      const { sessionWh } = home.secondBox();
      home.setSecondBox({ ...FACTORY_SECOND_BOX, sessionWh });
    }),
    heater: withFaults(clock, createHeaterTwin(home), () => home.setHeaterTank({ ...home.heaterTank(), orderedW: 0 })),
  };
}

const DEVICES: readonly Omit<SandboxDevice, "host" | "port" | "adapter">[] = [
  { id: "inverter", name: "Solar inverter with battery", unit: 1, profile: "sunspec", confirmUnverified: true },
  { id: "meter", name: "Grid meter", unit: 1, profile: "eastron-sdm630" },
  { id: "charger", name: "Car charger", unit: CHARGER_UNIT, profile: "keba-p30", settings: { phaseSwitch: 1 } },
  { id: "second-charger", name: "Second car charger", unit: SECOND_CHARGER_UNIT, profile: "heidelberg-ec" },
  { id: "heater", name: "Heating rod", unit: HEATER_UNIT, profile: "my-pv-ac-thor" },
];

function devicesAt(hosts: NonNullable<SandboxOptions["hosts"]>, ports: SandboxPorts): readonly SandboxDevice[] {
  return DEVICES.flatMap((device) => {
    const port = ports[device.id];
    return port === undefined ? [] : [{ ...device, adapter: "modbus", host: hosts[device.id] ?? LOOPBACK, port }];
  });
}

/** Moves the house along with the clock, by the time that really passed. */
function keepAlive(
  clock: Pick<Clock, "monotonicMs" | "timer">,
  home: HomeModel,
  tickMs: number,
): Disposable & { pause(): void; resume(): void } {
  let seenMs = clock.monotonicMs();
  let isPaused = false;
  const tick = (): void => {
    const nowMs = clock.monotonicMs();
    if (!isPaused) home.step(nowMs - seenMs);
    seenMs = nowMs;
    timer = clock.timer(tickMs, tick);
  };
  let timer = clock.timer(tickMs, tick);
  return {
    pause() {
      if (isPaused) return;
      home.step(clock.monotonicMs() - seenMs);
      seenMs = clock.monotonicMs();
      isPaused = true;
    },
    resume() {
      if (!isPaused) return;
      seenMs = clock.monotonicMs();
      isPaused = false;
    },
    [Symbol.dispose]: () => timer[Symbol.dispose](),
  };
}
