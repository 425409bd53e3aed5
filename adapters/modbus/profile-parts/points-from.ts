import type { PollClass, ProfilePoint } from "hemgate/sdk";

type Shared = Omit<ProfilePoint, "key" | "address" | "poll">;

/** Key, address, how often it is read, and what differs from the others. */
export type PointRow = readonly [
  key: ProfilePoint["key"],
  address: number,
  poll: PollClass,
  differs?: Partial<Omit<ProfilePoint, "key" | "address" | "poll">>,
];

/** Points that have most in common. */
export function pointsFrom(shared: Shared, rows: readonly PointRow[]): readonly ProfilePoint[] {
  return rows.map(([key, address, poll, differs]) => ({ key, ...shared, address, poll, ...differs }));
}

const PHASES = ["l1", "l2", "l3"] as const;

/** One row a phase, at addresses that are a step apart. */
export function phaseRows(
  quantity: "meter.voltage" | "meter.current" | "meter.power" | "charger.voltage" | "charger.current",
  [address, step]: readonly [address: number, step: number],
  poll: PollClass,
  differs: PointRow[3] = {},
): readonly PointRow[] {
  return PHASES.map((phase, index) => {
    const key = `${quantity}.${phase}` as ProfilePoint["key"];
    return [key, address + index * step, poll, differs] as const;
  });
}
