/** What a cloud service asks of a gateway, and how that is answered. */
import { z } from "zod";
import { AtMs, isShallow, TOO_DEEP, Version } from "./fields.ts";

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
  body: z
    .unknown()
    .refine((body) => isShallow(body), { error: TOO_DEEP })
    .optional()
    .meta({ description: "JSON; absent: none." }),
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

/** How a gateway shall tell. A key that is not known is left alone and named in the answer. */
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

/** The whole document each time: what it leaves out is as in the house's own file, or at its default. */
export const Configuration = z.looseObject({
  v: Version,
  kind: z.literal("configuration"),
  revision: z
    .int()
    .min(1)
    .meta({ description: "Grows with each change. One that was seen, and any older, is ignored." }),
  settings: RemoteSettings.default({}).meta({ description: "How the gateway shall tell." }),
  configuration: z
    .record(z.string().max(100), z.unknown())
    .refine((sections) => isShallow(sections), { error: TOO_DEEP })
    .default({})
    .meta({
      description:
        "Sections of the gateway's configuration file, such as `devices`, each in place of the file's whole section. `gateway.schema.json` says what they hold, and docs/remote-configuration.md which may be set.",
    }),
});
export type Configuration = z.infer<typeof Configuration>;

/** `applied`: it is in use. `refused`: it is wrong, and changed nothing. `rolled-back`: what was before is in use again. */
const CONFIGURED = ["applied", "refused", "rolled-back"] as const;
/** Mistakes that are told; a document with more is of another kind. */
export const MAX_CONFIGURATION_ERRORS = 50;
const MAX_TEXT = 300;

/** Payload of the event that says what became of a remote configuration. */
export const Configured = z
  .looseObject({
    revision: z.int().min(1),
    outcome: z.enum(CONFIGURED).catch("refused"),
    reason: z.string().max(MAX_TEXT).nullable().meta({
      description:
        "Why it was rolled back: `not-connected` in its time, `interrupted` by an end of the gateway, `broken-start`, `local-change` of a section in the house's own file, or `invalid` for this version of the gateway; null otherwise.",
    }),
    errors: z
      .array(
        z.looseObject({
          path: z.string().max(MAX_TEXT).meta({ description: "Such as `devices[1].port`; empty: the whole." }),
          problem: z.string().max(MAX_TEXT),
          expected: z.string().max(MAX_TEXT).nullable(),
        }),
      )
      .max(MAX_CONFIGURATION_ERRORS)
      .meta({ description: "What is wrong, without the values that stand there." }),
    inUse: z.int().min(1).nullable().meta({
      description: "The revision that is in use now; null: the house's own file alone.",
    }),
    unknownKeys: z.array(z.string()).max(100).meta({ description: "Settings that this gateway does not know." }),
  })
  .meta({ description: `Payload of \`${CONFIGURED_EVENT}\`.` });
export type Configured = z.infer<typeof Configured>;
