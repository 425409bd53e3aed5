/** Batches of records that a gateway sends to a cloud service. */
import { z } from "zod";
import { AtMs, Boot, Epoch, isShallow, Range, Seq, StreamKey, Through, TOO_DEEP, Version } from "./fields.ts";
import { MAX_BATCH_RECORDS, MAX_DEPTH, MAX_RANGES } from "./limits.ts";

/** How reliable a record's time is. An unknown quality is read as `unset`. */
const QUALITIES = ["synced", "restored", "redated", "unset"] as const;

/** Why numbers will never be sent. An unknown reason is read as `dropped`. */
const GAP_REASONS = ["damaged", "too-large", "acknowledged", "dropped", "malformed"] as const;

const EarlierPlace = z.looseObject({ epoch: Epoch, seq: Seq });

/** One record: an event, a state or a quarter of an hour of telemetry. */
export const SyncRecord = z
  .looseObject({
    seq: Seq,
    boot: z.int().min(0).meta({ description: "Number of the gateway's start in which the record was written." }),
    monotonicMs: z.number().meta({
      description:
        "Time of the record on a monotonic clock, ms. Use it for order and distance of records of one boot only.",
    }),
    atMs: AtMs.meta({ description: "Time of the record, wall clock, ms since 1970; see `quality`." }),
    quality: z.enum(QUALITIES).catch("unset").meta({
      description:
        "`synced`: the clock was set by a time source. `restored`: the clock was set from the disk. `redated`: the time was corrected later. `unset`: the time is unreliable.",
    }),
    event: z.string().min(1).max(200).meta({ description: "What happened, such as `user:meter:updated`." }),
    entity: z.string().max(300).nullable().meta({
      description: "The entity whose state this is, such as `meter/3f…`; null in the event stream.",
    }),
    payload: z.unknown().meta({
      description:
        "The payload of a webhook event of that name. In the state stream an event that ends in `:deleted` means that the entity was deleted.",
    }),
    was: z.array(EarlierPlace).max(64).optional().meta({
      description:
        "In the event stream only: the record's numbers in earlier epochs. It may have arrived under one of them: a record of the stream with the same boot, monotonicMs, event and payload is the same record.",
    }),
  })
  .refine((record) => isShallow(record), { error: TOO_DEEP })
  .meta({ description: `Objects and arrays are nested at most ${MAX_DEPTH} deep, including the record.` });
export type SyncRecord = z.infer<typeof SyncRecord>;

const Gap = Range.extend({
  reason: z.enum(GAP_REASONS).catch("dropped").meta({
    description:
      "`damaged`: the disk lost the records. `too-large`: larger than a message may be. `acknowledged`: acknowledged before, and therefore deleted. `dropped`: deleted as the oldest when there was no space. `malformed`: the record breaks a limit of this protocol.",
  }),
  fromMs: AtMs.optional().meta({ description: "Start of the missing time, if known." }),
  throughMs: AtMs.optional().meta({ description: "End of the missing time, if known." }),
}).meta({ description: "Numbers that will never be sent." });
export type Gap = z.infer<typeof Gap>;

/** Name of the event that reports lost numbers. */
export const LOSS_EVENT = "system:outbox:gap";

/** Payload of the event that reports lost numbers, of this epoch or of earlier ones. */
export const Losses = z
  .looseObject({
    gaps: z.array(Range.extend({ epoch: Epoch, stream: StreamKey })).max(MAX_RANGES),
  })
  .meta({ description: `Payload of \`${LOSS_EVENT}\`.` });

/**
 * Covers every number from `from` to `through`. In the event stream each of them is a record or in a gap. In the state
 * stream a number without either was replaced by a later one of its entity; in the telemetry stream no device had a
 * sample in that quarter of an hour.
 */
export const Batch = z.looseObject({
  v: Version,
  kind: z.literal("batch"),
  bootId: Boot.shape.id.meta({
    description: "Id of the gateway's start that sends it: the last of the hello's `boots`.",
  }),
  stream: StreamKey,
  epoch: Epoch,
  from: Seq,
  through: Through.meta({ description: "The last number that it covers." }),
  historical: z.boolean().meta({ description: "True if the records are from before this connection." }),
  records: z.array(SyncRecord).max(MAX_BATCH_RECORDS).meta({ description: "By number, ascending." }),
  gaps: z.array(Gap).max(MAX_RANGES).meta({ description: "By number, ascending; gaps and records do not overlap." }),
});
export type Batch = z.infer<typeof Batch>;

const DeviceColumns = z.looseObject({
  deviceId: z.string().max(100),
  offsetsMs: z.array(z.int()).max(100_000).meta({ description: "Time of each row, ms after `fromMs`." }),
  points: z
    .record(z.string().max(100), z.array(z.union([z.number(), z.string(), z.boolean(), z.null()])).max(100_000))
    .meta({
      description:
        "The values of a point, one per row; null: unknown. Units and signs are those of the points, such as W.",
    }),
});

/** Payload of a telemetry record: the samples of all devices in a quarter of an hour, column by column. */
export const TelemetryPayload = z
  .looseObject({
    fromMs: AtMs.meta({
      description:
        "Start of the quarter-hour, ms since 1970. A later record of the same quarter-hour replaces an earlier one.",
    }),
    resolution: z.enum(["full", "quarter-hour"]).catch("full").meta({
      description:
        "`full`: all samples. `quarter-hour`: one row with the mean of each number and the last value of anything else.",
    }),
    devices: z.array(DeviceColumns).max(1_000).meta({ description: "The devices that have a sample." }),
  })
  .meta({ description: "The payload of a telemetry record." });
export type TelemetryPayload = z.infer<typeof TelemetryPayload>;
