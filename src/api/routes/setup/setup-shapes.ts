/** What the routes of the setup have in common. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { Instant } from "../../../domain/fields.ts";
import { LONGEST_NOTE } from "../../../domain/setup/setup-steps.ts";
import type { SetupActor } from "../../../engine/contracts/setup.ts";
import type { RouteParts } from "../../api.ts";

export const TAGS = ["setup"];

export const Actor = z
  .object({
    kind: z.enum(["account", "client"]).meta({ description: "`account`: a person. `client`: a program with a token." }),
    id: z.string(),
    name: z.string().meta({ description: "As it was called then; plain text." }),
  })
  .meta({ id: "SetupActor" });

export const By = { by: Actor, at: Instant.meta({ description: "Time at which it was done." }) } as const;

/** A remark of a person; an empty text counts as no remark. */
export const Note = z.string().trim().max(LONGEST_NOTE).nullable();

export const ControlValue = z.union([z.number(), z.boolean(), z.string()]);

/** Who asks: the person, or else the program. */
export function actorOf({ callerOf }: Pick<RouteParts, "callerOf">, request: FastifyRequest): SetupActor {
  const { session, client } = callerOf(request);
  if (session !== null) return { kind: "account", id: session.account.id, name: session.account.name };
  return { kind: "client", id: client?.id ?? "", name: client?.name ?? "" };
}

export function noteOf(note: string | null | undefined): string | null {
  return note === undefined || note === "" ? null : note;
}
