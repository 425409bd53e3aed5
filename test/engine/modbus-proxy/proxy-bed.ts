/** The proxy in front of a device that notes what it is asked. */
import type { RegisterException, RegisterRange, RegisterWrite } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { ModbusProxyConfig } from "../../../src/config/modbus-proxy-config.ts";
import type { AuditedDeed } from "../../../src/domain/people/audit.ts";
import { openModbusProxy } from "../../../src/engine/modbus-proxy/open-modbus-proxy.ts";
import type { SharedDevice } from "../../../src/engine/modbus-proxy/shared-device.ts";
import type { ControlPoint } from "../../../src/points/points.ts";
import { connectProgram, type Program } from "./proxy-client.ts";

export const EVCC = "192.168.1.30";
export const MAKER = "192.168.1.31";

/** Registers that hold their address plus 1000; what is asked of the device stands in `asked`. */
class FakeDevice implements SharedDevice {
  readonly asked: string[] = [];
  readonly name = null;
  isReachable = true;
  isOff = false;
  commanded: ControlPoint | null = null;
  hints = 0;
  /** What was polled just now, by address. */
  polled = { address: 0, count: 0, ageMs: 0 };
  fault: unknown = null;
  /** Called while a write waits for its turn. */
  meanwhile: () => void = () => undefined;
  delayMs = 0;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  hint(): void {
    this.hints += 1;
  }

  get registers(): SharedDevice["registers"] {
    if (this.isOff) return null;
    return {
      recent: ({ address, count }: RegisterRange, maxAgeMs: number) => {
        const { polled } = this;
        const isCovered = polled.address <= address && address + count <= polled.address + polled.count;
        return isCovered && polled.ageMs <= maxAgeMs ? valuesOf(address, count) : null;
      },
      read: async ({ table, address, count }: RegisterRange, signal: AbortSignal) => {
        this.asked.push(`${table} ${address}+${count}`);
        if (this.delayMs > 0) await this.#world.clock.sleep(this.delayMs, signal);
        if (this.fault !== null) throw this.fault;
        return table === "coil" || table === "discrete"
          ? valuesOf(address, count).map((value) => value & 1)
          : valuesOf(address, count);
      },
      write: async ({ code, address, values, reads }: RegisterWrite, refusal: () => RegisterException | null) => {
        this.meanwhile();
        const refused = refusal();
        if (refused !== null) throw refused;
        if (this.fault !== null) throw this.fault;
        this.asked.push(`${code}: ${address} = ${values.join(" ")}`);
        return reads === undefined ? new Uint16Array(0) : valuesOf(reads.address, reads.count);
      },
    };
  }
}

function valuesOf(address: number, count: number): Uint16Array {
  return Uint16Array.from({ length: count }, (_unused, index) => 1_000 + address + index);
}

export async function open(section: Partial<Parameters<typeof ModbusProxyConfig.parse>[0] & object> = {}) {
  const world = new World({ seed: 1 });
  const { platform } = world.boot("gateway", new MemoryDisk());
  const device = new FakeDevice(world);
  const deeds: AuditedDeed[] = [];
  const modbusProxy = ModbusProxyConfig.parse({
    hosts: ["192.168.1.2"],
    devices: [{ device: "inverter", unit: 3 }],
    clients: [{ address: "192.168.1.0/24" }, { address: EVCC, name: "evcc", mayWrite: ["inverter"] }],
    ...section,
  });
  const engine = {
    sharedDevice: (id: string) => (id === "inverter" ? device : null),
    services: { audit: { note: (deed: AuditedDeed) => void deeds.push(deed) } },
  };
  const proxy = await openModbusProxy({ ...platform, config: { modbusProxy }, engine });
  const connect = (from = EVCC): Promise<Program> =>
    connectProgram(world.net.host(from), world.clock, { host: "192.168.1.2", port: 1502 });
  return { world, device, deeds, proxy: proxy!, connect };
}
