/** Register images written by hand: offsets are SunSpec's own, counted from a model's ID register. */
import type { ModbusImage } from "hemgate/testing";

export interface ModelImage {
  readonly id: number;
  /** L; the body is that long whatever the words say. */
  readonly length: number;
  /** Words by offset; a longer list goes on behind it. */
  readonly words?: Readonly<Record<number, number | readonly number[]>>;
  /** What stands where nothing is said. */
  readonly fill?: number;
}

/** A chain from its marker to its end mark, as registers by address. */
export function chain(base: number, models: readonly ModelImage[], end: readonly number[] = [0xffff, 0]) {
  const registers = new Map<number, number>();
  put(registers, base, [0x5375, 0x6e53]);
  let at = base + 2;
  for (const model of models) {
    put(registers, at, [model.id, model.length, ...Array<number>(model.length).fill(model.fill ?? 0)]);
    for (const [offset, word] of Object.entries(model.words ?? {})) {
      put(registers, at + Number(offset), typeof word === "number" ? [word] : word);
    }
    at += 2 + model.length;
  }
  put(registers, at, end);
  return registers;
}

export function put(registers: Map<number, number>, address: number, words: readonly number[]): void {
  for (const [index, word] of words.entries()) registers.set(address + index, word & 0xffff);
}

/** Text as SunSpec keeps it: two characters a register, zeros behind. */
export function text(value: string, words: number): number[] {
  return Array.from({ length: words }, (_, index) => {
    const high = value.charCodeAt(2 * index) || 0;
    const low = value.charCodeAt(2 * index + 1) || 0;
    return high * 256 + low;
  });
}

export function u32(value: number): number[] {
  return [Math.floor(value / 65_536), value % 65_536];
}

export function common(manufacturer: string, model = "M1", serial = "S1"): ModelImage {
  return {
    id: 1,
    length: 66,
    words: { 2: text(manufacturer, 16), 18: text(model, 16), 42: text("1.2.3", 8), 50: text(serial, 16) },
  };
}

/** Model 103 that gives 2,345 W (2345 at 0) and 12,345.6 kWh. */
export function inverter103(words: ModelImage["words"] = {}): ModelImage {
  return { id: 103, length: 50, fill: 0x8000, words: { 14: 2345, 15: 0, 24: u32(12_345_600), 26: 0, ...words } };
}

/** Model 124 of a 5 kW battery in self-reliance: 64.5 %, reserve 7 %, holding; percentages in hundredths. */
export function storage124(words: ModelImage["words"] = {}): ModelImage {
  return {
    id: 124,
    length: 24,
    words: {
      2: [5000, 100, 100],
      5: [0, 0xffff, 700, 6450, 0xffff, 0xffff, 6],
      12: [10_000, 10_000, 0xffff, 0, 0xffff, 0],
      18: [0, 0, 0x8000, -2, -2, 0x8000, 0x8000, -2],
      ...words,
    },
  };
}

/** Model 123 without a limit; percentages in hundredths. */
export function controls123(words: ModelImage["words"] = {}): ModelImage {
  return { id: 123, length: 24, words: { 5: [10_000, 0, 0, 0, 0], 23: [-2, -2, -2], ...words } };
}

export interface ModuleImage {
  readonly label: string;
  readonly watts: number;
  readonly wattHours: number;
}

/** Model 160 with powers in tenths of a watt. */
export function mppt160(modules: readonly ModuleImage[]): ModelImage {
  const words: Record<number, number | readonly number[]> = { 2: [-2, -1, -1, 0], 8: [modules.length, 0xffff] };
  for (const [index, { label, watts, wattHours }] of modules.entries()) {
    const start = 10 + 20 * index;
    words[start] = [index + 1, ...text(label, 8), 0xffff, 0xffff, watts, ...u32(wattHours), 0, 0, 0x8000, 4, 0, 0];
  }
  return { id: 160, length: 8 + 20 * modules.length, words };
}

/** What a server answers for a chain: holding registers alone, and nothing is written. */
export function imageOf(registers: ReadonlyMap<number, number>): ModbusImage {
  const refused = () => ({ kind: "exception", code: 2 }) as const;
  const readHolding: ModbusImage["readHolding"] = (_unit, address, count) => {
    const words = Array.from({ length: count }, (_unused, index) => registers.get(address + index));
    const known = words.filter((word) => word !== undefined);
    return known.length === count ? { kind: "values", values: known } : refused();
  };
  return { readHolding, readInput: refused, writeHolding: refused };
}
