/** How an adapter finds devices that are not configured. */
import type { MeasuredText } from "../domain/checks/measured-text.ts";
import type { LinkableType, LinkRefusal } from "../domain/linking/link-form.ts";

/** The protocol by which a device was found. */
export type SightingSource = "http" | "mdns" | "modbus" | "mqtt" | "multicast" | "ssdp";

/** A device that was found in the house. `null`: the device does not report it. */
export interface Sighting {
  /** Identifies the device independently of its address, by its serial number if it has one. Unique in the adapter. */
  readonly key: string;
  /** Options for the adapter's schema; `null` for a device that was recognized but is not supported. */
  readonly options: Readonly<Record<string, unknown>> | null;
  /** The options that change when the device gets another address. */
  readonly place: Readonly<Record<string, unknown>>;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly firmware: string | null;
  /** The name that its owner gave to the device. */
  readonly name: string | null;
  /** The kinds of asset that it has or may have. */
  readonly vendorTypes: readonly LinkableType[];
  /** Vendor codes, as `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** The adapter's profile for the device. */
  readonly profile: string | null;
  /** IPv4 address; `null` if it is reached by something else. */
  readonly address: string | null;
  /** Probability that the options reach this device and read it correctly, 0 to 1. Below 0.8 the user is asked. */
  readonly confidence: number;
  /** Evidence for the user, such as "reads 2341 W": a sentence of the gateway, or else a text in English. */
  readonly proof: Proof | null;
  readonly source: SightingSource;
  /** The options that are missing, such as `token`. Absent: none. */
  readonly needs?: readonly string[];
  /** The device on the link page: the `id` of the `LinkableVendor` and the `key` of the `FoundDevice`. */
  readonly link?: { readonly vendorId: string; readonly key: string };
}

/** The description that a device publishes at the URL in its announcement. `null`: it does not say. */
export interface Description {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  /** The name that its owner gave to the device. */
  readonly name: string | null;
}

/** A service that is announced in the network. */
export interface SeenService {
  readonly source: "mdns" | "ssdp";
  /** Service type such as `_http._tcp`, or the SSDP search target. */
  readonly type: string;
  readonly name: string;
  /** IPv4 address. */
  readonly address: string;
  /** Port; 0 if SSDP names none. */
  readonly port: number;
  /** TXT records, or the headers of SSDP; keys in lower case. */
  readonly txt: Readonly<Record<string, string>>;
  /** The device's description, if it was announced by SSDP and could be loaded in an active search. */
  readonly description?: Description;
}

/** A device of the gateway that no longer answers and may have another address now. */
export interface MissingDevice {
  readonly options: Readonly<Record<string, unknown>>;
  readonly serial: string;
}

/** What a search looks for, and where. */
export interface SearchScope {
  /** False: only listen; nothing is sent to a host except what is needed to receive announcements. */
  readonly isActive: boolean;
  /** IPv4 addresses that an active search may connect to, without those to which the gateway is already connected. */
  readonly hosts: readonly string[];
  /** Called with each host that is finished, if the adapter connects to them one by one. */
  readonly onAsked?: (host: string) => void;
  /** Returns the services that have been announced in the network so far. */
  services(): readonly SeenService[];
  /** The devices to look for; `null` for any device. */
  readonly missing: readonly MissingDevice[] | null;
  /** The `id` of the linkable vendor whose devices to look for, without delay; `null` for any vendor. */
  readonly vendorId: string | null;
}

/** A sentence of the gateway, which people read in their language, or a text in English. */
export type Proof = MeasuredText | string;

/** What a device answers to the options with which it would be added. `proof` is as in `Sighting`. */
export type FirstRead =
  | { readonly kind: "read"; readonly proof: Proof }
  /** `secret`: the option that is missing or wrong, such as `password`; absent where it is something else. */
  | { readonly kind: "refused"; readonly why: LinkRefusal; readonly secret?: string };

/** The part of a running adapter that searches. */
export interface RunningDiscovery {
  /** The mDNS service types that its devices announce; the gateway listens for them all the time. */
  readonly serviceTypes: readonly string[];
  /**
   * Searches, and calls `found` for each device, once or several times. Never writes to a device. Resolves within two
   * minutes, or when the signal aborts; what was found by then counts. Rejections are logged.
   */
  search(scope: SearchScope, found: (sighting: Sighting) => void, signal: AbortSignal): Promise<void>;
  /**
   * Connects with the options as the device would be run, and reads it once. It is called before a device is added that
   * was only announced, or that needs a secret, and may take 30 s. Never writes to the device. A rejection counts as
   * `unavailable`. `null` or absent: a search reads everything that it finds.
   */
  readOnce?(options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<FirstRead | null>;
}
