/** How the two sides agree where they stand, before anything is sent. */
import { z } from "zod";
import { AtMs, Boot, Epoch, GatewayId, Range, Ranges, Reason, Seq, StreamKey, Through, Version } from "./fields.ts";
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_RECORDS,
  MAX_BOOTS,
  MAX_EARLIER,
  MAX_MESSAGE_BYTES,
  MAX_STREAMS,
  MAX_WINDOW,
} from "./limits.ts";

const Position = z
  .looseObject({
    epoch: Epoch,
    acked: Through.meta({ description: "The last number that the gateway believes to be acknowledged." }),
    next: Seq.meta({ description: "The number that its next record gets." }),
  })
  .meta({ description: "Where a stream stands at the gateway." });

const Applied = z
  .looseObject({
    epoch: Epoch,
    applied: Through.meta({ description: "The last number up to which all is committed." }),
  })
  .meta({ description: "Where a stream stands at the cloud service: in the epoch that the hello names, else 0." });

const Earlier = z.looseObject({
  stream: StreamKey,
  epoch: Epoch,
  acked: Through.meta({ description: "The last number that the cloud service acknowledged." }),
});

const EarlierApplied = z.looseObject({
  stream: StreamKey,
  epoch: Epoch,
  applied: Through.meta({ description: "The last number up to which all is committed; 0 for one that is not known." }),
});

const Meeting = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: "Made for each hello; its welcome repeats it, so that a late one of another hello is known." });

/** The gateway's first message on every connection, and again after it began another epoch. */
export const Hello = z.looseObject({
  v: Version,
  kind: z.literal("hello"),
  meeting: Meeting,
  versions: z.array(z.int().min(1)).min(1).max(16).meta({ description: "Versions of the contract that it speaks." }),
  gateway: GatewayId,
  software: z.string().max(100).meta({ description: "Such as `hemgate/0.1.0`." }),
  boots: z.array(Boot).min(1).max(MAX_BOOTS).meta({
    description: "Its starts, ascending: first the one that was welcomed last, last the one that runs.",
  }),
  streams: z
    .record(StreamKey, Position)
    .refine((streams) => Object.keys(streams).length <= MAX_STREAMS, { error: `more than ${MAX_STREAMS} streams` }),
  earlier: z.array(Earlier).max(MAX_EARLIER).optional().meta({
    description:
      "Epochs before those in `streams`, so that a cloud service that was restored can say what it lost of them.",
  }),
  clock: z.looseObject({ atMs: AtMs, quality: z.string().max(20) }),
  configuration: z
    .looseObject({
      revision: z.int().min(1).nullable().meta({ description: "In use; null: the house's own file alone." }),
      seen: z.int().min(0).meta({ description: "The last revision taken; one is sent only when it is more." }),
      isOnTrial: z.boolean().meta({ description: "True: it is kept once this hello is answered by a welcome." }),
      digest: z.string().max(100).meta({ description: "Changes when anything of the configuration in use does." }),
    })
    .optional()
    .meta({ description: "Which configuration is in use." }),
});
export type Hello = z.infer<typeof Hello>;

/** The answer to a hello. Nothing else is sent before it. */
export const Welcome = z.looseObject({
  v: Version,
  kind: z.literal("welcome"),
  gateway: GatewayId,
  meeting: Meeting,
  version: z.int().min(1).meta({ description: "The version that both go on with." }),
  isFork: z.boolean().meta({
    description:
      "The start that was welcomed last is none of the hello's, and the epoch is known: the gateway was restored from an older card, or there are two. It has to begin another epoch and say hello again.",
  }),
  knownBoot: Boot.nullable().meta({ description: "The newest of the hello's starts that was welcomed before." }),
  streams: z
    .record(StreamKey, Applied)
    .meta({ description: "The streams that it takes; one that is absent stays at the gateway." }),
  earlier: z.array(EarlierApplied).max(MAX_EARLIER).optional().meta({
    description: "What is applied of the hello's `earlier`. What is less than it says is told as a gap, or again.",
  }),
  window: z.int().min(1).max(MAX_WINDOW).meta({ description: "Batches that may be unacknowledged at once." }),
  maxBatchBytes: z.int().min(4_096).max(MAX_MESSAGE_BYTES).default(MAX_BATCH_BYTES),
  atMs: AtMs.meta({ description: "The cloud service's clock. The gateway's is not set by it." }),
});
export type Welcome = z.infer<typeof Welcome>;

const Refused = Range.extend({ reason: Reason });
/** Numbers whose records the cloud service does not take, and why. */
export type Refused = z.infer<typeof Refused>;

/** Sent after the cloud service has committed what it names, and only then. */
export const Ack = z.looseObject({
  v: Version,
  kind: z.literal("ack"),
  stream: StreamKey,
  epoch: Epoch,
  through: Through.meta({ description: "All numbers up to here are committed." }),
  missing: Ranges.meta({ description: "Numbers after `through` that are missed while later ones have arrived." }),
  refused: z.array(Refused).max(MAX_BATCH_RECORDS).optional().meta({
    description:
      "Numbers up to `through` whose records break this contract: they are not taken, now or later, and need not be sent again. Absent: none.",
  }),
});
export type Ack = z.infer<typeof Ack>;

/** A message that cannot be read as one of the contract's, nor which numbers it is about. Sending it again does not help. */
export const Refusal = z.looseObject({
  v: Version,
  kind: z.literal("refusal"),
  of: z.string().max(100).nullable().meta({ description: "Kind of the message; null: not even that can be read." }),
  reason: Reason,
});
export type Refusal = z.infer<typeof Refusal>;

/** Asks for numbers once more, such as after an audit. What is gone comes as a gap. */
export const GapRequest = z.looseObject({
  v: Version,
  kind: z.literal("gap-request"),
  stream: StreamKey,
  epoch: Epoch,
  ranges: Ranges,
});
export type GapRequest = z.infer<typeof GapRequest>;

/** Why a cloud service ends a connection. A reason that is not known is read as `busy`. */
export const Goodbye = z.looseObject({
  v: Version,
  kind: z.literal("goodbye"),
  reason: z.enum(["busy", "taken-over", "quota", "not-enrolled", "version"]).catch("busy").meta({
    description:
      "`taken-over`: the gateway has a newer connection. `not-enrolled`: no gateway of that name is known. `version`: none in common.",
  }),
  retryAfterMs: z.int().min(0).max(86_400_000).meta({ description: "How long to stay away." }),
});
export type Goodbye = z.infer<typeof Goodbye>;
