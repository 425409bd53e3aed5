/** Every connector with a cloud for it: an account with a device that charges, heats, or moves power. */
import { allConnectors } from "../../../../adapters/clouds/connectors.ts";
import type { CloudConnector, Grant } from "../../../../adapters/clouds/kit/connector.ts";
import type { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import type { CloudTwin } from "../../../twins/clouds/cloud-twin.ts";
import { EaseeTwin } from "../../../twins/clouds/easee-twin.ts";
import { EcobeeTwin } from "../../../twins/clouds/ecobee-twin.ts";
import { EnphaseTwin } from "../../../twins/clouds/enphase-twin.ts";
import { FroniusTwin } from "../../../twins/clouds/fronius-twin.ts";
import { GoodweTwin } from "../../../twins/clouds/goodwe-twin.ts";
import { GrowattTwin } from "../../../twins/clouds/growatt-twin.ts";
import { HuaweiTwin } from "../../../twins/clouds/huawei-twin.ts";
import { MyUplinkTwin } from "../../../twins/clouds/myuplink-twin.ts";
import { SensiboTwin, sensiboPod } from "../../../twins/clouds/sensibo-twin.ts";
import { SmaTwin } from "../../../twins/clouds/sma-twin.ts";
import { SolarEdgeTwin } from "../../../twins/clouds/solaredge-twin.ts";
import { TadoTwin, tadoZone } from "../../../twins/clouds/tado-twin.ts";
import { TeslaTwin } from "../../../twins/clouds/tesla-twin.ts";
import type { TokenDesk } from "../../../twins/clouds/token-desk.ts";
import { ZaptecTwin } from "../../../twins/clouds/zaptec-twin.ts";
import { APP, askTwin, TEST_KEYS } from "../fake-session.ts";
import { makeSite, makeVehicle } from "../tesla-houses.ts";
import * as commands from "./sent-commands.ts";

const CONNECTORS = await allConnectors();

export interface Subject {
  readonly id: string;
  readonly connector: CloudConnector;
  readonly commandsIn: commands.CommandsIn;
  /** The device, by its place in the account's list. */
  readonly place: number;
  make(clock: VirtualClock): Cloud;
}

export interface Cloud {
  readonly twin: CloudTwin;
  /** Signs in. */
  grant(): Promise<Grant>;
}

const POWERS = { pvW: 6_000, gridW: -2_500, batteryW: 3_000 } as const;
const GROWATT_SERVER = "openapi.growatt.com";

function ofDesk(twin: CloudTwin & { readonly desk: TokenDesk }): Cloud {
  return { twin, grant: async () => keyGrant(twin.desk.issue().access_token) };
}

function ofKey(twin: CloudTwin, access: string, extra?: Grant["extra"]): Cloud {
  return { twin, grant: async () => ({ ...keyGrant(access), ...(extra === undefined ? {} : { extra }) }) };
}

function keyGrant(access: string): Grant {
  return { access, refresh: null, expiresAtMs: null };
}

function ofForm(connector: CloudConnector, twin: CloudTwin, form: Readonly<Record<string, string>>): Cloud {
  const { login } = connector;
  if (login.kind !== "form") throw new Error(`${connector.id} has no form`);
  const tools = { ask: askTwin(connector, twin), app: APP, nowMs: () => 0 };
  return {
    twin,
    async grant() {
      const grant = await login.signIn(form, tools, new AbortController().signal);
      if ("keep" in grant) throw new Error(`${connector.id} asks for more`);
      return grant;
    },
  };
}

function makeEasee(clock: VirtualClock): Cloud {
  const twin = new EaseeTwin(clock);
  const flags = { isOnline: true, isEnabled: true, isPlugged: true, needsAuthorization: false };
  const rest = { isFull: false, hasFault: false, gridType: 1, phaseMode: 2, maxA: 32, dynamicA: 16, oddMode: null };
  twin.chargers = [{ id: "EH123456", name: "Garage", ...flags, ...rest, sessionKwh: 5.5, lifetimeKwh: 1_234.5 }];
  return ofDesk(twin);
}

function makeZaptec(clock: VirtualClock): Cloud {
  const twin = new ZaptecTwin(clock);
  const signedMeter = `OCMF|${JSON.stringify({ FV: "1.0", RD: [{ TM: "2026-06-20T09:00:00,000+00:00 R", RV: 905.49, RU: "kWh" }] })}`;
  const flags = { isOnline: true, isEnabled: true, isStopped: false, tellsKilowatts: false };
  const figures = { mode: 3, phases: 3, networkType: 4, maxA: 16, amperes: 13, sessionKwh: 4.25 } as const;
  twin.chargers = [{ id: "c-000001", name: "Carport", deviceType: 4, ...flags, ...figures, signedMeter }];
  return ofDesk(twin);
}

function makeTesla(clock: VirtualClock): Cloud {
  const twin = new TeslaTwin(clock);
  twin.vehicles = [makeVehicle()];
  twin.sites = [makeSite()];
  return ofDesk(twin);
}

/** A vehicle that takes signed commands only, and knows our key. */
function makeSignedTesla(clock: VirtualClock): Cloud {
  const twin = new TeslaTwin(clock);
  const vehicle = makeVehicle({ isSigned: true });
  twin.vehicles = [vehicle];
  twin.car(vehicle.vin).pair(TEST_KEYS.publicKey);
  return ofDesk(twin);
}

function makeTado(clock: VirtualClock): Cloud {
  const twin = new TadoTwin(clock);
  const schedule = { type: "AIR_CONDITIONING", power: "ON", mode: "COOL", temperature: { celsius: 23 } };
  twin.zones.push(tadoZone(3, { type: "AIR_CONDITIONING", schedule, temperature: 26.1, activity: 1 }));
  return ofDesk(twin);
}

function makeEnphase(clock: VirtualClock): Cloud {
  const twin = new EnphaseTwin(clock);
  Object.assign(twin.systems[0]!, { productionW: 5_000, gridW: -800, batteryW: 2_501, soc: 71 });
  return ofDesk(twin);
}

function makeSma(clock: VirtualClock): Cloud {
  const twin = new SmaTwin(clock);
  Object.assign(twin.plants[0]!, POWERS);
  return ofDesk(twin);
}

function makeFronius(clock: VirtualClock): Cloud {
  const twin = new FroniusTwin(clock);
  Object.assign(twin.systems[0]!, POWERS);
  return ofKey(twin, twin.keyValue, { accessKeyId: twin.keyId });
}

function makeGrowatt(clock: VirtualClock): Cloud {
  const twin = new GrowattTwin(clock);
  Object.assign(twin.inverters[0]!, POWERS);
  return ofKey(twin, twin.token, { server: GROWATT_SERVER });
}

function makeSolarEdge(clock: VirtualClock): Cloud {
  const twin = new SolarEdgeTwin(clock);
  Object.assign(twin.sites[0]!, { pvW: 6_000, gridW: -1_500, batteryW: 2_500, soc: 75 });
  return ofKey(twin, twin.apiKey);
}

function makeSensibo(clock: VirtualClock): Cloud {
  const twin = new SensiboTwin(clock);
  twin.pods.push(sensiboPod("A1"), sensiboPod("B2", { unit: "F" }));
  return ofKey(twin, "sensibo-key-1");
}

function makeGoodwe(clock: VirtualClock): Cloud {
  const twin = new GoodweTwin(clock);
  Object.assign(twin.stations[0]!, POWERS);
  const { account, pwd: password } = twin.account;
  return ofForm(connectorOf("goodwe-sems"), twin, { account, password });
}

function makeHuawei(clock: VirtualClock): Cloud {
  const twin = new HuaweiTwin(clock);
  Object.assign(twin.plants[0]!, POWERS);
  return ofForm(connectorOf("huawei-fusionsolar"), twin, { portal: "eu5.fusionsolar.huawei.com", ...twin.user });
}

function connectorOf(id: string): CloudConnector {
  const found = CONNECTORS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no connector ${id}`);
  return found;
}

function subject(id: string, commandsIn: commands.CommandsIn, make: Subject["make"], place = 0): Subject {
  return { id: `${id}${place === 0 ? "" : ` ${place}`}`, connector: connectorOf(id), commandsIn, place, make };
}

export const SUBJECTS: readonly Subject[] = [
  subject("easee", commands.easeeCommands, makeEasee),
  subject("ecobee", commands.ecobeeCommands, (clock) => ofDesk(new EcobeeTwin(clock))),
  subject("enphase", commands.enphaseCommands, makeEnphase),
  subject("fronius-solarweb", commands.noCommands, makeFronius),
  subject("goodwe-sems", commands.noCommands, makeGoodwe),
  subject("growatt", commands.growattCommands, makeGrowatt),
  subject("huawei-fusionsolar", commands.noCommands, makeHuawei),
  subject("myuplink", commands.myuplinkCommands, (clock) => ofDesk(new MyUplinkTwin(clock))),
  subject("sensibo", commands.sensiboCommands, makeSensibo),
  subject("sensibo", commands.sensiboCommands, makeSensibo, 1),
  subject("sma", commands.noCommands, makeSma),
  subject("solaredge", commands.noCommands, makeSolarEdge),
  subject("tado", commands.tadoCommands, makeTado),
  subject("tado", commands.tadoCommands, makeTado, 2),
  subject("tado", commands.tadoCommands, makeTado, 3),
  subject("tesla", commands.teslaCommands, makeTesla),
  subject("tesla", commands.teslaCommands, makeTesla, 1),
  { ...subject("tesla", commands.teslaCommands, makeSignedTesla), id: "tesla, signed" },
  subject("zaptec", commands.zaptecCommands, makeZaptec),
];
