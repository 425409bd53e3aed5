import { z } from "zod";

/** Whether a device provides a function in full, and what the user can do when it does not (rule I2.1). */
export const Capability = z
  .object({
    isCapable: z.boolean().meta({ description: "True when the device fully provides the data or function." }),
    interventionIds: z.array(z.uuid()).meta({ description: "Interventions that can change the capability." }),
  })
  .meta({ id: "Capability" });
export type Capability = z.infer<typeof Capability>;

export const CAPABLE: Capability = { isCapable: true, interventionIds: [] };
export const INCAPABLE: Capability = { isCapable: false, interventionIds: [] };

export function capability(isCapable: boolean): Capability {
  return isCapable ? CAPABLE : INCAPABLE;
}
