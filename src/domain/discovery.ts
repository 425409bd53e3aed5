/** What a search for devices found, as the API shows it. */
import { z } from "zod";
import { ASSET_KINDS } from "./asset.ts";
import { Instant, NullableInstant } from "./fields.ts";

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
    isActive: z.boolean().meta({ description: "Whether the last search asked hosts, or only listened." }),
    startedAt: NullableInstant.meta({ description: "Of the last search; null before the first." }),
    endedAt: NullableInstant,
    hostsAsked: z.int().min(0),
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
  })
  .meta({ id: "AdoptBody" });
export type AdoptBody = z.infer<typeof AdoptBody>;

export const Adopted = z.object({ deviceId: z.string() }).meta({ id: "AdoptedDevice" });
