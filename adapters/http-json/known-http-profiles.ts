import type { HttpProfile } from "./http-profile.ts";
import { CHARGERS } from "./profiles/chargers.ts";
import { ENPHASE } from "./profiles/enphase.ts";
import { FRONIUS } from "./profiles/fronius.ts";
import { HOMEWIZARD } from "./profiles/homewizard.ts";
import { KOSTAL } from "./profiles/kostal.ts";
import { POWERWALL } from "./profiles/powerwall.ts";
import { SG_READY_RELAYS } from "./profiles/sg-ready-relays.ts";
import { SHELLY } from "./profiles/shelly.ts";
import { SONNEN } from "./profiles/sonnen.ts";
import { TASMOTA } from "./profiles/tasmota.ts";

/** Every profile that the configuration can name. */
export const KNOWN_HTTP_PROFILES: readonly HttpProfile[] = [
  ...CHARGERS,
  ...ENPHASE,
  ...FRONIUS,
  ...HOMEWIZARD,
  ...KOSTAL,
  ...POWERWALL,
  ...SG_READY_RELAYS,
  ...SHELLY,
  ...SONNEN,
  ...TASMOTA,
];
