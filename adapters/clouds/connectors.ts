import { easee } from "./easee/easee.ts";
import { ecobee } from "./ecobee/ecobee.ts";
import { enphase } from "./enphase/enphase.ts";
import { fronius } from "./fronius/fronius.ts";
import { goodwe } from "./goodwe/goodwe.ts";
import { growatt } from "./growatt/growatt.ts";
import { huawei } from "./huawei/huawei.ts";
import type { CloudConnector } from "./kit/connector.ts";
import { myuplink } from "./myuplink/myuplink.ts";
import { sensibo } from "./sensibo/sensibo.ts";
import { sma } from "./sma/sma.ts";
import { solaredge } from "./solaredge/solaredge.ts";
import { tado } from "./tado/tado.ts";
import { tesla } from "./tesla/tesla.ts";
import { zaptec } from "./zaptec/zaptec.ts";

/** Every vendor's cloud that can be linked, in the order of their names. */
export const CONNECTORS: readonly CloudConnector[] = [
  easee,
  ecobee,
  enphase,
  fronius,
  goodwe,
  growatt,
  huawei,
  myuplink,
  sensibo,
  sma,
  solaredge,
  tado,
  tesla,
  zaptec,
];
