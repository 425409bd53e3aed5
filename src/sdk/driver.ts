import type { z } from "zod";
import type { Clock, Http, Log, MqttLinks, Net, Random, Serial, Udp, WebSockets } from "../platform/ports/ports.ts";
import type { DeviceError } from "../points/device-error.ts";
import type { ControlPoint, PointName, PointValue, Reading } from "../points/points.ts";
import type { RunningDiscovery } from "./discovery.ts";
import type { LinkableVendor, RunningLinking } from "./linking.ts";
import type { AccountNotes, DeviceNotes } from "./notes.ts";
import type { OptionProblem } from "./option-problem.ts";
import type { DevicePart } from "./parts.ts";
import type { DeviceRegisters } from "./registers.ts";
import type { RunningSimulation } from "./simulation.ts";
import type { VendorAccount } from "./vendor-account.ts";

/** The identity that a device reports; `null` for what it does not report. */
export interface DeviceIdentity {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly version: string | null;
  /** The name that its owner gave to the device. Absent: the device stores no name. */
  readonly name?: string | null;
  /** Model year of a vehicle or charger. */
  readonly year?: number | null;
  /** The category of an HVAC unit. */
  readonly category?: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR" | null;
  /** The group of HVAC units that it belongs to. */
  readonly groupName?: string | null;
}

/** A point that can be written, and what happens to the value when the gateway no longer renews it. */
export interface Control {
  readonly point: ControlPoint;
  /** The accepted states, for a point that is a state. */
  readonly values?: readonly PointValue[];
  /** The accepted numbers, both ends included, in the point's unit. */
  readonly range?: { readonly min: number; readonly max: number };
  /** The least step of the numbers that the device takes. Absent: not known; a charger's current is then set in whole amperes. */
  readonly step?: number;
  /**
   * The device's reversion timer, ms: how long the device keeps a value that nobody renews. The engine writes a value
   * again after half of that. `null`: the device has no such timer, so only commands that limit themselves may be held.
   */
  readonly holdMs: number | null;
  /**
   * What the point shows after that time, if that is not `safeDefault`, such as a charger's failsafe current. `null` or
   * absent: not known. It may change with the readings. A reading with this value means that nobody else set it.
   */
  readonly fallsBackTo?: PointValue | null;
  /**
   * How often a held value is written again, ms, although the device keeps it: for a value that the driver calculates from
   * the present readings, such as a setpoint at the grid that follows the house. Absent: only as `holdMs` requires.
   */
  readonly renewMs?: number;
  /** What an orderly stop writes: a value, the value before the first write, or nothing (`null`). */
  readonly safeDefault: PointValue | "as-found" | null;
}

/** One connected device. The supervisor calls it, one call at a time. */
export interface Driver extends AsyncDisposable {
  readonly identity: DeviceIdentity;
  /**
   * Where the serial number was read, as a text of the adapter, for a device that is known by its address: if another serial
   * number is read there later, another device has the address. Numbers from different places are not compared. Absent: the
   * serial number is not compared, because an account, a topic or the like identifies the device.
   */
  readonly serialSource?: string | undefined;
  /**
   * Vendor codes (rule S4.2), the brand's first, the protocol's (`SUNSPEC`, `MODBUS`) last. The API shows the first one that
   * the kind of asset has, else the last.
   */
  readonly vendors: readonly string[];
  /**
   * True if the device is an energy manager: it also reports grid, solar panels, battery and load from other devices of the
   * house. Its vendor becomes that of the energy system. Where the gateway reads those devices directly, they count first.
   */
  readonly isEnergyManager?: boolean;
  /**
   * Parts that the device reported as missing on this connection, by a rule with a source, and that no connection ever
   * found. Absent: none.
   */
  readonly absentParts?: readonly DevicePart[];
  readonly points: readonly PointName[];
  readonly controls: readonly Control[];
  /** Unverified controls that are off until the owner confirms them on the device. Absent: none. */
  readonly unconfirmed?: readonly ControlPoint[];
  /** How often `read` is called, ms: the period of the fastest polling class. */
  readonly pollMs: number;
  /**
   * The longest normal time between two reports of a point, ms, if `read` is called more often to fetch what was received.
   * Absent: `pollMs`.
   */
  readonly tellsEveryMs?: number;
  /**
   * True if the last `read` found the device asleep, such as a vehicle. It is reachable, because a command wakes it, but does
   * not report until then: its last values stay, with their age. Absent: it never sleeps.
   */
  readonly isAsleep?: boolean;
  /**
   * Why the last `read` of all points brought no current values although it did not reject: the device was not asked, and
   * its last values stay. `null` or absent: the values are current.
   */
  readonly notReadBecause?: DeviceError | null;
  /** The device's registers for other programs, until the driver is disposed. Absent: it has none. */
  readonly registers?: DeviceRegisters | undefined;
  /**
   * Reads the points that are due, or all of them. The result has `null` for a point that the device cannot report now, and
   * no entry for a point that was not due. Rejects with a `DeviceError` if the device as a whole did not answer.
   */
  read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]>;
  /** Sends a value, the reversion timer first. It resolves when the value is sent; only a later reading shows the effect. */
  write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void>;
}

/** The ports and the storage that an adapter may use. */
export interface AdapterContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly net: Net;
  readonly serial: Serial;
  readonly udp: Udp;
  /** For devices in the house, use `refuseAddress(address, "house")` and pin their self-signed certificates. */
  readonly http: Http;
  readonly webSockets: WebSockets;
  readonly mqtt: MqttLinks;
  /** Stored texts about devices. */
  readonly notes: DeviceNotes;
  /** Stored texts about accounts through which devices are reached. */
  readonly accounts: AccountNotes;
  readonly log: Log;
}

/** A started adapter. It may share connections between its devices. */
export interface RunningAdapter<Options> extends AsyncDisposable {
  /** Connects one device. Rejects with a `DeviceError`; the caller retries. The caller disposes the driver. */
  connect(deviceId: string, options: Options, signal: AbortSignal): Promise<Driver>;
  /** Signs users in and finds their devices; present if the adapter has `linking`. */
  readonly linking?: RunningLinking;
  /** Finds devices that are not configured. */
  readonly discovery?: RunningDiscovery;
  /** Returns the vendor accounts in use, from memory. */
  accounts?(): readonly VendorAccount[];
  /**
   * Returns the text that a vendor requires at a path below `/.well-known/` of the owner's domain, such as a public key;
   * `null` if there is none. Everybody can read it.
   */
  wellKnown?(path: string): Promise<string | null>;
  /** The simulated devices; only with `isSandbox`. */
  readonly simulation?: RunningSimulation;
}

/** A way to reach devices. Its options are those of a device in the configuration, beside `id` and `adapter`. */
export interface Adapter<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly options: z.ZodObject<Shape>;
  /** Returns what is wrong with options that have the right form one by one, without asking the device; else `null`. */
  check?(options: z.infer<z.ZodObject<Shape>>): OptionProblem | string | null;
  /** Returns true if a device with these options is reached by the broker of the configuration's `mqtt` section. */
  needsBroker?(options: z.infer<z.ZodObject<Shape>>): boolean;
  /** The vendors whose devices users can link. Absent: none. */
  readonly linking?: readonly LinkableVendor[];
  /** True if its drivers have `registers`. */
  readonly hasRegisters?: boolean;
  /** True if its devices are simulated. It exists only in a sandbox and cannot be configured. */
  readonly isSandbox?: boolean;
  /** Starts the adapter without connecting to any device. */
  start(context: AdapterContext): RunningAdapter<z.infer<z.ZodObject<Shape>>>;
}

/** Declares an adapter; the type of its options follows from the schema. */
export function defineAdapter<Shape extends z.ZodRawShape>(adapter: Adapter<Shape>): Adapter<Shape> {
  return adapter;
}
