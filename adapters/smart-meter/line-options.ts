/** The options of a meter, and the line that they mean. */
import { DeviceError, type SerialSettings } from "hemgate/sdk";
import { z } from "zod";
import { SIGN_ON_BAUD } from "./iec/read-out.ts";
import type { LinePlace } from "./line-place.ts";

const PROTOCOLS = ["p1", "sml", "iec62056-21"] as const;
const BAUD = { min: 300, max: 921_600 };
const KEY = /^[0-9A-Fa-f]{32}$/;

export const METER_OPTIONS = z.object({
  protocol: z
    .enum(PROTOCOLS)
    .meta({ description: "What the meter speaks: p1 (DSMR and its relatives), sml, or iec62056-21 (also called D0)." }),
  host: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]{1,253}$/, "is no name or IP address")
    .optional()
    .meta({ description: "Name or IP address of what passes the line on over TCP; this or serialPort." }),
  port: z.int().min(1).max(65_535).optional().meta({ description: "TCP port there." }),
  serialPort: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Serial port of the cable or optical head, best a name under /dev/serial/by-id." }),
  baudRate: z
    .int()
    .min(BAUD.min)
    .max(BAUD.max)
    .optional()
    .meta({ description: "Bits a second; default 115200 for p1 and 9600 for the others; 9600 for DSMR 2 and 3." }),
  parity: z
    .enum(["none", "even", "odd"])
    .optional()
    .meta({ description: "Default none, and even for iec62056-21; even for DSMR 2 and 3." }),
  dataBits: z
    .union([z.literal(7), z.literal(8)])
    .optional()
    .meta({ description: "Default 8, and 7 for iec62056-21; 7 for DSMR 2 and 3." }),
  stopBits: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .meta({ description: "Default 1." }),
  mode: z.enum(["request", "push"]).optional().meta({
    description: "For iec62056-21: request (default) asks the meter, push listens to one that speaks by itself.",
  }),
  meterAddress: z
    .string()
    .regex(/^[0-9A-Za-z ]{1,32}$/, "is no device address")
    .optional()
    .meta({ description: "For iec62056-21 with request: the number of one meter of several on a line." }),
  intervalSeconds: z.number().min(0.5).max(3_600).optional().meta({
    description:
      "How often a telegram comes, s; three times that without one is too long. With request: how often to ask.",
  }),
  key: z
    .string()
    .regex(KEY, "is not 32 hex digits")
    .optional()
    .meta({ description: "For p1 in Luxembourg and Austria: the key from the grid operator, 32 hex digits." }),
  authenticationKey: z
    .string()
    .regex(KEY, "is not 32 hex digits")
    .optional()
    .meta({ description: "Beside key, where the grid operator gives one; default the one that Luxembourg uses." }),
});
export type MeterOptions = z.infer<typeof METER_OPTIONS>;

type SerialFormat = Omit<SerialSettings, "path">;

const TEXT_7E1: SerialFormat = { baudRate: 9_600, dataBits: 7, parity: "even", stopBits: 1 };
const SERIAL: Readonly<Record<MeterOptions["protocol"], SerialFormat>> = {
  p1: { baudRate: 115_200, dataBits: 8, parity: "none", stopBits: 1 },
  sml: { baudRate: 9_600, dataBits: 8, parity: "none", stopBits: 1 },
  "iec62056-21": TEXT_7E1,
};
const SERIAL_OPTIONS = ["baudRate", "parity", "dataBits", "stopBits"] as const;

/** Whether the meter has to be asked. */
export function isAsked({ protocol, mode }: MeterOptions): boolean {
  return protocol === "iec62056-21" && mode !== "push";
}

/** Where the line is. Throws a `DeviceError` that says which options contradict each other. */
export function placeOf(options: MeterOptions): LinePlace {
  checkProtocolOptions(options);
  const { host, port, serialPort } = options;
  if (host !== undefined && serialPort !== undefined) {
    throw rejected("host and serialPort are both set: the line is either behind one or at the other");
  }
  if (serialPort !== undefined) {
    if (port !== undefined) throw rejected("port is set with serialPort: a serial line has none");
    return serialPlace(serialPort, options);
  }
  if (host === undefined) throw rejected("neither host nor serialPort is set: where is the meter?");
  const stray = SERIAL_OPTIONS.find((name) => options[name] !== undefined);
  if (stray !== undefined) throw rejected(`${stray} is set with host: it belongs to serialPort`);
  if (port === undefined) throw rejected("port is missing: there is no usual one for meters behind a host");
  return { kind: "tcp", host, port };
}

function serialPlace(path: string, options: MeterOptions): LinePlace {
  const usual = SERIAL[options.protocol];
  if (isAsked(options) && options.baudRate !== undefined) {
    throw rejected(
      `baudRate is set with mode request: the line begins at ${SIGN_ON_BAUD}, and the meter says how it goes on`,
    );
  }
  return {
    kind: "serial",
    path,
    baudRate: isAsked(options) ? SIGN_ON_BAUD : (options.baudRate ?? usual.baudRate),
    dataBits: options.dataBits ?? usual.dataBits,
    parity: options.parity ?? usual.parity,
    stopBits: options.stopBits ?? usual.stopBits,
  };
}

function checkProtocolOptions(options: MeterOptions): void {
  const { protocol, mode, meterAddress, key, authenticationKey, dataBits } = options;
  if (mode !== undefined && protocol !== "iec62056-21") throw rejected(`mode is set with ${protocol}, which has none`);
  if (meterAddress !== undefined && !isAsked(options)) {
    throw rejected("meterAddress is set, but nobody asks the meter: it belongs to iec62056-21 with mode request");
  }
  if (key !== undefined && protocol !== "p1") throw rejected(`key is set with ${protocol}: it belongs to p1`);
  if (authenticationKey !== undefined && key === undefined) throw rejected("authenticationKey is set without key");
  if (dataBits === 7 && (protocol === "sml" || key !== undefined)) {
    throw rejected("dataBits is 7, but the telegrams are binary and need 8");
  }
}

function rejected(message: string): DeviceError {
  return new DeviceError("rejected", message);
}
