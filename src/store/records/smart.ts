/** What the smart features keep. */
import type { SmartOverride } from "../../domain/smart-override.ts";

/** A smart override, active or ended. */
export interface OverrideRecord {
  readonly id: string;
  readonly override: SmartOverride;
  /** True once charging was seen since it was made. */
  readonly hasBegun: boolean;
}
