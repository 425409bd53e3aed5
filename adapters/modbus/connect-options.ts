/** The options of a Modbus device, and the line that they mean. */
import { confirmedControls, confirmedNoFailsafe, DAY_MS, DeviceError, type ProfileTransport } from "hemgate/sdk";
import { z } from "zod";
import { isSerialLine, type LineAddress, type NetLine, type SerialLine } from "./bus/line-address.ts";
import type { ProfileSummary } from "./profile/profile-summary.ts";

/** The profile of devices that describe themselves. */
export const SUNSPEC = "sunspec";
const MODBUS_PORT = 502;
const DEFAULT_UNIT = 1;
/** Where neither the profile nor the owner says how a serial line is set: what Modbus names as usual. */
const DEFAULT_SERIAL = { baudRate: 19_200, parity: "even", dataBits: 8, stopBits: 1 } as const;
const BAUD = { min: 300, max: 921_600 };

/** Requests under way at once that any device could want; more only fills its buffers. */
const MAX_IN_FLIGHT = 16;
/** Shorter would renew all the time, longer would leave a house in a forced state for long. */
const HOLD_SECONDS = { min: 10, max: 3_600, default: 300 };
const POLL_LIMITS_MS = { min: 100, max: DAY_MS };

const pollMs = z.int().min(POLL_LIMITS_MS.min).max(POLL_LIMITS_MS.max).optional();

/** Where the device is; what is absent is as its profile says. */
const LINE_OPTIONS = {
  host: z
    .string()
    .regex(/^[^\s/@]{1,253}$/, "is no name or IP address")
    .optional()
    .meta({ description: "Name or IP address of the device or its gateway; this or serialPort." }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "TCP or UDP port; default that of the profile." }),
  serialPort: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Serial port that the device hangs on, best a name under /dev/serial/by-id; this or host." }),
  baudRate: z
    .int()
    .min(BAUD.min)
    .max(BAUD.max)
    .optional()
    .meta({ description: "Bits a second of the serial line; default that of the profile." }),
  parity: z
    .enum(["none", "even", "odd"])
    .optional()
    .meta({ description: "Parity of the serial line; default that of the profile." }),
  dataBits: z
    .union([z.literal(7), z.literal(8)])
    .optional()
    .meta({ description: "Data bits of the serial line; default that of the profile." }),
  stopBits: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .meta({ description: "Stop bits of the serial line; default that of the profile." }),
  framing: z.enum(["auto", "tcp", "rtu", "ascii", "udp"]).optional().meta({
    description:
      "Frames on the line: tcp for Modbus TCP, rtu on a serial line or behind a host that passes it on, ascii on a serial line, udp for RTU in datagrams, auto to find out for a host. Default that of the profile.",
  }),
};

export function connectOptions(profiles: readonly string[]) {
  return z.object({
    ...LINE_OPTIONS,
    unit: z.int().min(0).max(255).optional().meta({ description: "Modbus unit id; default that of the profile." }),
    profile: z.enum(profiles).meta({ description: "What the device is; sunspec for one that describes itself." }),
    inFlight: z
      .int()
      .min(1)
      .max(MAX_IN_FLIGHT)
      .default(1)
      .meta({ description: "Requests sent before the first is answered; most devices take one." }),
    holdSeconds: z
      .int()
      .min(HOLD_SECONDS.min)
      .max(HOLD_SECONDS.max)
      .default(HOLD_SECONDS.default)
      .meta({ description: "For sunspec: how long the device itself keeps a command when the gateway is gone, s." }),
    settings: z
      .record(z.string().max(40), z.number())
      .default({})
      .meta({ description: "Numbers that the profile asks for, such as maxChargeW; docs/devices.md names them." }),
    confirmUnverified: confirmedControls("controls whose registers no two sources agree on"),
    confirmNoFailsafe: confirmedNoFailsafe("device"),
    pollMs: z
      .strictObject({ fast: pollMs, normal: pollMs, slow: pollMs })
      .prefault({})
      .meta({ description: "How often points are read, ms: power and states, what drifts, what hardly changes." }),
  });
}

/** The options of a device as they are parsed. */
export type ModbusOptions = z.infer<ReturnType<typeof connectOptions>>;

export type LineOptions = z.infer<z.ZodObject<typeof LINE_OPTIONS>>;

/** Where a device is. `auto`: whether it speaks Modbus TCP or passes on the frames of a line has to be found out. */
export type Place = LineAddress | { readonly kind: "auto"; readonly host: string; readonly port: number };

type Transport<Kind> = Extract<ProfileTransport, { readonly kind: Kind }>;
type NetTransport = Transport<NetLine["kind"]>;
type SerialTransport = Transport<SerialLine["kind"]>;

/** What the options mean for a device of a profile; null: one that describes itself. Throws when they do not fit the profile. */
export function placeOf(options: LineOptions, profile: Pick<ProfileSummary, "transports"> | null): Place {
  const { host, serialPort } = options;
  if (host !== undefined && serialPort !== undefined) {
    throw new DeviceError(
      "rejected",
      "host and serialPort are both set: a device is either in the network or on a serial line",
    );
  }
  const transports: readonly ProfileTransport[] = profile?.transports ?? [];
  if (serialPort !== undefined) return serialPlace(serialPort, options, transports.find(isSerialTransport));
  if (host !== undefined) return netPlace(host, options, transports.filter(isNetTransport), transports.length > 0);
  throw new DeviceError("rejected", "neither host nor serialPort is set: where is the device?");
}

/** The unit id of a device that has no fixed one: that of the way it is reached, else of the first one. */
export function unitOf(place: Place, profile: Pick<ProfileSummary, "transports"> | null): number {
  const transports: readonly ProfileTransport[] = profile?.transports ?? [];
  return (transports.find(({ kind }) => kind === place.kind) ?? transports[0])?.unit ?? DEFAULT_UNIT;
}

function serialPlace(path: string, options: LineOptions, usual: SerialTransport | undefined): SerialLine {
  const { framing, port } = options;
  if (port !== undefined) throw new DeviceError("rejected", "port is set with serialPort: a serial line has none");
  if (framing === "tcp" || framing === "udp" || framing === "auto") {
    throw new DeviceError("rejected", `framing ${framing} is set with serialPort: on a serial line it is rtu or ascii`);
  }
  const { baudRate, parity, dataBits, stopBits } = usual ?? DEFAULT_SERIAL;
  const kind = framing ?? usual?.kind ?? "rtu";
  if (kind === "rtu" && options.dataBits === 7) {
    throw new DeviceError("rejected", "dataBits is 7 with framing rtu: its bytes need 8");
  }
  return {
    kind,
    path,
    baudRate: options.baudRate ?? baudRate,
    parity: options.parity ?? parity,
    dataBits: options.dataBits ?? dataBits,
    stopBits: options.stopBits ?? stopBits,
  };
}

const SERIAL_OPTIONS = ["baudRate", "parity", "dataBits", "stopBits"] as const;

function netPlace(host: string, options: LineOptions, ways: readonly NetTransport[], isKnown: boolean): Place {
  const { framing } = options;
  const stray = SERIAL_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) throw new DeviceError("rejected", `${stray} is set with host: it belongs to serialPort`);
  if (framing === "ascii")
    throw new DeviceError("rejected", "framing ascii is set with host: it is spoken on a serial line only");
  const requested = framing === "rtu" ? "rtu-over-tcp" : framing;
  const usual = ways.find(({ kind }) => kind === requested) ?? ways[0];
  // A device with a serial line only hangs behind some gateway, which is either of the two kinds.
  const kind = requested ?? usual?.kind ?? (isKnown ? "auto" : "tcp");
  return { kind, host, port: options.port ?? portOf(kind, usual) };
}

function portOf(kind: Place["kind"], usual: NetTransport | undefined): number {
  if (usual !== undefined && (kind === "udp") === (usual.kind === "udp")) return usual.port;
  if (kind === "udp") throw new DeviceError("rejected", "framing udp needs port: there is no usual one");
  return MODBUS_PORT;
}

function isNetTransport(transport: ProfileTransport): transport is NetTransport {
  return !isSerialTransport(transport);
}

function isSerialTransport(transport: ProfileTransport): transport is SerialTransport {
  return transport.kind === "rtu" || transport.kind === "ascii";
}

/** Throws for a unit that no answer comes from. */
export function checkUnit(unit: number, place: Place): void {
  if (unit !== 0 || place.kind === "auto" || !isSerialLine(place)) return;
  throw new DeviceError(
    "rejected",
    "unit 0 on a serial line is nobody: what is sent there is for all units, and none answers",
  );
}

/** Where a device is and what it is. */
export interface Target<Profile> {
  /** `null` for a device that describes itself. */
  readonly profile: Profile | null;
  readonly place: Place;
  readonly unit: number;
}

/** Returns the device that options name. Throws a `DeviceError` that says which options contradict each other. */
export function targetOf<Profile extends Pick<ProfileSummary, "id" | "transports">>(
  options: ModbusOptions,
  profiles: readonly Profile[],
): Target<Profile> {
  const profile = profiles.find(({ id }) => id === options.profile) ?? null;
  const place = placeOf(options, profile);
  const unit = options.unit ?? unitOf(place, profile);
  checkUnit(unit, place);
  return { profile, place, unit };
}
