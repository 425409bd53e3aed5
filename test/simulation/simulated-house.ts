import type { HomeTruth } from "../../adapters/simulated/home-truth.ts";
import { type SandboxDevice, type SandboxDeviceId, startSandboxHome } from "../../adapters/simulated/sandbox-home.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { type ModbusImage, serveModbus } from "../../src/testing/modbus-server.ts";
import type { World } from "../../src/testing/world.ts";
import type { ReceivedWrite } from "../long-run/invariants/wanted-writes.ts";

const HOSTS = { inverter: "inverter.lan", meter: "meter.lan", charger: "charger.lan" } as const;
const PORTS = { inverter: 5020, meter: 5021, charger: 5022 } as const;
const DEVICE_OF_PORT: ReadonlyMap<number, SandboxDeviceId> = new Map(
  (["inverter", "meter", "charger"] as const).map((device) => [PORTS[device], device]),
);
/** What a value that is shown may stem from: the slowest device's poll, its answer, and the house's own second. */
const RECENT_MS = 12_000;
const SAMPLE_MS = 1_000;
/** SunSpec: the map begins here, after the two registers of its mark. */
const CHAIN_AT = 40_002;
const MAX_MODELS = 40;
const STORAGE_MODEL = 124;
/** `StorCtl_Mod` in model 124, counted from the model's id. */
const STORAGE_MODE_AT = 5;

/** Changes a device on its way into the world; tests make devices worse with it. */
export type WrapImage = (device: SandboxDeviceId, image: ModbusImage) => ModbusImage;

/** The sandbox home in a simulated world. */
export interface SimulatedHouse {
  readonly devices: readonly SandboxDevice[];
  /** The truth of the last seconds, oldest first. */
  recently(): readonly HomeTruth[];
  /** Whether somebody holds the battery away from what it does by itself. */
  isBatteryForced(): boolean;
  restart(device: SandboxDeviceId, bootMs: number): void;
  hostOf(device: SandboxDeviceId): string;
}

export async function startHouse(
  world: World,
  { onWrite, wrapImage }: { readonly onWrite: (write: ReceivedWrite) => void; readonly wrapImage?: WrapImage },
): Promise<SimulatedHouse> {
  const images = new Map<SandboxDeviceId, ModbusImage>();
  const { platform } = world.boot("house", new MemoryDisk());
  const home = await startSandboxHome({
    clock: platform.clock,
    random: world.random.fork("house"),
    hosts: HOSTS,
    ports: PORTS,
    serve: async (image, address) => {
      const device = DEVICE_OF_PORT.get(address.port) ?? "inverter";
      images.set(device, image);
      const shown = wrapImage?.(device, image) ?? image;
      return await serveModbus(platform, observed(world, device, shown, onWrite), address);
    },
  });
  const truths: HomeTruth[] = [home.truth()];
  const sample = (): void => {
    truths.push(home.truth());
    if (truths.length > RECENT_MS / SAMPLE_MS) truths.shift();
    platform.clock.timer(SAMPLE_MS, sample);
  };
  platform.clock.timer(SAMPLE_MS, sample);
  const inverter = images.get("inverter");
  return {
    devices: home.devices,
    recently: () => truths,
    isBatteryForced: () => inverter !== undefined && storageMode(inverter) !== 0,
    restart: (device, bootMs) => home.restart(device, bootMs),
    hostOf: (device) => `${device}.lan`,
  };
}

/** Notes each write that a device receives, before the device sees it. */
function observed(
  world: World,
  device: SandboxDeviceId,
  image: ModbusImage,
  onWrite: (write: ReceivedWrite) => void,
): ModbusImage {
  return {
    readHolding: (unit, address, count) => image.readHolding(unit, address, count),
    readInput: (unit, address, count) => image.readInput(unit, address, count),
    writeHolding(unit, address, values, code) {
      world.events.add("write", { device, address, values });
      onWrite({ deviceId: device, atMs: world.clock.monotonicMs(), address, values });
      return image.writeHolding(unit, address, values, code);
    },
  };
}

/** `StorCtl_Mod`, found by walking the device's own chain of models. Null while the device does not answer. */
function storageMode(image: ModbusImage): number | null {
  let at = CHAIN_AT;
  for (let models = 0; models < MAX_MODELS; models += 1) {
    const header = image.readHolding(1, at, 2);
    if (header.kind !== "values") return null;
    const [id, length = 0] = header.values;
    if (id === STORAGE_MODEL) {
      const mode = image.readHolding(1, at + STORAGE_MODE_AT, 1);
      return mode.kind === "values" ? (mode.values[0] ?? null) : null;
    }
    at += length + 2;
  }
  return null;
}
