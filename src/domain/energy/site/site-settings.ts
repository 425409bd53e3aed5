/** The settings of the connection to the grid, as the configuration and the API have them. */
import { z } from "zod";
import { METER_USES, Phase } from "./site-connection.ts";

const MAX_CIRCUITS = 50;
const MAX_MEMBERS = 100;
const MAX_KW = 10_000;
const MAX_FUSE_A = 2_000;

const DeviceId = z.string().min(1).max(100);
const CircuitId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
  .meta({ description: "Id of the circuit: lower-case letters, digits and dashes." });
const FuseA = z.number().min(1).max(MAX_FUSE_A);
const Kw = z.number().min(0.1).max(MAX_KW);
const Phases = z.array(Phase).min(1).max(3);

export const CircuitSettings = z.strictObject({
  id: CircuitId,
  name: z.string().min(1).max(255).optional().meta({ description: "Name shown to people; default the id." }),
  parent: z.string().min(1).max(63).optional().meta({
    description: "Id of the circuit that this one is behind; default the main fuse.",
  }),
  fuseA: FuseA.optional().meta({ description: "Fuse of the circuit, A per phase." }),
  maxKw: Kw.optional().meta({ description: "Highest import of the circuit, kW." }),
  meter: DeviceId.optional().meta({
    description: "Device whose meter measures the circuit; without one the readings of the members are added up.",
  }),
  members: z
    .array(DeviceId)
    .max(MAX_MEMBERS)
    .optional()
    .meta({ description: "Ids of the devices behind this fuse. A device is in one circuit only." }),
});
export type CircuitSettings = z.infer<typeof CircuitSettings>;

const UnmeteredSettings = z.strictObject({
  name: z.string().min(1).max(255).meta({ description: "What it is, such as a sauna." }),
  circuit: z.string().min(1).max(63).optional().meta({
    description: "Id of the circuit that it is in; default directly behind the main fuse.",
  }),
  phases: Phases.optional().meta({ description: "The phases that it is connected to; default all." }),
  maxA: FuseA.meta({
    description:
      "Highest current, A per phase. It is kept free where no meter counts it: in a circuit without a meter, or whose meter is silent.",
  }),
});

/** The presets of the feed-in limit, as shares of the panels' peak power. */
export const FEED_IN_PRESETS = { "60%": 0.6, "70%": 0.7 } as const;

export const SiteSettings = z.strictObject({
  phases: z.literal([1, 3]).optional().meta({ description: "Phases of the connection, 1 or 3; default 3." }),
  fuseA: FuseA.optional().meta({ description: "Main fuse, A per phase." }),
  importKw: Kw.optional().meta({ description: "Contracted import, kW." }),
  peakKw: Kw.optional().meta({
    description: "Highest mean import in a quarter hour that is paid for, kW, where the tariff has a price for it.",
  }),
  feedInKw: z.number().min(0).max(MAX_KW).optional().meta({ description: "Highest feed-in, kW; 0 for none." }),
  feedInShare: z.number().min(0).max(1).optional().meta({
    description: "Highest feed-in as a share of the panels' peak power: 0.6 is 60 %.",
  }),
  feedInPreset: z
    .enum(Object.keys(FEED_IN_PRESETS) as [keyof typeof FEED_IN_PRESETS, ...(keyof typeof FEED_IN_PRESETS)[]])
    .optional()
    .meta({ description: "Highest feed-in by a usual rule: 60 % (Germany) or 70 % (Austria) of the peak power." }),
  panelsKw: Kw.optional().meta({
    description: "Peak power of the panels, kW; default the sum of forecast.planes.",
  }),
  gridMeter: DeviceId.optional().meta({
    description: "Device whose meter is at the connection; default the meter of the energy system.",
  }),
  meters: z.record(DeviceId, z.enum(METER_USES)).optional().meta({
    description:
      "By device id, what a meter that is not at the connection measures. `panels`: it is production, which the meter reads as import (positive). `panels-turned`: production that it reads as export (negative). In a house with an inverter that is a device neither of them counts, since the production would count twice. `other-panels`, `other-panels-turned`: the same for panels without such an inverter beside others that have one; both count. `inside`: a part of the house, which is in the house's consumption already, or panels whose inverter is a device here. A circuit's meter, and a device in a circuit that is only a meter, are `inside`. All other meters of a house count as at the connection, and are added up.",
  }),
  circuits: z.array(CircuitSettings).max(MAX_CIRCUITS).optional().meta({
    description: "Fused parts of the house, each behind another one or behind the main fuse.",
  }),
  phasesOf: z.record(DeviceId, Phases).optional().meta({
    description:
      "By device id, the phases of the house that its L1, L2 and L3 are connected to: [L2], or [L2, L3, L1] where it is rotated. Default L1 for one phase, L1 L2 L3 for three.",
  }),
  unmetered: z.array(UnmeteredSettings).max(MAX_MEMBERS).optional().meta({
    description: "Loads that nothing measures.",
  }),
});
export type SiteSettings = z.infer<typeof SiteSettings>;
export type SiteSetting = keyof SiteSettings;

/** The names of the settings. */
export const SITE_SETTINGS = Object.keys(SiteSettings.shape) as readonly SiteSetting[];

/** Returns the settings without what they say about devices that are gone. */
export function withoutMissing(settings: SiteSettings, isDevice: (id: string) => boolean): SiteSettings {
  const { gridMeter, meters, phasesOf, circuits, ...others } = settings;
  const present = <Value>(byDevice: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(byDevice).filter(([id]) => isDevice(id)));
  return {
    ...others,
    ...(gridMeter !== undefined && isDevice(gridMeter) && { gridMeter }),
    ...(meters !== undefined && { meters: present(meters) }),
    ...(phasesOf !== undefined && { phasesOf: present(phasesOf) }),
    ...(circuits !== undefined && {
      circuits: circuits.map(({ meter, members, ...circuit }) => ({
        ...circuit,
        ...(meter !== undefined && isDevice(meter) && { meter }),
        ...(members !== undefined && { members: members.filter(isDevice) }),
      })),
    }),
  };
}
