import type { Control, ControlPoint, PointValue } from "hemgate/sdk";
import type { Command, Intake } from "../kit/bridge.ts";
import { at, type Json, jsonOf } from "../kit/payload.ts";

/** A value of a service on the GX's bus, by the last part of its topic. */
export interface GxPath {
  readonly service: string;
  readonly path: string;
}

/** What a notification said. */
export interface GxNotice extends GxPath {
  readonly instance: number;
  /** Null: not valid at this moment, or (`isGone`) its device left the bus. */
  readonly value: Json;
  readonly isGone: boolean;
}

/** What of a GX is one device here: the system, or one component of it. */
export interface GxPart {
  readonly paths: readonly GxPath[];
  take(notice: GxNotice, intake: Intake): void;
  /** The GX has published all that it has. */
  complete(intake: Intake): void;
  missing(): string | null;
  controls(): readonly Control[];
  command(point: ControlPoint, value: PointValue): Command;
}

/** The value in a notification's payload; lists without an entry are how the bus says that there is none. */
export function valueIn(text: string): Json {
  const value = at(jsonOf(text), "value") ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}

export function numberIn({ value }: Pick<GxNotice, "value">): number | null {
  return typeof value === "number" ? value : null;
}

export function textIn({ value }: Pick<GxNotice, "value">): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
