import type { PollClass, ProfilePoint, RegisterType } from "hemgate/sdk";

type Extras = Partial<Omit<ProfilePoint, "key" | "address" | "type" | "poll">>;

/** A line of a register list; what differs from the list's other lines comes last. */
export type PointRow = readonly [
  key: ProfilePoint["key"],
  address: number,
  type: RegisterType,
  poll: PollClass,
  extras?: Extras,
];

/** The points of a register list whose lines have the table, the source and perhaps the word order in common. */
export function pointRows(
  common: Pick<ProfilePoint, "table" | "confidence" | "source"> & Extras,
  rows: readonly PointRow[],
): readonly ProfilePoint[] {
  return rows.map(([key, address, type, poll, extras]) => ({ ...common, key, address, type, poll, ...extras }));
}

const PHASES = ["l1", "l2", "l3"] as const;

/** A row for each phase, at addresses that are a step apart. */
export function phaseRows(
  quantity: "meter.voltage" | "meter.current" | "meter.power" | "charger.voltage" | "charger.current",
  [address, step]: readonly [address: number, step: number],
  type: RegisterType,
  poll: PollClass,
  extras: Extras = {},
): readonly PointRow[] {
  return PHASES.map((phase, index) => [`${quantity}.${phase}`, address + index * step, type, poll, extras]);
}
