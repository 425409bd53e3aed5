/** The search for devices in the API: its requests, its state and the devices that it found. */
import { z } from "zod";
import { ASSET_KINDS } from "../assets/asset.ts";
import { Instant, NullableInstant } from "../fields.ts";

/** Highest number of hosts in one request. */
const MAX_HOSTS = 1_024;
const NullableText = z.string().nullable();

export const FoundOnNetwork = z
  .object({
    id: z.string().meta({ description: "Id of the found device; it stays the same when its address changes." }),
    adapter: z.string().meta({ description: "Adapter by which the device would be connected." }),
    profile: NullableText.meta({ description: "Profile of the adapter for this device; `null` if none fits." }),
    manufacturer: NullableText.meta({ description: "`null` if not known." }),
    model: NullableText.meta({ description: "`null` if not known." }),
    serial: NullableText.meta({ description: "Serial number; `null` if not known." }),
    firmware: NullableText.meta({ description: "Firmware version; `null` if not known." }),
    name: NullableText.meta({ description: "Name that the owner gave to the device; `null` if not known." }),
    kinds: z.array(z.enum(ASSET_KINDS)).meta({ description: "Kinds of asset that the device has or may have." }),
    address: NullableText.meta({ description: "IPv4 address; `null` if not known." }),
    confidence: z.number().min(0).max(1).meta({
      description:
        "Probability that the device was recognized correctly, 0 to 1. Below 0.8, ask the user to confirm it.",
    }),
    proof: NullableText.meta({
      description:
        "Evidence for the recognition, such as `reads 2341 W`, in the language that was asked for; `null` if there is none.",
    }),
    source: z
      .enum(["http", "mdns", "modbus", "mqtt", "multicast", "ssdp"])
      .meta({ description: "Protocol by which the device was found." }),
    needs: z.array(z.string()).meta({
      description: "Options that are required to add the device, such as `token`.",
    }),
    isAddable: z.boolean().meta({
      description: "`false` if no profile fits the device, or if two devices have the same identity.",
    }),
    otherAddresses: z.array(z.string()).meta({
      description: "Addresses at which another device reports the same identity; the device cannot be added then.",
    }),
    knownAs: NullableText.meta({
      description: "Id of the device if the gateway already has it; `null` otherwise.",
    }),
    lastSeen: Instant.meta({ description: "Time at which the device was found last." }),
  })
  .meta({ id: "FoundOnNetwork", description: "A device that a search found, or that announced itself." });
export type FoundOnNetwork = z.infer<typeof FoundOnNetwork>;

/** A device of the gateway that was found at another address. */
export const MovedDevice = z
  .object({
    deviceId: z.string().meta({ description: "Id of the device." }),
    serial: z.string().meta({ description: "Serial number by which the device was recognized." }),
    from: z.string().meta({ description: "Address in the configuration, or from the time of linking." }),
    to: z.string().meta({ description: "Present address." }),
    movedAt: Instant.meta({ description: "Time at which the device was found at the new address." }),
  })
  .meta({ id: "MovedDevice", description: "A device of the gateway that was found at another address." });
export type MovedDevice = z.infer<typeof MovedDevice>;

/** The state and the results of the search for devices. */
export const NetworkSearch = z
  .object({
    isSearching: z.boolean().meta({ description: "`true` while a search runs." }),
    isActive: z.boolean().meta({
      description: "`true` if the last search connects to hosts, `false` if it only listens for announcements.",
    }),
    startedAt: NullableInstant.meta({ description: "Start of the last search; `null` if there was none." }),
    endedAt: NullableInstant.meta({
      description: "End of the last search; `null` while it runs, or if there was none.",
    }),
    hostsAsked: z.int().min(0).meta({ description: "Number of hosts that the last search connects to." }),
    hostsDone: z.int().min(0).meta({ description: "Number of those hosts that are finished." }),
    hostsInUse: z.array(z.string()).meta({
      description:
        "Hosts that were skipped because the gateway is connected to a device there: many devices accept only one client.",
    }),
    devices: z.array(FoundOnNetwork).meta({ description: "Found devices, the highest `confidence` first." }),
    moved: z.array(MovedDevice).meta({ description: "Devices of the gateway that have a new address." }),
  })
  .meta({ id: "NetworkSearch", description: "State and results of the search for devices." });
export type NetworkSearch = z.infer<typeof NetworkSearch>;

/** The body that starts a search. */
export const NetworkSearchBody = z
  .strictObject({
    isActive: z.boolean().default(false).meta({
      description: "`true`: connect to each host once. `false`: only listen for announcements.",
    }),
    hosts: z.array(z.ipv4()).max(MAX_HOSTS).optional().meta({
      description: "Private IPv4 addresses to connect to; by default all of the gateway's networks.",
    }),
  })
  .meta({ id: "NetworkSearchBody" });
export type NetworkSearchBody = z.infer<typeof NetworkSearchBody>;

/** The body that adds a found device to the gateway. */
export const AdoptBody = z
  .strictObject({
    userId: z.string().min(1).max(255).optional().meta({
      description: "User that the device will belong to; by default the user of the house.",
    }),
    name: z.string().min(1).max(255).optional().meta({ description: "Name of the device." }),
    options: z
      .record(z.string().max(40), z.union([z.string().max(4_000), z.number(), z.boolean()]))
      .default({})
      .meta({
        description: "Options of the adapter that the search cannot find out, such as `password`.",
      }),
    settings: z
      .record(z.string().max(40), z.number())
      .optional()
      .meta({ description: "Settings that the profile of the device requires, such as `maxChargeW`." }),
    confirmUnverified: z
      .union([z.boolean(), z.array(z.string().max(40)).max(20)])
      .optional()
      .meta({
        description:
          "Unverified controls that the owner tried on the device and switches on, such as `charger.maxCurrent`; `true` for all of them.",
      }),
    confirmNoFailsafe: z.boolean().optional().meta({
      description:
        "`true` switches on controls without a failsafe: their commands stay in force if the gateway fails, and the owner accepts that.",
    }),
    saveAnyway: z.boolean().optional().meta({
      description:
        "`true` adds a device that cannot be read now, such as one that is off. Otherwise a device that was only announced, or that needs a secret, is read once with these options first.",
    }),
  })
  .meta({ id: "AdoptBody" });
export type AdoptBody = z.infer<typeof AdoptBody>;

const SetupField = {
  name: z.string().meta({
    description:
      "Field of `AdoptBody`: `settings.` and the name of a setting, `confirmUnverified`, `confirmNoFailsafe`, or one of its `options`.",
  }),
  label: NullableText.meta({
    description: "Label for the user, in the language that was asked for; `null` if `name` is enough.",
  }),
  hint: NullableText.meta({ description: "What to know before answering, in that language; `null` if nothing." }),
  initial: NullableText.meta({ description: "Default value; `null` if there is none." }),
  isRequired: z.boolean().meta({
    description: "`true` if the device cannot be added without it; otherwise what depends on it stays off.",
  }),
};

/** A control that a confirmation switches on, with its source. */
const SetupDetail = z.object({
  point: z.string().meta({ description: "Control, such as `battery.mode`." }),
  values: z.array(z.string()).nullable().meta({
    description: "Values of the control that need the confirmation; `null` for all of them.",
  }),
  confidence: z.string().meta({ description: "How reliable the source is." }),
  source: z.string().meta({ description: "Document or project that describes how the control is written." }),
  isTimer: z.boolean().meta({ description: "`true` if the device's reversion timer ends the control." }),
});

/** The decisions of the owner when a found device is added. */
export const FoundSetup = z
  .object({
    needs: z.array(z.string()).meta({ description: "Required options, as in `FoundOnNetwork`." }),
    fields: z.array(
      z.discriminatedUnion("kind", [
        z.object({
          ...SetupField,
          kind: z.literal("number"),
          min: z.number().meta({ description: "Lowest value, in `unit`." }),
          max: z.number().meta({ description: "Highest value, in `unit`." }),
          unit: z.string().meta({ description: "Unit to show to the user; empty for a number without unit." }),
        }),
        z.object({ ...SetupField, kind: z.literal("text") }),
        z.object({
          ...SetupField,
          kind: z.literal("confirm"),
          isPerControl: z.boolean().meta({
            description: "`true` if single controls of `details` can be confirmed, not only all of them.",
          }),
          details: z.array(SetupDetail).meta({ description: "Controls that the confirmation switches on." }),
        }),
      ]),
    ),
  })
  .meta({ id: "FoundDeviceSetup", description: "What the owner decides when a found device is added." });
export type FoundSetup = z.infer<typeof FoundSetup>;

export type Adopted = z.infer<typeof Adopted>;
export const Adopted = z
  .object({
    deviceId: z.string().meta({ description: "Id of the device in the gateway." }),
    proof: NullableText.meta({
      description:
        "What the device answered before it was added, such as `reads 2341 W`, in the language that was asked for; `null` if it was not read.",
    }),
  })
  .meta({ id: "AdoptedDevice" });
