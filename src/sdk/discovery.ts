/** How an adapter finds devices that nobody told the gateway of. */
import type { LinkableType } from "./linking.ts";

/** How a device showed itself. */
export type SightingSource = "http" | "mdns" | "modbus" | "mqtt" | "multicast" | "ssdp";

/** A device that was seen in the house. What it does not tell is null. */
export interface Sighting {
  /** Says which device it is whatever its address, by its serial number where it tells one. Unique within the adapter. */
  readonly key: string;
  /** As the adapter's options schema takes them; null for a device that is there but that the adapter cannot run. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** Those of the options that change when the device gets another address. */
  readonly place: Readonly<Record<string, unknown>>;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly firmware: string | null;
  /** What people call it. */
  readonly name: string | null;
  /** What it is or may be. */
  readonly vendorTypes: readonly LinkableType[];
  /** Vendor codes, as `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** What the adapter runs it by. */
  readonly profile: string | null;
  /** IPv4 address; null for one that is reached by another name. */
  readonly address: string | null;
  /** 0 to 1: how sure it is that the options reach this device and read it right. Below 0.8 people are asked. */
  readonly confidence: number;
  /** What shows that it is so, for people, such as "reads 2341 W". */
  readonly proof: string | null;
  readonly source: SightingSource;
  /** What has to be added to the options before it answers, such as `token`. Absent: nothing. */
  readonly needs?: readonly string[];
  /** How the link page would call it: the `id` of the `LinkableVendor` and the `key` of the `FoundDevice`. */
  readonly link?: { readonly vendorId: string; readonly key: string };
}

/** What a device says of itself where its announcement says to look. What it does not tell is null. */
export interface Description {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  /** What people call it. */
  readonly name: string | null;
}

/** A service that somebody announces in the network. */
export interface SeenService {
  readonly source: "mdns" | "ssdp";
  /** Such as `_http._tcp`, or the SSDP search target. */
  readonly type: string;
  readonly name: string;
  /** IPv4 address. */
  readonly address: string;
  /** 0 where SSDP tells none. */
  readonly port: number;
  /** TXT records, or the headers of SSDP; keys in lower case. */
  readonly txt: Readonly<Record<string, string>>;
  /** Of a device that announces itself by SSDP, in an active search, where it answered. */
  readonly description?: Description;
}

/** A device of the house that does not answer any more and may have another address now. */
export interface MissingDevice {
  readonly options: Readonly<Record<string, unknown>>;
  readonly serial: string;
}

/** Where and for what is searched. */
export interface SearchScope {
  /** False: only listen; nothing is sent to any host but what a listener has to say to be told. */
  readonly isActive: boolean;
  /** IPv4 addresses that may be asked, when it is active. None of them is a host that the gateway talks to already. */
  readonly hosts: readonly string[];
  /** Called with each of them that the adapter is through with, where it asks them one by one. */
  readonly onAsked?: (host: string) => void;
  /** The services that were seen by now, in the whole network. */
  services(): readonly SeenService[];
  /** Only these are looked for, as they are run; null: any device. */
  readonly missing: readonly MissingDevice[] | null;
  /** Only devices of the linkable vendor with this `id` are looked for, and soon; null: of any. */
  readonly vendorId: string | null;
}

/** The part of a running adapter that searches. */
export interface RunningDiscovery {
  /** mDNS types whose services its devices announce; they are listened for all the time. */
  readonly serviceTypes: readonly string[];
  /**
   * Searches, and tells each device when it is seen, once or several times. Never writes anything to a device. Ends by
   * itself within two minutes, or when the signal aborts: what was told by then counts. Rejections are logged.
   */
  search(scope: SearchScope, found: (sighting: Sighting) => void, signal: AbortSignal): Promise<void>;
}
