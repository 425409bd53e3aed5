/** What several messages of the contract with a cloud service have in common. */
import { z } from "zod";
import { MAX_DEPTH, MAX_RANGES, MAX_REASON, PROTOCOL_VERSION } from "./limits.ts";

export const Version = z
  .literal(PROTOCOL_VERSION)
  .meta({ description: "Version of the contract that the message is written in." });

export const GatewayId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .meta({ description: "Which gateway it is; given when it is enrolled, and kept for good." });

export const Epoch = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .meta({ description: "The run of numbers that a number belongs to; chance, new after damage, restore or a clone." });

/** The streams that are known today; others may come, and are left alone by who does not know them. */
const STREAM_NAMES = ["event", "state", "telemetry"] as const;

export const StreamKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/)
  .meta({ description: `A stream: ${STREAM_NAMES.join(", ")}; one that is not known is left alone.` });

export const Seq = z.int().min(1).meta({ description: "Number of a record, from 1 in its stream and epoch." });
export const Through = z.int().min(0).meta({ description: "The last number meant; 0: none yet." });

export const AtMs = z
  .int()
  .min(0)
  // The last instant that a date of JavaScript can be.
  .max(8_640_000_000_000_000)
  .meta({ description: "Wall-clock instant, milliseconds since 1970-01-01T00:00Z.", examples: [1_795_000_000_000] });

export const Range = z.looseObject({ from: Seq, through: Seq }).meta({ description: "Numbers, both ends included." });
export type Range = z.infer<typeof Range>;

export const Reason = z.string().max(MAX_REASON).meta({ description: "What is wrong and where, in English." });

/** Whether at most so many objects and arrays are within each other, the value itself among them. */
export function isShallow(value: unknown, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

export const TOO_DEEP = `more than ${MAX_DEPTH} objects and arrays are within each other`;

export const Ranges = z.array(Range).max(MAX_RANGES);

export const Boot = z
  .looseObject({
    number: z.int().min(0).meta({ description: "Counts the gateway's starts." }),
    id: z.string().max(64).meta({ description: "Chance, made anew at each start." }),
  })
  .meta({
    description: "A start of the gateway. Two boxes with one card's image have the same numbers, and other ids.",
  });
export type Boot = z.infer<typeof Boot>;
