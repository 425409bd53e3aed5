/** Supplement 4: scopes and vendor codes. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const row = says("S4");

const SCOPES = {
  battery: ["battery:control:operation_mode", "battery:read:data", "battery:read:location"],
  charger: ["charger:control:charging", "charger:read:data"],
  hvac: ["hvac:control:mode", "hvac:read:data"],
  inverter: ["inverter:read:data", "inverter:read:location"],
  meter: ["meter:read:data", "meter:read:location"],
  vehicle: ["vehicle:control:charging", "vehicle:read:data", "vehicle:read:location"],
} as const;

const PLURALS = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
} as const;
const KINDS = ["battery", "charger", "hvac", "inverter", "meter", "vehicle"] as const;
const PAGE = { language: "en-US", redirectUri: "app://done" };
const LINK = "POST /users/{user}/link";

const HOME_SYSTEM = ["ENPHASE", "FOXESS", "GIVENERGY", "HUAWEI", "SMA", "SOLAREDGE", "SOLAX", "SOLIS", "TESLA"];

/** Codes by kind, as 2024-10-01 has them. */
const VENDORS = {
  battery: HOME_SYSTEM,
  meter: HOME_SYSTEM,
  charger: words(
    "ALFEN CHARGEAMPS CHARGEPOINT EASEE ENELX EO EVBOX GARO GOE HEIDELBERG HYPERVOLT KEBA MYENERGI OHME PODPOINT SCHNEIDER TESLA WALLBOX ZAPTEC",
  ),
  hvac: words(
    "ADAX BOSCH DAIKIN ECOBEE FUJITSU HONEYWELL MICROMATIC MILL MITSUBISHI NEST NETATMO NIBE PANASONIC RESIDEO SENSIBO TADO TOSHIBA",
  ),
  inverter: words(
    "AFORE APSYSTEMS CSISolar Deye ENPHASE FOXESS FRONIUS GIVENERGY GOODWE GROWATT Hoymiles HUAWEI INVT SMA SOFAR SOLAREDGE SOLARK SOLAX SOLIS SOLPLANET SUNGROW SUNSYNK TESLA TSUN",
  ),
  vehicle: words(
    "ACURA ALFAROMEO ALPINE AUDI BMW BYD CADILLAC CHEVROLET CHRYSLER CITROEN CUPRA DACIA DODGE DS FIAT FORD GMC HONDA HYUNDAI JAGUAR JEEP KIA LANCIA LANDROVER LEXUS LUCID MAZDA MERCEDES MG MINI NIO NISSAN OPEL PEUGEOT POLESTAR PORSCHE RAM RENAULT RIVIAN SEAT SKODA SUBARU TESLA TOYOTA VAUXHALL VOLKSWAGEN VOLVO XPENG",
  ),
} as const;

function words(text: string): readonly string[] {
  return text.split(" ");
}

export const SCOPE_ROWS: readonly Row[] = [
  ...KINDS.map((kind) =>
    row(`A ${kind} has all of its scopes unless fewer are granted`, {
      versions: { from: "2024-01-01" },
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { scopes: SCOPES[kind] } },
    }),
  ),
  ...KINDS.map((kind) =>
    row(`A ${kind} that may be read only says so`, {
      versions: { from: "2024-01-01" },
      house: "readOnly",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { scopes: [`${kind}:read:data`] } },
    }),
  ),
  ...(["battery", "inverter", "meter", "vehicle"] as const).map((kind) =>
    row(`A ${kind} without the scope of its location has no coordinates`, {
      house: "readOnly",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { location: { longitude: null, latitude: null } } },
    }),
  ),
  ...KINDS.flatMap((kind) =>
    SCOPES[kind].map((scope) =>
      row(`${scope} can be asked for`, {
        versions: NEWEST,
        request: { ask: LINK, body: { ...PAGE, scopes: [`${kind}:read:data`, scope] } },
        expect: { status: 200, body: { linkUrl: expect.any(String), linkToken: expect.any(String) } },
      }),
    ),
  ),
  row("A scope that there is not is refused", {
    versions: { from: "2024-01-01" },
    request: { ask: LINK, body: { ...PAGE, vendorType: "vehicle", scopes: ["vehicle:read:everything"] } },
    expect: { status: 400, body: { issues: [{ in: "body" }] } },
  }),
  row("Linking without any scope is refused", {
    versions: { from: "2024-01-01" },
    request: { ask: LINK, body: { ...PAGE, vendorType: "vehicle", scopes: [] } },
    expect: { status: 400 },
  }),
  ...KINDS.map((kind) =>
    row(`Linking a ${kind} without ${kind}:read:data is refused`, {
      versions: NEWEST,
      request: {
        ask: LINK,
        body: { ...PAGE, vendorType: kind, scopes: SCOPES[kind].filter((scope) => !scope.endsWith("read:data")) },
      },
      expect: { status: 400 },
    }),
  ),
  row("Batteries take no mode without the control scope", {
    house: "readOnly",
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "IDLE" } },
    expect: {
      status: 403,
      problem: "forbidden",
      body: { detail: expect.stringContaining("battery:control:operation_mode") },
    },
  }),
  ...(["inverter", "meter"] as const).map((kind) =>
    row(`A system is seen through its ${kind}`, {
      versions: NEWEST,
      house: "readOnly",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { hemSystemId: expect.any(String) } },
    }),
  ),
  ...KINDS.map((kind) =>
    row(`Vendors of the kind ${kind} are ${VENDORS[kind].join(", ")}`, {
      versions: NEWEST,
      house: "sandbox",
      given: VENDORS[kind].map((vendor) => ({
        ask: `POST /local/simulated/${kind}`,
        body: { vendor, userId: "ada" },
      })),
      request: { ask: `GET /${PLURALS[kind]}`, after: 5 },
      expect: {
        status: 200,
        body: { data: expect.arrayContaining(VENDORS[kind].map((vendor) => expect.objectContaining({ vendor }))) },
      },
    }),
  ),
];
