/** Who changed and commanded what: the entries of a list of bounded length. No bodies, no secrets. */
import { z } from "zod";
import { HOUR_MS } from "../duration.ts";
import { Instant } from "../fields.ts";
import { Pagination } from "../page.ts";

/** Entries kept; the oldest go first. */
export const MAX_AUDIT_ENTRIES = 1_000;
/** The same again within this time is counted, so that a client that repeats itself does not push out all others. */
const SAME_WITHIN_MS = HOUR_MS;

const ACTOR_KINDS = ["account", "client", "mqtt", "program", "box", "unknown"] as const;

export const AuditEntry = z
  .object({
    id: z.string(),
    at: Instant.meta({ description: "Time of the request; of the first one if `count` is above 1." }),
    lastAt: Instant.meta({ description: "Time of the last request that is counted here." }),
    count: z.int().min(1).meta({ description: "Equal requests of one caller within an hour." }),
    who: z
      .object({
        kind: z.enum(ACTOR_KINDS).meta({
          description:
            "`account`: a person. `client`: a program with a token. `mqtt`: a command over MQTT. `program`: a write through the Modbus proxy; `id` is its IP address. `box`: the command line on the gateway's machine. `unknown`: a sign-in or claim that failed.",
        }),
        id: z.string().nullable(),
        name: z.string().nullable().meta({ description: "As it was called then; plain text." }),
      })
      .meta({ id: "AuditActor" }),
    method: z.string().nullable().meta({ description: "`null` for what is no request of the API." }),
    path: z.string().meta({
      description:
        "Path without its query; else the MQTT topic, the write through the Modbus proxy, or the command line.",
    }),
    status: z.int().nullable().meta({ description: "HTTP status of the answer; `null` for what is no request." }),
    outcome: z.enum(["done", "refused", "failed"]).meta({
      description: "`refused`: not allowed or not possible. `failed`: the gateway's fault.",
    }),
  })
  .meta({ id: "AuditEntry" });

export const AuditPage = z.object({ data: z.array(AuditEntry), pagination: Pagination }).meta({ id: "AuditPage" });

export interface AuditActor {
  readonly kind: (typeof ACTOR_KINDS)[number];
  readonly id: string | null;
  readonly name: string | null;
}

/** Something that was changed or commanded, or tried. */
export interface AuditedDeed {
  readonly who: AuditActor;
  readonly method: string | null;
  readonly path: string;
  readonly status: number | null;
  readonly outcome: z.infer<typeof AuditEntry>["outcome"];
}

export interface AuditRecord extends AuditedDeed {
  readonly id: string;
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly lastAtMs: number;
  readonly count: number;
}

/** Returns true if the deed only has to be counted with an entry. */
export function isSameDeed(record: AuditRecord, deed: AuditedDeed, nowMs: number): boolean {
  const age = nowMs - record.atMs;
  return age >= 0 && age < SAME_WITHIN_MS && keyOfDeed(record) === keyOfDeed(deed);
}

/** Returns the outcome that an HTTP status stands for. */
export function outcomeOf(status: number): AuditedDeed["outcome"] {
  return status < 400 ? "done" : status < 500 ? "refused" : "failed";
}

/** A text that is equal for deeds that are the same. */
export function keyOfDeed({ who, method, path, status, outcome }: AuditedDeed): string {
  return JSON.stringify([who.kind, who.id, method, path, status, outcome]);
}
