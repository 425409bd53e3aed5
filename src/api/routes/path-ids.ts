/** Ids in paths. An id that cannot be one is simply not found: no schema refuses it, so that nothing can be probed. */
import { z } from "zod";

/** The parameters of a path with one uuid in it. */
export function pathId(name: string) {
  return z.object({ [name]: z.string().meta({ format: "uuid" }) });
}

/** The parameters of a path with a user in it. */
export const UserPath = z.object({
  userId: z.string().meta({ description: "The user's id, as the client or the configuration chose it." }),
});

/** The only id of a path; "" never is one. */
export function idIn(params: Readonly<Record<string, string>>): string {
  return Object.values(params)[0] ?? "";
}
