import type { PointName, RegisterPoint } from "hemgate/sdk";
import { isPointName } from "../profile/point-name.ts";
import { type Decoder, decoder } from "./decode.ts";

/** A point with what is worked out once. */
export interface CompiledPoint {
  readonly decode: Decoder;
  /** Null for a value that only derived points use. */
  readonly name: PointName | null;
  /** Other points scale with it, so that it is decoded before them. */
  readonly isScale: boolean;
}

export function compile(point: RegisterPoint<string>, scales: ReadonlySet<string>): CompiledPoint {
  const name = isPointName(point.key) ? point.key : null;
  return { decode: decoder(point), name, isScale: scales.has(point.key) };
}
