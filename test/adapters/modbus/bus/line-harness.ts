/** Devices on serial lines, behind hosts that pass frames on, and behind datagrams, in a world with virtual time. */
import {
  MemoryDisk,
  type ModbusImage,
  type ModbusLineOptions,
  type ModbusReply,
  modbusLine,
  World,
} from "hemgate/testing";
import type { LineAddress } from "../../../../adapters/modbus/bus/line-address.ts";
import type { BusUnit } from "../../../../adapters/modbus/bus/modbus-bus.ts";
import { ModbusBus } from "../../../../adapters/modbus/bus/modbus-bus.ts";

export const LINE = {
  path: "/dev/ttyUSB0",
  baudRate: 9_600,
  dataBits: 8,
  parity: "none",
  stopBits: 1,
} as const;
export const HOST = { host: "192.168.1.40", port: 502 } as const;

/** Each register holds its address plus 100 times the unit; what it is asked stands in `asked`. */
export class CountingImage implements ModbusImage {
  readonly asked: string[] = [];
  /** Decides about an answer instead: null leaves it as it is. */
  behave: (unit: number, address: number, count: number, index: number) => ModbusReply | null = () => null;

  readHolding(unit: number, address: number, count: number): ModbusReply {
    const index = this.asked.push(`${unit} ${address}+${count}`) - 1;
    const values = Array.from({ length: count }, (_unused, at) => 100 * unit + address + at);
    return this.behave(unit, address, count, index) ?? { kind: "values", values };
  }

  readInput(unit: number, address: number, count: number): ModbusReply {
    return this.readHolding(unit, address, count);
  }

  readCoils(unit: number, address: number, count: number): ModbusReply {
    this.asked.push(`${unit} coils ${address}+${count}`);
    return { kind: "values", values: Array.from({ length: count }, (_unused, at) => (address + at) % 2) };
  }

  readDiscrete(unit: number, address: number, count: number): ModbusReply {
    return this.readCoils(unit, address, count);
  }

  writeCoil(unit: number, address: number, isOn: boolean): ModbusReply {
    this.asked.push(`${unit} coil ${address} ${isOn ? "on" : "off"}`);
    return { kind: "values", values: [] };
  }

  writeHolding(unit: number, address: number, values: readonly number[]): ModbusReply {
    this.asked.push(`${unit} ${address} = ${values.join()}`);
    return { kind: "values", values: [] };
  }
}

export function lineBed(kind: LineAddress["kind"], more: Partial<ModbusLineOptions> = {}) {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", new MemoryDisk());
  const image = new CountingImage();
  const framing = kind === "ascii" ? "ascii" : "rtu";
  const serve = modbusLine(world.clock, image, { framing, ...more });
  const isSerial = kind === "rtu" || kind === "ascii";
  const port = isSerial ? world.serial.plug(LINE.path, serve) : null;
  const { random, ...ports } = process.platform;
  const address: LineAddress = isSerial ? { kind, ...LINE } : { kind, ...HOST };
  const bus = new ModbusBus({ ...ports, random }, address);
  return {
    world,
    process,
    image,
    port,
    bus,
    serve,
    /** What a read brings; the clock moves on until it is there. */
    async read(unit: BusUnit, at: number, count = 1): Promise<readonly number[]> {
      const reading = unit.read("holding", at, count, new AbortController().signal);
      return [...(await world.clock.resolve(reading, 60_000))];
    },
  };
}

export const PACING = { minGapMs: 0, inFlight: 1 } as const;
