/** Rules I2.4 and I2.5: HVAC units and inverters. */
import type { Row } from "../row.ts";
import { about, CAPABLE, INSTANT, NEWEST, TEXT, UUID } from "../words.ts";

const hvac = about("I2.4");
const inverter = about("I2.5");

const HVAC_ROWS: readonly Row[] = [
  hvac("A unit has these fields and no others", {
    versions: NEWEST,
    request: { ask: "GET /hvacs/{hvac}" },
    expect: {
      status: 200,
      exactly: {
        id: TEXT,
        userId: "{user}",
        vendor: TEXT,
        lastSeen: INSTANT,
        isReachable: true,
        consumptionRate: 1.2,
        information: { brand: "tado", model: "Smart", displayName: TEXT, groupName: null, category: "HEAT_PUMP" },
        capabilities: {
          capableModes: ["OFF", "AUTO", "COOL", "HEAT"],
          capableHoldTypes: ["PERMANENT", "SCHEDULED"],
          coolSetpointRange: { min: 15, max: 35 },
          heatSetpointRange: { min: 5, max: 30 },
          setpointDifferenceRange: { min: 0, max: null },
          setFollowSchedule: CAPABLE,
          setPermanentHold: CAPABLE,
        },
        thermostatState: {
          mode: "HEAT",
          heatSetpoint: 20,
          coolSetpoint: 25,
          holdType: "SCHEDULED",
          lastUpdated: INSTANT,
        },
        temperatureState: { currentTemperature: 19.5, isActive: true, lastUpdated: INSTANT },
        mode: "HEAT",
        heatSetpoint: 20,
        coolSetpoint: 25,
        holdType: "SCHEDULED",
        isActive: true,
        currentTemperature: 19.5,
        scopes: ["hvac:control:mode", "hvac:read:data"],
        locationId: null,
        location: { id: null },
      },
    },
  }),
  hvac("An idle unit uses 0 kW", {
    versions: NEWEST,
    given: [{ device: "hvac", show: { "hvac.power": 0, "hvac.isActive": false }, after: 5 }],
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { consumptionRate: 0, temperatureState: { isActive: false } } },
  }),
  hvac("A unit that does not report what it uses says null", {
    versions: NEWEST,
    given: [{ device: "hvac", show: { "hvac.power": null }, after: 5 }],
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { consumptionRate: null } },
  }),
];

const INVERTER_ROWS: readonly Row[] = [
  inverter("An inverter has these fields and no others", {
    versions: NEWEST,
    request: { ask: "GET /inverters/{inverter}" },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        userId: "{user}",
        vendor: "SMA",
        chargingLocationId: null,
        lastSeen: INSTANT,
        isReachable: true,
        productionState: {
          productionRate: 3.21,
          isProducing: true,
          totalLifetimeProduction: 1_234,
          lastUpdated: INSTANT,
        },
        information: { id: "I-1", sn: "I-1", brand: "SMA", model: "STP", siteName: TEXT, installationDate: INSTANT },
        capabilities: { productionState: CAPABLE, productionStatistics: CAPABLE },
        location: { id: null, longitude: 13.4, latitude: 52.5, lastUpdated: INSTANT },
        timezone: "Europe/Berlin",
        hemSystemId: UUID,
        scopes: ["inverter:read:data", "inverter:read:location"],
      },
    },
  }),
  inverter("An inverter without sun does not produce", {
    versions: NEWEST,
    given: [{ device: "inverter", show: { "inverter.power": 0 }, after: 5 }],
    request: { ask: "GET /inverters/{inverter}" },
    expect: { status: 200, body: { productionState: { productionRate: 0, isProducing: false } } },
  }),
  inverter("A location at its coordinates is the inverter's", {
    versions: NEWEST,
    given: [
      {
        ask: "POST /users/{user}/locations",
        body: { name: "Here", latitude: 52.5, longitude: 13.4 },
        keep: { place: "id" },
      },
    ],
    request: { ask: "GET /inverters/{inverter}" },
    expect: { status: 200, body: { chargingLocationId: "{place}", location: { id: "{place}" } } },
  }),
];

export const RESOURCE_UNIT_ROWS: readonly Row[] = [...HVAC_ROWS, ...INVERTER_ROWS];
