/** What a search for devices found, as the API shows it. */
import { z } from "zod";
import { ASSET_KINDS } from "../assets/asset.ts";
import { Instant, NullableInstant } from "../fields.ts";

/** Most hosts that one request may name. */
const MAX_HOSTS = 1_024;
const NullableText = z.string().nullable();

export const FoundOnNetwork = z
  .object({
    id: z.string().meta({ description: "The same for the same device, whatever its address." }),
    adapter: z.string().meta({ description: "How the device would be reached." }),
    profile: NullableText.meta({ description: "What the adapter would run it by; null for a stranger." }),
    manufacturer: NullableText,
    model: NullableText,
    serial: NullableText,
    firmware: NullableText,
    name: NullableText.meta({ description: "What people call it." }),
    kinds: z.array(z.enum(ASSET_KINDS)).meta({ description: "What it is or may be." }),
    address: NullableText.meta({ description: "IPv4 address." }),
    confidence: z.number().min(0).max(1).meta({
      description: "0 to 1: how sure it is that the device is this one and would be read right; ask people below 0.8.",
    }),
    proof: NullableText.meta({ description: "What shows that it is so, in English, such as `reads 2341 W`." }),
    source: z
      .enum(["http", "mdns", "modbus", "mqtt", "multicast", "ssdp"])
      .meta({ description: "How it showed itself." }),
    needs: z.array(z.string()).meta({ description: "Options to give when it is added, such as `token`." }),
    isAddable: z.boolean().meta({ description: "False: it is there, but no profile runs it, or two claim to be it." }),
    otherAddresses: z.array(z.string()).meta({
      description: "Where another device claims to be the same one; nothing is concluded then.",
    }),
    knownAs: NullableText.meta({ description: "The device of this gateway that it is already; null: none." }),
    lastSeen: Instant,
  })
  .meta({ id: "FoundOnNetwork" });
export type FoundOnNetwork = z.infer<typeof FoundOnNetwork>;

/** A device that got another address and was found there. */
export const MovedDevice = z
  .object({
    deviceId: z.string(),
    serial: z.string(),
    from: z.string().meta({ description: "Where the configuration, or whoever linked it, says that it is." }),
    to: z.string().meta({ description: "Where it is." }),
    movedAt: Instant,
  })
  .meta({ id: "MovedDevice" });
export type MovedDevice = z.infer<typeof MovedDevice>;

export const NetworkSearch = z
  .object({
    isSearching: z.boolean(),
    isActive: z
      .boolean()
      .meta({ description: "Whether the last search that was asked for asks hosts, or only listens." }),
    startedAt: NullableInstant.meta({ description: "Of the last search; null before the first." }),
    endedAt: NullableInstant,
    hostsAsked: z.int().min(0).meta({ description: "Hosts that the last search may ask." }),
    hostsDone: z.int().min(0).meta({ description: "Those of them that it is through with." }),
    hostsInUse: z.array(z.string()).meta({
      description: "Hosts that were left alone because the gateway talks to a device there: many take one client only.",
    }),
    devices: z.array(FoundOnNetwork).meta({ description: "The surest first." }),
    moved: z.array(MovedDevice),
  })
  .meta({ id: "NetworkSearch" });
export type NetworkSearch = z.infer<typeof NetworkSearch>;

export const NetworkSearchBody = z
  .strictObject({
    isActive: z.boolean().default(false).meta({
      description: "True: hosts are asked, politely, one connection each. False: only listen to what announces itself.",
    }),
    hosts: z.array(z.ipv4()).max(MAX_HOSTS).optional().meta({
      description: "Private IPv4 addresses to ask; default those of the gateway's own networks.",
    }),
  })
  .meta({ id: "NetworkSearchBody" });
export type NetworkSearchBody = z.infer<typeof NetworkSearchBody>;

export const AdoptBody = z
  .strictObject({
    userId: z.string().min(1).max(255).optional().meta({ description: "Whose it is; default that of the house." }),
    name: z.string().min(1).max(255).optional().meta({ description: "What people call it." }),
    options: z
      .record(z.string().max(40), z.union([z.string().max(4_000), z.number(), z.boolean()]))
      .default({})
      .meta({
        description: "Options of the adapter that the search cannot know, such as `password`.",
      }),
    settings: z
      .record(z.string().max(40), z.number())
      .optional()
      .meta({ description: "Numbers that the device's profile asks for, such as `maxChargeW`." }),
    confirmUnverified: z
      .union([z.boolean(), z.array(z.string().max(40)).max(20)])
      .optional()
      .meta({
        description:
          "The controls that no two sources agree on and that its owner tried at the device, such as `charger.maxCurrent`; true: all of them.",
      }),
    confirmNoFailsafe: z.boolean().optional().meta({
      description: "True: its owner answers for commands that only the gateway ends.",
    }),
  })
  .meta({ id: "AdoptBody" });
export type AdoptBody = z.infer<typeof AdoptBody>;

const SetupField = {
  name: z.string().meta({
    description: "As `AdoptBody` has it: `settings.` and a setting, a confirmation, else one of its `options`.",
  }),
  label: NullableText.meta({ description: "In English; null where the name says it." }),
  hint: NullableText.meta({ description: "What to know before answering, in English." }),
  initial: NullableText.meta({ description: "What counts when nothing is said; null: nothing." }),
  isRequired: z.boolean().meta({ description: "False: what depends on it stays off without it." }),
};

/** What a tick turns on, and who says how. */
const SetupDetail = z.object({
  point: z.string().meta({ description: "The control, such as `battery.mode`." }),
  values: z.array(z.string()).nullable().meta({ description: "The states that are meant; null: all of them." }),
  confidence: z.string().meta({ description: "How far the source is trusted." }),
  source: z.string().meta({ description: "Who says how the device is told so." }),
  isTimer: z.boolean().meta({ description: "True: it is the device's own timer that ends the control." }),
});

/** What the owner of a found device decides when it is added. */
export const FoundSetup = z
  .object({
    needs: z.array(z.string()).meta({ description: "As the found device has it." }),
    fields: z.array(
      z.discriminatedUnion("kind", [
        z.object({
          ...SetupField,
          kind: z.literal("number"),
          min: z.number().meta({ description: "In `unit`, included." }),
          max: z.number().meta({ description: "In `unit`, included." }),
          unit: z.string().meta({ description: "As shown to people; empty for a bare number." }),
        }),
        z.object({ ...SetupField, kind: z.literal("text") }),
        z.object({
          ...SetupField,
          kind: z.literal("confirm"),
          isPerControl: z.boolean().meta({ description: "True: controls of the `details` may be named one by one." }),
          details: z.array(SetupDetail),
        }),
      ]),
    ),
  })
  .meta({ id: "FoundDeviceSetup" });
export type FoundSetup = z.infer<typeof FoundSetup>;

export const Adopted = z.object({ deviceId: z.string() }).meta({ id: "AdoptedDevice" });
