import { z } from "zod";
import { ChargeTargetType } from "./action.ts";
import { Instant, NullableInstant } from "./fields.ts";

/** "Charge now" against schedule and smart charging, until charging stops or it is ended (interface 2.13). */
export const SmartOverride = z
  .object({
    createdAt: Instant,
    endedAt: NullableInstant.meta({ description: "Null while active." }),
    targetType: ChargeTargetType,
    targetId: z.string(),
    vendorActionId: z.uuid().nullable().meta({ description: "The action that started charging; null when it was." }),
    userId: z.string(),
    vendor: z.string(),
  })
  .meta({ id: "SmartOverride" });
export type SmartOverride = z.infer<typeof SmartOverride>;

/** As it stands inside a status: the status says whose it is. */
export const EmbeddedSmartOverride = SmartOverride.omit({ userId: true, vendor: true }).meta({
  id: "EmbeddedSmartOverride",
});
export type EmbeddedSmartOverride = z.infer<typeof EmbeddedSmartOverride>;
