/** Events of the grid: times in which the house draws or feeds less, or takes more (rule S11.7). */
import { z } from "zod";
import { DAY_MS } from "../../duration.ts";
import { Instant, instant } from "../../fields.ts";
import type { EnergyDeviceState } from "../energy-state.ts";

const MAX_KW = 10_000;
/** Longest event, and how far ahead it may begin. */
const LONGEST_MS = 31 * DAY_MS;
const AHEAD_MS = 366 * DAY_MS;
const W_PER_KW = 1_000;

const Kind = z.enum(["LIMIT_IMPORT", "LIMIT_EXPORT", "SHED", "ABSORB"]).meta({
  description:
    "`LIMIT_IMPORT`: the house imports at most `limitKw`. `LIMIT_EXPORT`: it feeds in at most that. `SHED`: chargers, heat pumps, cooling and batteries together import at most that, by default nothing. `ABSORB`: batteries charge from the grid, and vehicles in mode PLANNED charge now, each with at most `limitKw`; a battery whose power cannot be set takes no part then, and a vehicle takes its lowest current at least.",
});
const State = z.enum(["SCHEDULED", "ACTIVE", "COMPLETED", "CANCELLED"]);

const FIELDS = {
  locationId: z.string().nullable().meta({
    description: "Location that it is about; `null` for the connection of the gateway, wherever that is.",
  }),
  start: Instant,
  end: Instant,
  kind: Kind,
  limitKw: z.number().min(0).max(MAX_KW).nullable().default(null).meta({
    description: "kW. LIMIT_IMPORT and LIMIT_EXPORT need it; `null` is 0 for SHED, and no limit for ABSORB.",
  }),
  price: z.number().nullable().default(null).meta({
    description: "Price that the event has, per kWh in the currency of the gateway; it is kept and shown only.",
  }),
  priority: z.int().min(0).max(100).default(0).meta({
    description:
      "Of several ABSORB events at a time, that with the lowest number counts. Of limits the lowest applies.",
  }),
} as const;

export const NewFlexEvent = z.strictObject(FIELDS).meta({ id: "NewFlexEvent" });
export type NewFlexEvent = z.infer<typeof NewFlexEvent>;

const Participant = z.object({
  assetId: z.uuid(),
  assetType: z.enum(["battery", "charger", "hvac", "inverter", "vehicle"]),
  state: z.enum([...State.options, "UNAVAILABLE"]).meta({
    description: "The state of the event; `UNAVAILABLE` for a device that takes no command.",
  }),
});

export const FlexEvent = z
  .object({
    id: z.uuid(),
    createdAt: Instant,
    state: State.meta({ description: "`COMPLETED` when its end has passed; `CANCELLED` if it was taken back before." }),
    ...FIELDS,
    participants: z.array(Participant).meta({
      description: "Devices that the energy manager controls for it; of an event that is over those at its end.",
    }),
  })
  .meta({ id: "FlexEvent" });
export type FlexEvent = z.infer<typeof FlexEvent>;

/** An event as it is stored; the key is its id. Times are wall-clock ms. */
export interface FlexEventRecord {
  readonly id: string;
  readonly createdAtMs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly state: z.infer<typeof State>;
  readonly locationId: string | null;
  readonly kind: z.infer<typeof Kind>;
  readonly limitKw: number | null;
  readonly price: number | null;
  readonly priority: number;
  /** `null` until it is over. */
  readonly participants: FlexEvent["participants"] | null;
}

/** Returns why an event cannot be, as a sentence with its field; `null` if it can. */
export function flexEventFault(event: NewFlexEvent, nowMs: number): { field: keyof NewFlexEvent; text: string } | null {
  const [startMs, endMs] = [Date.parse(event.start), Date.parse(event.end)];
  if (endMs <= startMs) return { field: "end", text: "The event ends before it starts; send an `end` after `start`." };
  if (endMs <= nowMs) return { field: "end", text: `The event is over: ${event.end} is in the past.` };
  if (endMs - startMs > LONGEST_MS) return { field: "end", text: "An event lasts 31 days at most." };
  if (startMs > nowMs + AHEAD_MS) return { field: "start", text: "An event begins within a year." };
  const needsLimit = event.kind === "LIMIT_IMPORT" || event.kind === "LIMIT_EXPORT";
  return needsLimit && event.limitKw === null
    ? { field: "limitKw", text: `${event.kind} needs \`limitKw\`, the highest power in kW.` }
    : null;
}

/** What an event limits; `null` for one that limits nothing. */
export function limitOfEvent({ kind, limitKw }: Pick<FlexEventRecord, "kind" | "limitKw">): {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly watts: number;
} | null {
  const watts = (limitKw ?? 0) * W_PER_KW;
  switch (kind) {
    case "LIMIT_IMPORT":
      return { direction: "import", scope: "connection", watts };
    case "LIMIT_EXPORT":
      return { direction: "export", scope: "connection", watts };
    case "SHED":
      return { direction: "import", scope: "controllable", watts };
    case "ABSORB":
      return null;
    default:
      return kind satisfies never;
  }
}

/** The devices that take part in an event of a kind. */
export function participantsOf(
  { kind, state }: Pick<FlexEventRecord, "kind" | "state">,
  devices: readonly EnergyDeviceState[],
): FlexEvent["participants"] {
  const isFor = ({ deviceType }: EnergyDeviceState): boolean =>
    (deviceType === "inverter") === (kind === "LIMIT_EXPORT");
  return devices.filter(isFor).map(({ id, deviceType, isControlled }) => ({
    assetId: id,
    assetType: deviceType,
    state: isControlled ? state : "UNAVAILABLE",
  }));
}

export function flexEventView(record: FlexEventRecord, devices: readonly EnergyDeviceState[]): FlexEvent {
  const { createdAtMs, startMs, endMs, participants, ...rest } = record;
  return {
    ...rest,
    createdAt: instant(createdAtMs),
    start: instant(startMs),
    end: instant(endMs),
    participants: participants ?? participantsOf(record, devices),
  };
}
