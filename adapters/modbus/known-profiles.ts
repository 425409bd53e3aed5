import type { DeviceProfile } from "hemgate/sdk";
import { eastronSdm630 } from "./profiles/eastron-sdm630.ts";
import { goodweEt } from "./profiles/goodwe-et.ts";
import { kebaP30, kebaP40 } from "./profiles/keba-p30-p40.ts";

/** Every profile that the configuration can name, beside `sunspec`, which asks the device for its own map. */
export const KNOWN_PROFILES: readonly DeviceProfile[] = [eastronSdm630, goodweEt, kebaP30, kebaP40];
