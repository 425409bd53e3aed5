/** When a charger starts and stops on surplus, where its owner set it, and how clients set it. */
import { z } from "zod";

/** `null` in a field: the gateway's own rule. */
export interface SurplusRule {
  /** Least current from surplus, A. */
  readonly minA: number | null;
  /** Charging starts when so much would be fed into the grid, W. */
  readonly startExportW: number | null;
  /** Charging stops when more than this is imported for it, W. */
  readonly stopImportW: number | null;
  /** How long that has to last before it starts or stops, ms. */
  readonly delayMs: number | null;
}

const MAX_KW = 100;

const FIELDS = {
  minCurrent: z.number().min(6).max(80).nullable().meta({
    description: "Lowest current with which it charges from surplus, A per phase; `null`: the charger's own.",
  }),
  startExportKw: z.number().min(0).max(MAX_KW).nullable().meta({
    description:
      "It starts when so much would be fed into the grid, kW; `null`: as much as its lowest current needs. Below that, the rest is from the grid.",
  }),
  stopImportKw: z.number().min(0).max(MAX_KW).nullable().meta({
    description: "It stops when more than this is drawn from the grid for it, kW; `null`: 0.1 kW, which is noise.",
  }),
  delaySeconds: z.number().min(0).max(3_600).nullable().meta({
    description:
      "How long that has to last, s; `null`: 60 s before it starts and 180 s before it stops. Minimum times of the charger come on top.",
  }),
} as const;

/** The surplus charging of a charger (rule S11.9). */
export const SolarPolicy = z
  .object({
    isEnabled: z.boolean().meta({
      description: "`true` while the charger's energy mode is SURPLUS or MIN_SURPLUS.",
    }),
    ...FIELDS,
  })
  .meta({ id: "SolarPolicy" });
export type SolarPolicy = z.infer<typeof SolarPolicy>;

export const SolarPolicyUpdate = z
  .strictObject({
    isEnabled: z.boolean().meta({
      description:
        "`true` sets the energy mode SURPLUS, unless it is MIN_SURPLUS; `false` ends these two modes, and no other.",
    }),
    ...z.object(FIELDS).partial().shape,
  })
  .meta({ id: "SolarPolicyUpdate" });
export type SolarPolicyUpdate = z.infer<typeof SolarPolicyUpdate>;
