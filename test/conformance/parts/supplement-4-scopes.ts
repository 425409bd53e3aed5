/** Rule S4: scopes and vendor codes. */
import { expect } from "vitest";
import { CHARGING_AT_HOME, LOCATION } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { LISTENING, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const grant = says("S4.1");
const vendor = says("S4.2");

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
/** The kinds whose location is a scope. */
const LOCATED = ["battery", "inverter", "meter", "vehicle"] as const;
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
    grant(`A ${kind} has all of its scopes unless fewer are granted`, {
      versions: { from: "2024-01-01" },
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { scopes: SCOPES[kind] } },
    }),
  ),
  ...KINDS.map((kind) =>
    grant(`A ${kind} that may be read only says so`, {
      versions: { from: "2024-01-01" },
      house: "readOnly",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { scopes: [`${kind}:read:data`] } },
    }),
  ),
  ...LOCATED.map((kind) =>
    grant(`A ${kind} without the scope of its location has no coordinates`, {
      house: "unlocated",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { location: { longitude: null, latitude: null } } },
    }),
  ),
  ...LOCATED.map((kind) =>
    grant(`A ${kind} without the scope of its location is at no location`, {
      versions: NEWEST,
      house: "unlocated",
      given: [LOCATION],
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { location: { id: null, longitude: null, latitude: null, lastUpdated: null } } },
    }),
  ),
  ...(
    [
      ["battery", "locationId", { before: "2024-10-01" }],
      ["inverter", "chargingLocationId", undefined],
      ["vehicle", "locationId", USERS_IN_PATHS],
      ["vehicle", "chargingLocationId", USER_IN_HEADER],
    ] as const
  ).map(([kind, field, versions]) =>
    grant(`A ${kind} without the scope of its location has no ${field}`, {
      ...(versions !== undefined && { versions }),
      house: "unlocated",
      given: [LOCATION],
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { [field]: null } },
    }),
  ),
  grant("No event tells where a vehicle is whose location was not granted", {
    versions: NEWEST,
    house: "unlocated",
    given: [LOCATION, LISTENING],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200 },
    afterwards: [
      { device: "vehicle", show: { "vehicle.latitude": 48, "vehicle.longitude": 11 }, after: 600 },
      { device: "vehicle", show: { "vehicle.latitude": 52.5, "vehicle.longitude": 13.4 }, after: 600 },
      { told: { event: "system:heartbeat" }, notTold: { event: "user:vehicle:updated" } },
    ],
  }),
  grant("A schedule at a location does not show that a vehicle is there whose location was not granted", {
    versions: NEWEST,
    house: "unlocated",
    given: [
      LOCATION,
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetType: "vehicle",
          targetId: "{vehicle}",
          locationId: "{location}",
          isEnabled: true,
          defaultShouldCharge: false,
          rules: [],
        },
        keep: { schedule: "id" },
      },
    ],
    request: { ask: "GET /schedules/{schedule}/status", after: 5 },
    expect: { status: 200, body: { state: "INACTIVE:AWAY" } },
  }),
  grant("Smart charging does not show that a vehicle is at a location whose own was not granted", {
    versions: NEWEST,
    house: "unlocated",
    given: [
      ...CHARGING_AT_HOME,
      { ask: "PUT /vehicles/{vehicle}/smart-charging-policy", body: { isEnabled: true, deadline: "06:00" } },
    ],
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-status", after: 5 },
    expect: { status: 200, body: { state: "CONSIDERING", consideration: { atChargingLocation: false } } },
  }),
  grant("The charging of a vehicle whose location was not granted is at no location", {
    versions: NEWEST,
    house: "unlocated",
    given: [...CHARGING_AT_HOME, { device: "vehicle", after: 3600 }],
    request: {
      ask: "GET /users/{user}/statistics/charging?type=vehicle&startDate=2020-01-01T00:00:00Z&locationId={location}",
    },
    expect: { status: 200, exactly: [] },
  }),
  grant("A house whose devices' locations were not granted is at no location", {
    versions: NEWEST,
    house: "unlocated",
    given: [LOCATION],
    request: { ask: "GET /hem-systems", after: 5 },
    expect: {
      status: 200,
      body: { data: [{ locationId: null, information: { latitude: null, longitude: null } }, {}] },
    },
  }),
  ...KINDS.flatMap((kind) =>
    SCOPES[kind].map((scope) =>
      grant(`${scope} can be asked for`, {
        versions: NEWEST,
        request: { ask: LINK, body: { ...PAGE, vendorType: kind, scopes: [`${kind}:read:data`, scope] } },
        expect: { status: 200, body: { linkUrl: expect.any(String), linkToken: expect.any(String) } },
      }),
    ),
  ),
  grant("A scope that there is not is refused", {
    versions: { from: "2024-01-01" },
    request: { ask: LINK, body: { ...PAGE, vendorType: "vehicle", scopes: ["vehicle:read:everything"] } },
    expect: { status: 400, body: { issues: [{ in: "body" }] } },
  }),
  grant("Linking without any scope is refused", {
    versions: { from: "2024-01-01" },
    request: { ask: LINK, body: { ...PAGE, vendorType: "vehicle", scopes: [] } },
    expect: { status: 400 },
  }),
  ...KINDS.map((kind) =>
    grant(`Linking a ${kind} without ${kind}:read:data is refused`, {
      versions: NEWEST,
      request: {
        ask: LINK,
        body: { ...PAGE, vendorType: kind, scopes: SCOPES[kind].filter((scope) => !scope.endsWith("read:data")) },
      },
      expect: { status: 400 },
    }),
  ),
  grant("Batteries take no mode without the control scope", {
    house: "readOnly",
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "IMPORT_FOCUS" } },
    expect: {
      status: 403,
      problem: "forbidden",
      body: { detail: expect.stringContaining("battery:control:operation_mode") },
    },
  }),
  ...(["inverter", "meter"] as const).map((kind) =>
    grant(`A system is seen through its ${kind}`, {
      versions: NEWEST,
      house: "readOnly",
      request: { ask: `GET /${PLURALS[kind]}/{${kind}}` },
      expect: { status: 200, body: { hemSystemId: expect.any(String) } },
    }),
  ),
  ...KINDS.map((kind) =>
    vendor(`Vendors of the kind ${kind} are ${VENDORS[kind].join(", ")}`, {
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
