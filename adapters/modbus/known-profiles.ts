import type { DeviceProfile } from "hemgate/sdk";
import { alphaEssSmile } from "./profiles/alpha-ess-smile.ts";
import { e3dcSimple } from "./profiles/e3dc-simple.ts";
import { eastronSdm630 } from "./profiles/eastron-sdm630.ts";
import { foxessH1 } from "./profiles/foxess-h1.ts";
import { foxessH3, foxessH3Pro } from "./profiles/foxess-h3.ts";
import { goodweEt } from "./profiles/goodwe-et.ts";
import { kebaP30, kebaP40 } from "./profiles/keba-p30-p40.ts";
import { marstekVenus } from "./profiles/marstek-venus.ts";
import { openemsFenecon } from "./profiles/openems-fenecon.ts";
import { sajH2 } from "./profiles/saj-h2.ts";
import { sigenergyInverter, sigenergySigenstor } from "./profiles/sigenergy-sigenstor.ts";
import { sofarHydG3 } from "./profiles/sofar-hyd-g3.ts";
import { solisHybrid } from "./profiles/solis-hybrid.ts";
import { victronEvcs, victronEvcsDirect } from "./profiles/victron-evcs.ts";
import { victronGrid } from "./profiles/victron-grid.ts";
import { victronGx } from "./profiles/victron-gx.ts";
import { victronHeatpump } from "./profiles/victron-heatpump.ts";
import { victronVebus } from "./profiles/victron-vebus.ts";

/** Every profile that the configuration can name, beside `sunspec`, which asks the device for its own map. */
export const KNOWN_PROFILES: readonly DeviceProfile[] = [
  alphaEssSmile,
  e3dcSimple,
  eastronSdm630,
  foxessH1,
  foxessH3,
  foxessH3Pro,
  goodweEt,
  kebaP30,
  kebaP40,
  marstekVenus,
  openemsFenecon,
  sajH2,
  sigenergyInverter,
  sigenergySigenstor,
  sofarHydG3,
  solisHybrid,
  victronEvcs,
  victronEvcsDirect,
  victronGrid,
  victronGx,
  victronHeatpump,
  victronVebus,
];
