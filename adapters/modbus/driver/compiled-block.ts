import type { DerivedPoint, PointName, Reading, RegisterPoint } from "hemgate/sdk";
import { isPointName } from "../profile/point-name.ts";
import type { Block } from "./block-plan.ts";
import { type Decoder, decoder, scaleTens } from "./decode.ts";
import type { DeviceMap } from "./device-map.ts";
import type { ValueTable } from "./value-table.ts";

const UNSCALED = -1;

/** One value of a block with all that is worked out once. */
interface Step {
  /** Index of its first register in the block. */
  readonly at: number;
  readonly decode: Decoder;
  /** Where its value goes. */
  readonly place: number;
  /** Where its power of ten stands; `UNSCALED` for none, null when no register of the map holds it. */
  readonly scalePlace: typeof UNSCALED | number | null;
  /** Null for a value that only derived points use. */
  readonly name: PointName | null;
}

/** How a block becomes values and readings. Made once a plan, and run for each poll. */
export interface CompiledBlock {
  /** Powers of ten, which are decoded before what scales with them, in whatever block that is. */
  readonly scales: readonly Step[];
  readonly others: readonly Step[];
  /** The derived points that use at least one of its values. */
  readonly derived: readonly DerivedPoint[];
}

type Point = RegisterPoint<string>;

/** Compiles the blocks of one device map; what a point needs is worked out once for all blocks that it is ever in. */
export class BlockCompiler {
  readonly #values: ValueTable;
  readonly #derived: DeviceMap["derived"];
  readonly #scales: ReadonlySet<string>;
  readonly #decoders: ReadonlyMap<Point, Decoder>;
  readonly #compiled = new WeakMap<Block, CompiledBlock>();

  constructor({ registers, derived }: Pick<DeviceMap, "registers" | "derived">, values: ValueTable) {
    this.#values = values;
    this.#derived = derived;
    this.#scales = new Set(registers.flatMap((point) => point.scaleFrom ?? []));
    this.#decoders = new Map(registers.map((point) => [point, decoder(point)]));
  }

  of(block: Block): CompiledBlock {
    const known = this.#compiled.get(block);
    if (known !== undefined) return known;
    const isScale = ({ key }: Point): boolean => this.#scales.has(key);
    const compiled = {
      scales: block.points.filter(isScale).map((point) => this.#step(point, block.address)),
      others: block.points.filter((point) => !isScale(point)).map((point) => this.#step(point, block.address)),
      derived: this.derivedOf(block.points),
    };
    this.#compiled.set(block, compiled);
    return compiled;
  }

  /** The derived points that use at least one of the points. */
  derivedOf(points: readonly Point[]): readonly DerivedPoint[] {
    return this.#derived.filter(({ from }) => points.some(({ key }) => from.includes(key)));
  }

  #step(point: Point, blockAddress: number): Step {
    const { key, address, scaleFrom } = point;
    const place = this.#values.placeOf(key);
    if (place === null) throw new Error(`${key} is no key of this device map`);
    return {
      at: address - blockAddress,
      decode: this.#decoders.get(point) ?? decoder(point),
      place,
      scalePlace: scaleFrom === undefined ? UNSCALED : this.#values.placeOf(scaleFrom),
      name: isPointName(key) ? key : null,
    };
  }
}

/** Takes the values of a block over and makes readings of those that are points. */
export function runSteps(
  steps: readonly Step[],
  registers: Uint16Array,
  values: ValueTable,
  readings: Reading[],
): void {
  for (const { at, decode, place, scalePlace, name } of steps) {
    const tens = scalePlace === UNSCALED ? 0 : scalePlace === null ? null : scaleTens(values.at(scalePlace));
    const value = tens === null ? null : decode(registers, at, tens);
    values.put(place, value);
    // The map guarantees that the point's registers yield the point's type.
    if (name !== null) readings.push({ point: name, value } as Reading);
  }
}
