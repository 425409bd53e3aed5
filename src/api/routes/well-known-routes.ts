/** Texts that vendors want to find at the owner's own domain, such as the key that signs commands: to be copied there. */
import { z } from "zod";
import { problem } from "../../domain/problem.ts";
import type { Api, RouteParts } from "../api.ts";

/** RFC 8615 with the name that Tesla, among others, chose below it. */
export const WELL_KNOWN_PATH = "/.well-known/appspecific/:name";
const MAX_NAME = 100;

export function wellKnownRoutes(api: Api, { engine }: RouteParts): void {
  const params = z.object({ name: z.string().min(1).max(MAX_NAME) });
  api.get(WELL_KNOWN_PATH, { schema: { hide: true, params } }, async (request, reply) => {
    const text = await engine.services.vendors.wellKnown(`appspecific/${request.params.name}`);
    if (text === null) throw problem("not-found", "No vendor looks for anything of that name.");
    return reply.type("text/plain; charset=utf-8").send(text);
  });
}
