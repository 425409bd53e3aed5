/** Commands and configurations that a cloud service sends to a gateway, and the answers. */
import { z } from "zod";
import { AtMs, isShallow, TOO_DEEP, Version } from "./fields.ts";

const CommandId = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .meta({
    description:
      "Chosen by the cloud service for one command. A command that arrives again with the same id does not run again.",
  });

/** A request to the gateway's API, with the rights and limits of the cloud service's client. */
export const Command = z.looseObject({
  v: Version,
  kind: z.literal("command"),
  id: CommandId,
  expiresAtMs: AtMs.meta({
    description: "The gateway refuses the command after this time, ms since 1970; at most one day ahead.",
  }),
  version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .meta({ description: "API version of the request, such as `2024-10-01`." }),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]{0,2000}$/)
    .meta({ description: "Path and query, such as `/batteries/3f…/operation-mode`." }),
  body: z
    .unknown()
    .refine((body) => isShallow(body), { error: TOO_DEEP })
    .optional()
    .meta({ description: "JSON; absent: no body." }),
  userId: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional()
    .meta({ description: "The user, as in the API's user header; absent: no user." }),
});
export type Command = z.infer<typeof Command>;

/** Name of the event that answers a command. */
export const ANSWER_EVENT = "system:cloud:command-answered";

/**
 * The outcome of a command. `executed`: the API answered. `expired`, `refused`: the command did not run. `interrupted`:
 * it was running when the gateway ended, and its effect is unknown.
 */
const OUTCOMES = ["executed", "expired", "refused", "interrupted"] as const;

/** Payload of the event that answers a command. */
export const Answer = z
  .looseObject({
    commandId: CommandId,
    outcome: z.enum(OUTCOMES).catch("interrupted"),
    status: z.int().min(100).max(599).nullable().meta({ description: "HTTP status; null if the command did not run." }),
    contentType: z.string().max(200).nullable(),
    body: z
      .unknown()
      .meta({ description: "The API's answer: JSON if its content type says so, otherwise text; null: no body." }),
    detail: z.string().max(1_000).nullable().meta({ description: "Why the command did not run; null if it ran." }),
  })
  .meta({ description: `Payload of \`${ANSWER_EVENT}\`.` });
export type Answer = z.infer<typeof Answer>;

/** Name of the event that reports the outcome of a remote configuration. */
export const CONFIGURED_EVENT = "system:cloud:configured";

/** Settings of the sync. An unknown key is ignored and named in the answer. */
export const RemoteSettings = z.looseObject({
  telemetry: z.enum(["full", "quarter-hour", "off"]).optional().meta({
    description:
      "Resolution of the telemetry; default `full`. `off`: no telemetry is sent; it is sent later, when it is switched on again.",
  }),
  backlogPercent: z.int().min(10).max(90).optional().meta({
    description: "Share of the bandwidth for waiting records while there are new ones as well, percent; default 70.",
  }),
});
export type RemoteSettings = z.infer<typeof RemoteSettings>;

/** A complete document each time: what it leaves out is as in the gateway's own file, or has its default. */
export const Configuration = z.looseObject({
  v: Version,
  kind: z.literal("configuration"),
  revision: z.int().min(1).meta({
    description: "Grows with each change. A revision that was received before, and any older one, is ignored.",
  }),
  settings: RemoteSettings.default({}).meta({ description: "Settings of the sync." }),
  configuration: z
    .record(z.string().max(100), z.unknown())
    .refine((sections) => isShallow(sections), { error: TOO_DEEP })
    .default({})
    .meta({
      description:
        "Sections of the gateway's configuration file, such as `devices`; each replaces the whole section of the file. `gateway.schema.json` describes them; docs/remote-configuration.md lists those that may be set.",
    }),
});
export type Configuration = z.infer<typeof Configuration>;

/**
 * The outcome of a document. `applied`: it is in use. `refused`: it is invalid and changed nothing. `rolled-back`: the
 * previous configuration is in use again.
 */
const CONFIGURED = ["applied", "refused", "rolled-back"] as const;
/** Mistakes that are reported; further ones are left out. */
export const MAX_CONFIGURATION_ERRORS = 50;
const MAX_TEXT = 300;

/** Payload of the event that reports the outcome of a remote configuration. */
export const Configured = z
  .looseObject({
    revision: z.int().min(1),
    outcome: z.enum(CONFIGURED).catch("refused"),
    reason: z.string().max(MAX_TEXT).nullable().meta({
      description:
        "Why it was rolled back: `not-connected`: no connection during the trial; `interrupted`: the gateway ended during the trial; `broken-start`: the gateway did not start with it; `local-change`: the section was changed in the gateway's own file; `invalid`: not valid for this version of the gateway; null otherwise.",
    }),
    errors: z
      .array(
        z.looseObject({
          path: z.string().max(MAX_TEXT).meta({ description: "Such as `devices[1].port`; empty: the whole document." }),
          problem: z.string().max(MAX_TEXT),
          expected: z.string().max(MAX_TEXT).nullable(),
        }),
      )
      .max(MAX_CONFIGURATION_ERRORS)
      .meta({ description: "What is wrong, without the values." }),
    inUse: z.int().min(1).nullable().meta({
      description: "The revision in use; null: only the gateway's own file.",
    }),
    unknownKeys: z.array(z.string()).max(100).meta({ description: "Settings that this gateway does not support." }),
  })
  .meta({ description: `Payload of \`${CONFIGURED_EVENT}\`.` });
export type Configured = z.infer<typeof Configured>;
