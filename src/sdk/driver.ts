import type { z } from "zod";
import type { Clock, Http, Log, MqttLinks, Net, Random, Serial, Udp, WebSockets } from "../platform/ports/ports.ts";
import type { DeviceError } from "../points/device-error.ts";
import type { ControlPoint, PointName, PointValue, Reading } from "../points/points.ts";
import type { AccountNotes } from "./account-notes.ts";
import type { RunningDiscovery } from "./discovery.ts";
import type { LinkableVendor, RunningLinking } from "./linking.ts";
import type { DeviceNotes } from "./notes.ts";
import type { DevicePart } from "./parts.ts";
import type { RunningSimulation } from "./simulation.ts";
import type { VendorAccount } from "./vendor-account.ts";

/** Who a device says it is. A part that it does not tell is null. */
export interface DeviceIdentity {
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly version: string | null;
  /** What people call it. Absent where it has no name of its own. */
  readonly name?: string | null;
  /** Year of make, of a vehicle or charger. */
  readonly year?: number | null;
  /** What an HVAC unit does. */
  readonly category?: "HEATING" | "COOLING" | "HEAT_PUMP" | "AGGREGATOR" | null;
  /** The group of HVAC units that it is in. */
  readonly groupName?: string | null;
}

/** A point that this device lets us write, and what happens to the value when we are gone. */
export interface Control {
  readonly point: ControlPoint;
  /** The accepted states, for a point that is a state. */
  readonly values?: readonly PointValue[];
  /** The accepted numbers, both ends included, in the point's unit. */
  readonly range?: { readonly min: number; readonly max: number };
  /**
   * How long the device itself keeps the value when nobody renews it, ms; whoever holds a value writes it again at half
   * of that. Null: the device has no such timer, so only commands that limit themselves may be held.
   */
  readonly holdMs: number | null;
  /**
   * What the point shows when that time is over, where it is not `safeDefault`: a charger's failsafe current. Null, or
   * absent: not known. It may change with the readings; whoever finds it there knows that nobody else set it.
   */
  readonly fallsBackTo?: PointValue | null;
  /**
   * A held value is written again this often, ms, although the device keeps it: for one that the driver works out from
   * the moment, such as a set point at the grid that follows the house. Absent: only the device's timer asks for it.
   */
  readonly renewMs?: number;
  /** What an orderly stop leaves behind: a value, what was found before the first write, or (null) the last value. */
  readonly safeDefault: PointValue | "as-found" | null;
}

/** One connected device. The supervisor calls it, one call at a time. */
export interface Driver extends AsyncDisposable {
  readonly identity: DeviceIdentity;
  /**
   * Where in the device the serial number stands, in the adapter's own words, for a device that is known by its address: if
   * another serial number is read from there one day, another device has the address. A number from elsewhere says nothing
   * about the one before. Absent: it is not compared, because an account, a topic or the like says which device it is.
   */
  readonly serialSource?: string | undefined;
  /**
   * Vendor codes (rule S4.2), the brand's first, a generic one of the protocol (`SUNSPEC`, `MODBUS`) last. The API
   * shows the first that the asset's category knows, else the last.
   */
  readonly vendors: readonly string[];
  /**
   * True: the device speaks for other devices of the house, whose grid, panels, battery and load it knows as its own. It
   * makes the house's energy system one of its maker, and gives way where the gateway reads those devices directly.
   */
  readonly isEnergyManager?: boolean;
  /**
   * Parts of which the device itself says that it lacks them, on a read of this connection by a rule with a source, and
   * that no connection ever found. Absent: it says so of none.
   */
  readonly absentParts?: readonly DevicePart[];
  readonly points: readonly PointName[];
  readonly controls: readonly Control[];
  /** What the device could be told if somebody confirmed on the device that its registers are right; none when absent. */
  readonly unconfirmed?: readonly ControlPoint[];
  /** How often `read` wants to be called, ms: the period of the fastest polling class. */
  readonly pollMs: number;
  /**
   * How far apart what the device tells of a point may be while all is well, ms, where `read` is called more often than that
   * to fetch what came. Absent: `pollMs`.
   */
  readonly tellsEveryMs?: number;
  /**
   * True: the last `read` found the device asleep, as vehicles are. It is in reach, for a command wakes it, and tells nothing
   * until something does: what it told last stands, with its age. Absent: it never sleeps.
   */
  readonly isAsleep?: boolean;
  /**
   * Why the last `read` of all points brought nothing current, where it did not reject: the device was not asked, and what
   * it reported before stands. Null, or absent: what it reported is current.
   */
  readonly notReadBecause?: DeviceError | null;
  /**
   * Reads the points that are due, or all of them. A point that the device cannot tell is in the answer as null; a point
   * that was not due is not in the answer. Rejects with a `DeviceError` when the device as a whole did not answer.
   */
  read(scope: "due" | "all", signal: AbortSignal): Promise<readonly Reading[]>;
  /** Sends a value, its reversion timer first. Resolved means sent, never done: only a later reading shows that. */
  write(point: ControlPoint, value: PointValue, signal: AbortSignal): Promise<void>;
}

/** What an adapter has of the world. */
export interface AdapterContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly net: Net;
  readonly serial: Serial;
  readonly udp: Udp;
  /** For devices in the house open it with `refuseAddress(address, "house")`, and pin certificates that they made. */
  readonly http: Http;
  readonly webSockets: WebSockets;
  readonly mqtt: MqttLinks;
  /** What is kept of devices over restarts. */
  readonly notes: DeviceNotes;
  /** What is kept of the accounts that devices are reached through. */
  readonly accounts: AccountNotes;
  readonly log: Log;
}

/** An adapter at work: it may share connections between its devices. */
export interface RunningAdapter<Options> extends AsyncDisposable {
  /** Connects one device. Rejects with a `DeviceError`; the caller retries. The caller disposes the driver. */
  connect(deviceId: string, options: Options, signal: AbortSignal): Promise<Driver>;
  /** Signs people in and finds their devices; an adapter with `linking` has it. */
  readonly linking?: RunningLinking;
  /** Finds devices that nobody told of. */
  readonly discovery?: RunningDiscovery;
  /** The accounts with vendors that it works with. Answers from memory. */
  accounts?(): readonly VendorAccount[];
  /**
   * The text that a vendor wants to find at a path below `/.well-known/` of the owner's own domain, such as a public key;
   * null: there is nothing. Everybody may read it.
   */
  wellKnown?(path: string): Promise<string | null>;
  /** The made-up devices, of an adapter that `isSandbox`. */
  readonly simulation?: RunningSimulation;
}

/** A way to reach devices. Its options are what a device's entry in the configuration may say beside `id` and `adapter`. */
export interface Adapter<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: string;
  readonly options: z.ZodObject<Shape>;
  /** What is wrong with options that are right one by one, in words; null when nothing is. */
  check?(options: z.infer<z.ZodObject<Shape>>): string | null;
  /** The vendors whose devices people can link by themselves; none when absent. */
  readonly linking?: readonly LinkableVendor[];
  /** True: its devices are made up. It is served in a sandbox only, and no configuration names it. */
  readonly isSandbox?: boolean;
  start(context: AdapterContext): RunningAdapter<z.infer<z.ZodObject<Shape>>>;
}

/** Declares an adapter; its options' type follows from the schema. */
export function defineAdapter<Shape extends z.ZodRawShape>(adapter: Adapter<Shape>): Adapter<Shape> {
  return adapter;
}
