import type { DeviceProfile } from "hemgate/sdk";
import { abbB23B24 } from "../profiles/abb-b23-b24.ts";
import { ablEm4 } from "../profiles/abl-em4.ts";
import { ablEmh1 } from "../profiles/abl-emh1.ts";
import { alfenNg9xx } from "../profiles/alfen-ng9xx.ts";
import { alphaEssSmile } from "../profiles/alpha-ess-smile.ts";
import { benderCcMennekesEcu } from "../profiles/bender-cc-mennekes-ecu.ts";
import { cgEm24E1Em340 } from "../profiles/cg-em24-e1-em340.ts";
import { cgEm24Rtu } from "../profiles/cg-em24-rtu.ts";
import { cgEm111 } from "../profiles/cg-em111.ts";
import { chintDtsu666 } from "../profiles/chint-dtsu666.ts";
import { daikinHomehub } from "../profiles/daikin-homehub.ts";
import { deye1p } from "../profiles/deye-1p.ts";
import { deye3p } from "../profiles/deye-3p.ts";
import { e3dcSimple } from "../profiles/e3dc-simple.ts";
import { eastronSdm72V1 } from "../profiles/eastron-sdm72-v1.ts";
import { eastronSdm72V2 } from "../profiles/eastron-sdm72-v2.ts";
import { eastronSdm120 } from "../profiles/eastron-sdm120.ts";
import { eastronSdm630 } from "../profiles/eastron-sdm630.ts";
import { foxessH1 } from "../profiles/foxess-h1.ts";
import { foxessH3, foxessH3Pro } from "../profiles/foxess-h3.ts";
import { glenDimplex } from "../profiles/glen-dimplex.ts";
import { goEModbus } from "../profiles/go-e-modbus.ts";
import { goodweEt } from "../profiles/goodwe-et.ts";
import { growattSph } from "../profiles/growatt-sph.ts";
import { growattTlxh } from "../profiles/growatt-tlxh.ts";
import { heidelbergEc } from "../profiles/heidelberg-ec.ts";
import { huaweiEmma } from "../profiles/huawei-emma.ts";
import { huaweiSun2000Luna } from "../profiles/huawei-sun2000-luna.ts";
import { idmNavigator } from "../profiles/idm-navigator.ts";
import { janitzaUmg } from "../profiles/janitza-umg.ts";
import { kebaP30, kebaP40 } from "../profiles/keba-p30-p40.ts";
import { kostalKsem } from "../profiles/kostal-ksem.ts";
import { kostalPlenticore } from "../profiles/kostal-plenticore.ts";
import { lambdaEul } from "../profiles/lambda-eul.ts";
import { luxtronikShi } from "../profiles/luxtronik-shi.ts";
import { marstekVenus } from "../profiles/marstek-venus.ts";
import { mennekesCompact } from "../profiles/mennekes-compact.ts";
import { mennekesHcc3 } from "../profiles/mennekes-hcc3.ts";
import { nibeS } from "../profiles/nibe-s.ts";
import { openemsFenecon } from "../profiles/openems-fenecon.ts";
import { openwb2Secondary, openwb2Secondary2 } from "../profiles/openwb-2-secondary.ts";
import { phoenixCharx, phoenixCharx2 } from "../profiles/phoenix-charx.ts";
import { phoenixEmCp } from "../profiles/phoenix-em-cp.ts";
import { phoenixEvEthWallbe } from "../profiles/phoenix-ev-eth-wallbe.ts";
import { sajH2 } from "../profiles/saj-h2.ts";
import { schneiderIem3155 } from "../profiles/schneider-iem3155.ts";
import { siemensPac1600 } from "../profiles/siemens-pac1600.ts";
import { siemensPac2200 } from "../profiles/siemens-pac2200.ts";
import { sigenergyInverter, sigenergySigenstor } from "../profiles/sigenergy-sigenstor.ts";
import { smaDataManager } from "../profiles/sma-data-manager.ts";
import { smaHybrid } from "../profiles/sma-hybrid.ts";
import { smaPv } from "../profiles/sma-pv.ts";
import { smaShm2 } from "../profiles/sma-shm2.ts";
import { smaSunnyIsland } from "../profiles/sma-sunny-island.ts";
import { sofarHydG3 } from "../profiles/sofar-hyd-g3.ts";
import { solaredgeStoredge } from "../profiles/solaredge-storedge.ts";
import { solaxG3g4 } from "../profiles/solax-g3g4.ts";
import { solisHybrid } from "../profiles/solis-hybrid.ts";
import { stiebelWpm } from "../profiles/stiebel-wpm.ts";
import { sungrowIhm } from "../profiles/sungrow-ihm.ts";
import { sungrowSg } from "../profiles/sungrow-sg.ts";
import { sungrowSh } from "../profiles/sungrow-sh.ts";
import { victronEvcs, victronEvcsDirect } from "../profiles/victron-evcs.ts";
import { victronGrid } from "../profiles/victron-grid.ts";
import { victronGx } from "../profiles/victron-gx.ts";
import { victronHeatpump } from "../profiles/victron-heatpump.ts";
import { victronVebus } from "../profiles/victron-vebus.ts";
import { webastoNextTq } from "../profiles/webasto-next-tq.ts";
import { weishauptWpm } from "../profiles/weishaupt-wpm.ts";

/** Every profile that the configuration can name, beside `sunspec`, which asks the device for its own map. */
export const KNOWN_PROFILES: readonly DeviceProfile[] = [
  abbB23B24,
  ablEm4,
  ablEmh1,
  alfenNg9xx,
  alphaEssSmile,
  benderCcMennekesEcu,
  cgEm111,
  cgEm24E1Em340,
  cgEm24Rtu,
  chintDtsu666,
  daikinHomehub,
  deye1p,
  deye3p,
  e3dcSimple,
  eastronSdm120,
  eastronSdm630,
  eastronSdm72V1,
  eastronSdm72V2,
  foxessH1,
  foxessH3,
  foxessH3Pro,
  glenDimplex,
  goEModbus,
  goodweEt,
  growattSph,
  growattTlxh,
  heidelbergEc,
  huaweiEmma,
  huaweiSun2000Luna,
  idmNavigator,
  janitzaUmg,
  kebaP30,
  kebaP40,
  kostalKsem,
  kostalPlenticore,
  lambdaEul,
  luxtronikShi,
  marstekVenus,
  mennekesCompact,
  mennekesHcc3,
  nibeS,
  openemsFenecon,
  openwb2Secondary,
  openwb2Secondary2,
  phoenixCharx,
  phoenixCharx2,
  phoenixEmCp,
  phoenixEvEthWallbe,
  sajH2,
  schneiderIem3155,
  siemensPac1600,
  siemensPac2200,
  sigenergyInverter,
  sigenergySigenstor,
  smaDataManager,
  smaHybrid,
  smaPv,
  smaShm2,
  smaSunnyIsland,
  sofarHydG3,
  solaredgeStoredge,
  solaxG3g4,
  solisHybrid,
  stiebelWpm,
  sungrowIhm,
  sungrowSg,
  sungrowSh,
  victronEvcs,
  victronEvcsDirect,
  victronGrid,
  victronGx,
  victronHeatpump,
  victronVebus,
  webastoNextTq,
  weishauptWpm,
];
