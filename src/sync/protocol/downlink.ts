/** What a cloud service asks of a gateway, and how that is answered. */
import { z } from "zod";
import { AtMs, Version } from "./fields.ts";

const CommandId = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .meta({ description: "Made by the cloud service for one command: whatever comes again under it never runs twice." });

/** A request of the gateway's API, run with the rights and limits of the cloud service's own client. */
export const Command = z.looseObject({
  v: Version,
  kind: z.literal("command"),
  id: CommandId,
  expiresAtMs: AtMs.meta({
    description: "It is refused afterwards, by the gateway's clock, ms since 1970; at most a day ahead.",
  }),
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .meta({ description: "Version of the API that it is written in, such as `2024-10-01`." }),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]{0,2000}$/)
    .meta({ description: "Path and query of the API, such as `/batteries/3f…/operation-mode`." }),
  body: z.unknown().optional().meta({ description: "JSON; absent: none." }),
  userId: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional()
    .meta({ description: "The user whom it is for, as the API's user header says; absent: none." }),
});
export type Command = z.infer<typeof Command>;

/** Name of the event that answers a command. */
export const ANSWER_EVENT = "system:cloud:command-answered";

/**
 * What became of a command. `executed`: the API answered. `expired`, `refused`: it was not run. `interrupted`: it was
 * running when the gateway ended, and nobody knows how far it came.
 */
const OUTCOMES = ["executed", "expired", "refused", "interrupted"] as const;

/** Payload of the event that answers a command. */
export const Answer = z
  .looseObject({
    commandId: CommandId,
    outcome: z.enum(OUTCOMES).catch("interrupted"),
    status: z.int().min(100).max(599).nullable().meta({ description: "HTTP status; null when the API was not asked." }),
    contentType: z.string().max(200).nullable(),
    body: z.unknown().meta({ description: "The API's answer, JSON where its type says so, else text; null: none." }),
    detail: z.string().max(1_000).nullable().meta({ description: "Why it was not run; null when it was." }),
  })
  .meta({ description: `Payload of \`${ANSWER_EVENT}\`.` });
export type Answer = z.infer<typeof Answer>;

/** Name of the event that says what became of a remote configuration. */
export const CONFIGURED_EVENT = "system:cloud:configured";

/**
 * What a cloud service may set of a gateway while it runs: how it is told, and nothing else. Where it is told, as whom, and
 * what is waiting never change this way. A key that is not known is left alone and named in the answer.
 */
export const RemoteSettings = z.looseObject({
  telemetry: z.enum(["full", "quarter-hour", "off"]).optional().meta({
    description:
      "How fine the telemetry is; default `full`. `off`: none is sent, and what was measured meanwhile is sent once it is on.",
  }),
  backlogPercent: z.int().min(10).max(90).optional().meta({
    description: "Part of what is sent that goes to what waited, while new records come as well; default 70.",
  }),
});
export type RemoteSettings = z.infer<typeof RemoteSettings>;

/** The whole document each time. One with a revision that was seen, or with nothing new in it, changes nothing. */
export const Configuration = z.looseObject({
  v: Version,
  kind: z.literal("configuration"),
  revision: z.int().min(1).meta({ description: "Grows with each change of the document." }),
  settings: RemoteSettings,
});
export type Configuration = z.infer<typeof Configuration>;

/** Payload of the event that says what became of a remote configuration. */
export const Configured = z
  .looseObject({
    revision: z.int().min(1),
    unknownKeys: z.array(z.string()).max(100).meta({ description: "Settings that this gateway does not know." }),
  })
  .meta({ description: `Payload of \`${CONFIGURED_EVENT}\`.` });
export type Configured = z.infer<typeof Configured>;
