/** The register tables that twins are built from. Each is read from disk when a twin of it is made, not before. */
import { z } from "zod";
import { TwinRegister } from "./twin-register.ts";

const TABLES = {
  "abb-b23-b24": () => import("./maps/abb-b23-b24.json", { with: { type: "json" } }),
  "abl-em4": () => import("./maps/abl-em4.json", { with: { type: "json" } }),
  "abl-emh1": () => import("./maps/abl-emh1.json", { with: { type: "json" } }),
  "alfen-ng9xx": () => import("./maps/alfen-ng9xx.json", { with: { type: "json" } }),
  "alpha-ess-smile": () => import("./maps/alpha-ess-smile.json", { with: { type: "json" } }),
  "bender-cc-mennekes-ecu": () => import("./maps/bender-cc-mennekes-ecu.json", { with: { type: "json" } }),
  "cg-em111": () => import("./maps/cg-em111.json", { with: { type: "json" } }),
  "cg-em24-e1-em340": () => import("./maps/cg-em24-e1-em340.json", { with: { type: "json" } }),
  "cg-em24-rtu": () => import("./maps/cg-em24-rtu.json", { with: { type: "json" } }),
  "chint-dtsu666": () => import("./maps/chint-dtsu666.json", { with: { type: "json" } }),
  "daikin-homehub": () => import("./maps/daikin-homehub.json", { with: { type: "json" } }),
  "deye-1p": () => import("./maps/deye-1p.json", { with: { type: "json" } }),
  "deye-3p": () => import("./maps/deye-3p.json", { with: { type: "json" } }),
  "e3dc-simple": () => import("./maps/e3dc-simple.json", { with: { type: "json" } }),
  "eastron-sdm120": () => import("./maps/eastron-sdm120.json", { with: { type: "json" } }),
  "eastron-sdm630": () => import("./maps/eastron-sdm630.json", { with: { type: "json" } }),
  "eastron-sdm72-v1": () => import("./maps/eastron-sdm72-v1.json", { with: { type: "json" } }),
  "eastron-sdm72-v2": () => import("./maps/eastron-sdm72-v2.json", { with: { type: "json" } }),
  "foxess-h1": () => import("./maps/foxess-h1.json", { with: { type: "json" } }),
  "foxess-h3": () => import("./maps/foxess-h3.json", { with: { type: "json" } }),
  "foxess-h3-pro": () => import("./maps/foxess-h3-pro.json", { with: { type: "json" } }),
  "glen-dimplex": () => import("./maps/glen-dimplex.json", { with: { type: "json" } }),
  "go-e-modbus": () => import("./maps/go-e-modbus.json", { with: { type: "json" } }),
  "goodwe-et": () => import("./maps/goodwe-et.json", { with: { type: "json" } }),
  "growatt-sph": () => import("./maps/growatt-sph.json", { with: { type: "json" } }),
  "growatt-tlxh": () => import("./maps/growatt-tlxh.json", { with: { type: "json" } }),
  "heidelberg-ec": () => import("./maps/heidelberg-ec.json", { with: { type: "json" } }),
  "huawei-emma": () => import("./maps/huawei-emma.json", { with: { type: "json" } }),
  "huawei-sun2000-luna": () => import("./maps/huawei-sun2000-luna.json", { with: { type: "json" } }),
  "idm-navigator": () => import("./maps/idm-navigator.json", { with: { type: "json" } }),
  "janitza-umg": () => import("./maps/janitza-umg.json", { with: { type: "json" } }),
  "keba-p30-p40": () => import("./maps/keba-p30-p40.json", { with: { type: "json" } }),
  "kostal-ksem": () => import("./maps/kostal-ksem.json", { with: { type: "json" } }),
  "kostal-plenticore": () => import("./maps/kostal-plenticore.json", { with: { type: "json" } }),
  "lambda-eul": () => import("./maps/lambda-eul.json", { with: { type: "json" } }),
  "luxtronik-shi": () => import("./maps/luxtronik-shi.json", { with: { type: "json" } }),
  "marstek-venus": () => import("./maps/marstek-venus.json", { with: { type: "json" } }),
  "mennekes-compact": () => import("./maps/mennekes-compact.json", { with: { type: "json" } }),
  "mennekes-hcc3": () => import("./maps/mennekes-hcc3.json", { with: { type: "json" } }),
  "my-pv-ac-thor": () => import("./maps/my-pv-ac-thor.json", { with: { type: "json" } }),
  "nibe-s": () => import("./maps/nibe-s.json", { with: { type: "json" } }),
  "openems-fenecon": () => import("./maps/openems-fenecon.json", { with: { type: "json" } }),
  "openwb-2-secondary": () => import("./maps/openwb-2-secondary.json", { with: { type: "json" } }),
  "phoenix-charx": () => import("./maps/phoenix-charx.json", { with: { type: "json" } }),
  "phoenix-em-cp": () => import("./maps/phoenix-em-cp.json", { with: { type: "json" } }),
  "phoenix-ev-eth-wallbe": () => import("./maps/phoenix-ev-eth-wallbe.json", { with: { type: "json" } }),
  "saj-h2": () => import("./maps/saj-h2.json", { with: { type: "json" } }),
  "schneider-iem3155": () => import("./maps/schneider-iem3155.json", { with: { type: "json" } }),
  "siemens-pac1600": () => import("./maps/siemens-pac1600.json", { with: { type: "json" } }),
  "siemens-pac2200": () => import("./maps/siemens-pac2200.json", { with: { type: "json" } }),
  "sigenergy-sigenstor": () => import("./maps/sigenergy-sigenstor.json", { with: { type: "json" } }),
  "sma-data-manager": () => import("./maps/sma-data-manager.json", { with: { type: "json" } }),
  "sma-hybrid": () => import("./maps/sma-hybrid.json", { with: { type: "json" } }),
  "sma-pv": () => import("./maps/sma-pv.json", { with: { type: "json" } }),
  "sma-shm2": () => import("./maps/sma-shm2.json", { with: { type: "json" } }),
  "sma-sunny-island": () => import("./maps/sma-sunny-island.json", { with: { type: "json" } }),
  "sofar-hyd-g3": () => import("./maps/sofar-hyd-g3.json", { with: { type: "json" } }),
  "solaredge-storedge": () => import("./maps/solaredge-storedge.json", { with: { type: "json" } }),
  "solax-g3g4": () => import("./maps/solax-g3g4.json", { with: { type: "json" } }),
  "solis-hybrid": () => import("./maps/solis-hybrid.json", { with: { type: "json" } }),
  "stiebel-wpm": () => import("./maps/stiebel-wpm.json", { with: { type: "json" } }),
  "sungrow-ihm": () => import("./maps/sungrow-ihm.json", { with: { type: "json" } }),
  "sungrow-sg": () => import("./maps/sungrow-sg.json", { with: { type: "json" } }),
  "sungrow-sh": () => import("./maps/sungrow-sh.json", { with: { type: "json" } }),
  "victron-evcs": () => import("./maps/victron-evcs.json", { with: { type: "json" } }),
  "victron-evcs-direct": () => import("./maps/victron-evcs-direct.json", { with: { type: "json" } }),
  "victron-grid": () => import("./maps/victron-grid.json", { with: { type: "json" } }),
  "victron-gx": () => import("./maps/victron-gx.json", { with: { type: "json" } }),
  "victron-heatpump": () => import("./maps/victron-heatpump.json", { with: { type: "json" } }),
  "victron-vebus": () => import("./maps/victron-vebus.json", { with: { type: "json" } }),
  "webasto-next-tq": () => import("./maps/webasto-next-tq.json", { with: { type: "json" } }),
  "weishaupt-wpm": () => import("./maps/weishaupt-wpm.json", { with: { type: "json" } }),
} as const satisfies Record<string, () => Promise<{ readonly default: unknown }>>;

/** A device family that a twin can be made of. */
export type TwinId = keyof typeof TABLES;

/** Every device family that has a table. */
export const TWIN_IDS = Object.keys(TABLES) as readonly TwinId[];

const Table = z.array(TwinRegister).min(1);

/** The registers of a device family. A table that contradicts itself rejects. */
export async function loadTwinTable(id: TwinId): Promise<readonly TwinRegister[]> {
  const { default: table } = await TABLES[id]();
  return Table.parse(table);
}
