/** What a bridge is: how one firmware talks over MQTT. docs/bridges.md tells how to write one. */
import type { Control, ControlPoint, DeviceIdentity, PointName, PointValue } from "hemgate/sdk";
import type { Acknowledgement } from "./acknowledgement.ts";
import type { Role } from "./role.ts";

/** What a device's entry in the configuration says to its bridge. */
export interface BridgeOptions {
  /** What the device is called on the broker; each bridge says which name it means. No wildcards in it. */
  readonly topic: string;
  /** What is measured or switched, where the firmware cannot tell. Null: not reported. */
  readonly role: Role | null;
  /** True: power counts the other way round than the device says. */
  readonly isInverted: boolean;
  /** Which of several relays, meters or inverters. Null: not reported. */
  readonly channel: number | null;
  /** What the firmware calls a point, in the bridge's own words, where it cannot be known. */
  readonly points: ReadonlyMap<PointName, string>;
  readonly settings: Readonly<Record<string, number>>;
  /** The first levels of the firmware's topics where they can be configured. Null: the firmware's default. */
  readonly prefix: string | null;
  /** How often the device publishes, ms. Null: as the firmware does by default. */
  readonly intervalMs: number | null;
  /** A topic that no other client has, for answers to requests of ours. */
  readonly replyTopic: string;
}

/** A message as bridges see it. */
export interface BridgeMessage {
  readonly topic: string;
  readonly text: string;
  /** It came from the broker's memory: no sign of life, however good its value looks. */
  readonly isRetained: boolean;
  /** Monotonic ms at which it came to a device's session. */
  readonly atMs?: number;
  /** As `BrokerMessage.mayUse`. */
  readonly mayUse?: ((topic: string) => boolean) | undefined;
}

/** A message of ours. It is never retained. */
export interface Outgoing {
  readonly topic: string;
  readonly text: string;
}

/** Receives what a bridge parsed from a message. */
export interface Intake {
  /** Whether the device is there, by its last will or what watches it. `why` is shown when it is not. */
  present(isPresent: boolean, why: string): void;
  /**
   * As `present`, of the device's own last will. What it tells live afterwards overrules it: the will of a connection
   * that it lost may come after it is back on another.
   */
  lastWill(isPresent: boolean): void;
  /** The device shows itself, without a value. */
  alive(): void;
  /** A value in the point's unit. Null: the device cannot tell. */
  value(point: PointName, value: PointValue | null): void;
  /** A number of JSON: undefined is ignored, null and anything but a number are null, the latter with a line in the log. */
  number(point: PointName, raw: unknown, convert?: (value: number) => number): void;
  /** A number as plain text, as `number`; "nan", "unavailable" and their like are null without a line in the log. */
  numeral(point: PointName, text: string, convert?: (value: number) => number): void;
  identity(part: Partial<DeviceIdentity>): void;
  /** Something was not as it should be; logged, but rarely. */
  problem(what: string): void;
}

/** How often a device tells something. */
export interface BridgeTiming {
  /** ms between two messages of a device that is well, asked or unasked. Null: only when something changes. */
  readonly everyMs: number | null;
  /** Points that come more rarely than that, ms. */
  readonly pointEveryMs?: Readonly<Partial<Record<PointName, number>>>;
  /** Points that expire at exactly this age, ms, because the device says so. */
  readonly pointExpiresMs?: Readonly<Partial<Record<PointName, number>>>;
}

/** How to ask for everything. A live message is the answer. */
export interface Query {
  /** ms between two questions. */
  readonly everyMs: number;
  messages(): readonly Outgoing[];
}

/** A value on its way, and what shows that the device took it. */
export interface Command {
  readonly messages: readonly Outgoing[];
  readonly acknowledgement: Acknowledgement;
}

/** One device of a firmware. It keeps the received values, does no I/O, and has no clock. */
export interface BridgeDevice {
  /** What to listen to. It may grow with what the device tells; it is looked at after each message. */
  readonly filters: readonly string[];
  readonly timing: BridgeTiming;
  /** Vendor codes, as `Driver.vendors`. */
  readonly vendors: readonly string[];
  /** As `Driver.isEnergyManager`. */
  readonly isEnergyManager?: boolean;
  /** Asks the device who it is, when it is first met and after a reconnect. */
  readonly hello?: readonly Outgoing[];
  /** Absent: the firmware cannot be asked. */
  readonly query?: Query | undefined;
  /** Takes a message in. Throws a `PayloadError` when it is not what its topic promises. */
  receive(message: BridgeMessage, intake: Intake): void;
  /** What is still to come before the device is known, in words; null when all is there. It is not waited for long. */
  missing(): string | null;
  /** Points that it is known to tell although none of them came yet; absent: those that came are all. */
  expected?(): readonly PointName[];
  /** The controls of the device, once they are known. */
  controls(): readonly Control[];
  /** How to tell it. Called for its controls and values within them. */
  command(point: ControlPoint, value: PointValue): Command;
}

/** A device that announced itself. */
export interface Sighting {
  /** The same for the same device each time: the bridge and the firmware's own id. */
  readonly key: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly serial: string | null;
  readonly firmware: string | null;
  readonly name: string | null;
  /** What it may be, the likeliest first. */
  readonly roles: readonly Role[];
  /** Options of the adapter that reach it. */
  readonly options: {
    readonly bridge: string;
    readonly topic: string;
    readonly channel?: number;
    readonly prefix?: string;
  };
  /** 0 to 1: how sure it is that the options reach this device and it measures what the first role says. */
  readonly confidence: number;
}

/** How devices of a firmware make themselves known. */
export interface Announcements {
  readonly filters: readonly string[];
  /** Makes the devices announce themselves. */
  readonly ask?: readonly Outgoing[];
  /** The devices in what was heard, in any order. A message that is no announcement is passed over. */
  sightings(messages: readonly BridgeMessage[]): readonly Sighting[];
}

export interface Bridge {
  readonly name: string;
  /** Why no topic tells a serial number, and by which source; absent: the device tells one. */
  readonly noSerial?: string;
  /** Why no topic tells a version of the software, as `noSerial`. */
  readonly noVersion?: string;
  /** The names that the bridge reads from `settings`; absent if it reads none. */
  readonly settings?: readonly string[];
  /** Absent: its devices do not announce themselves. */
  readonly announcements?: Announcements;
  /** Throws a `DeviceError("rejected")` that names the option that is missing or wrong. */
  open(options: BridgeOptions): BridgeDevice;
}
