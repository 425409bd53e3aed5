import { z } from "zod";

/** Says whether a device provides a function, and which interventions of the user can change that (rule I2.1). */
export const Capability = z
  .object({
    isCapable: z.boolean().meta({ description: "`true` if the device fully provides the data or function." }),
    interventionIds: z.array(z.uuid()).meta({
      description: "Interventions by which the user can make the device capable.",
    }),
  })
  .meta({ id: "Capability" });
export type Capability = z.infer<typeof Capability>;

export const CAPABLE: Capability = { isCapable: true, interventionIds: [] };
export const INCAPABLE: Capability = { isCapable: false, interventionIds: [] };

export function capability(isCapable: boolean): Capability {
  return isCapable ? CAPABLE : INCAPABLE;
}
