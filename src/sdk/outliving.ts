import { z } from "zod";

/** The option `confirmNoFailsafe` of an adapter; `whose` has no timer of its own. */
export function confirmedNoFailsafe(whose: "device" | "vendor") {
  return z
    .boolean()
    .default(false)
    .meta({
      description: `True lets a battery be charged, discharged or held by force although the ${whose} has no timer that would end it: if the gateway dies for good, somebody has to.`,
    });
}
