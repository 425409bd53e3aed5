/** Fields that several messages of the cloud protocol share. */
import { z } from "zod";
import { MAX_DEPTH, MAX_RANGES, MAX_REASON, PROTOCOL_VERSION } from "./limits.ts";

export const Version = z.literal(PROTOCOL_VERSION).meta({ description: "Protocol version of the message." });

export const GatewayId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .meta({ description: "Name of the gateway, set at its enrolment; it never changes." });

export const Epoch = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ description: "Random id of a run of numbers; a new one starts after damage, a restore or a clone." });

/** The streams of this version; a receiver ignores streams that it does not know. */
const STREAM_NAMES = ["event", "state", "telemetry"] as const;

export const StreamKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/)
  .meta({ description: `A stream: ${STREAM_NAMES.join(", ")}; an unknown stream is ignored.` });

export const Seq = z
  .int()
  .min(1)
  .meta({ description: "Number of a record; it starts with 1 in each stream and epoch." });
export const Through = z.int().min(0).meta({ description: "The last number; 0: none yet." });

export const AtMs = z
  .int()
  .min(0)
  // The last instant of a JavaScript date.
  .max(8_640_000_000_000_000)
  .meta({ description: "Wall-clock time, milliseconds since 1970-01-01T00:00Z.", examples: [1_795_000_000_000] });

export const Range = z
  .looseObject({ from: Seq, through: Seq })
  .meta({ description: "A range of numbers, both ends included." });
export type Range = z.infer<typeof Range>;

export const Reason = z.string().max(MAX_REASON).meta({ description: "What is wrong and where, in English." });

/** Returns true if objects and arrays are nested at most `levels` deep, including the value itself. */
export function isShallow(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

export const TOO_DEEP = `objects and arrays are nested more than ${MAX_DEPTH} deep`;

export const Ranges = z.array(Range).max(MAX_RANGES);

export const Boot = z
  .looseObject({
    number: z.int().min(0).meta({ description: "Counts the gateway's starts." }),
    id: z.string().max(64).meta({ description: "Random, new at each start." }),
  })
  .meta({
    description:
      "A start of the gateway. Two gateways with copies of one disk have the same numbers and different ids.",
  });
export type Boot = z.infer<typeof Boot>;
