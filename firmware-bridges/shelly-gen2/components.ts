import type { Intake } from "../kit/bridge.ts";
import { at, entriesOf, type Json } from "../kit/payload.ts";
import { type Measured, PHASES, type Quantity } from "../kit/role.ts";

/** A field of a component and what it measures, in the unit of points. */
type Fields = Readonly<Record<string, Quantity>>;

const LETTERS = ["a", "b", "c"] as const;

/** Three phases in one component. */
const EM: Fields = {
  total_act_power: "power",
  a_freq: "frequency",
  ...byPhase("act_power", "power"),
  ...byPhase("voltage", "voltage"),
  ...byPhase("current", "current"),
};
const EM_DATA: Fields = { total_act: "energyForward", total_act_ret: "energyReverse" };
const EM1: Fields = { act_power: "power", voltage: "voltage.l1", current: "current.l1", freq: "frequency" };
const EM1_DATA: Fields = { total_act_energy: "energyForward", total_act_ret_energy: "energyReverse" };
/** A relay or meter that measures by itself. */
const SWITCH: Fields = { apower: "power", voltage: "voltage.l1", current: "current.l1", freq: "frequency" };

/** What measures, the best first: a meter with a relay added is a meter. */
const KINDS = ["em", "em1", "pm1", "switch"] as const;
export type Kind = (typeof KINDS)[number];

/** Components that a device has, by kind. */
export function kindsIn(status: Json, channel: number): readonly Kind[] {
  return KINDS.filter((kind) => at(status, `${kind}:${channel}`) !== undefined);
}

/** The numbers of the components that measure or switch, of which each is a separate device. */
export function channelsIn(components: readonly string[]): readonly number[] {
  return components.flatMap((name) => {
    const [, kind, channel] = /^([a-z0-9]+):(\d{1,3})$/.exec(name) ?? [];
    return KINDS.some((each) => each === kind) ? [Number(channel)] : [];
  });
}

/** Of two kinds the one to read. */
export function better(one: Kind | null, other: Kind): Kind {
  return one !== null && KINDS.indexOf(one) <= KINDS.indexOf(other) ? one : other;
}

/** Takes the fields that one component tells; a part of them is enough. */
export function tellComponent(kind: string, component: Json, measured: Measured, intake: Intake): void {
  const fields: Readonly<Record<string, Fields>> = {
    em: EM,
    emdata: EM_DATA,
    em1: EM1,
    em1data: EM1_DATA,
    pm1: SWITCH,
    switch: SWITCH,
  };
  for (const [key, quantity] of Object.entries(fields[kind] ?? {})) {
    measured.tell(intake, quantity, at(component, key));
  }
  if (kind !== "pm1" && kind !== "switch") return;
  const total = at(component, "aenergy", "total");
  const returned = at(component, "ret_aenergy", "total");
  measured.tell(intake, "energyReverse", returned);
  // `aenergy` counts both directions. A part of a status may have it alone; only a whole one says that there is no other.
  if (typeof total === "number" && typeof returned === "number") {
    measured.tell(intake, "energyForward", total - returned);
  } else if (returned === undefined && at(component, "voltage") !== undefined) {
    measured.tell(intake, "energyForward", total);
  }
}

/** Components by name as `em:0`, with kind and index. */
export function componentsOf(status: Json): readonly { kind: string; index: number; component: Json }[] {
  return entriesOf(status).flatMap(([name, component]) => {
    const [, kind, index] = /^([a-z0-9]+):(\d{1,3})$/.exec(name) ?? [];
    return kind === undefined || index === undefined ? [] : [{ kind, index: Number(index), component }];
  });
}

function byPhase(field: string, quantity: "power" | "voltage" | "current"): Fields {
  return Object.fromEntries(
    PHASES.map((phase, index) => [`${LETTERS[index]}_${field}`, `${quantity}.${phase}` as const]),
  );
}
