/** Rules I2.6 to I2.9: chargers, vehicles, meters and HEM systems. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, CAPABLE, INSTANT, NEWEST, PLACED, TEXT, UUID } from "../words.ts";

const charger = about("I2.6");
const vehicle = about("I2.7");
const meter = about("I2.8");
const hem = about("I2.9");

/** Plug and power, with what follows from it. */
const CHARGER_STATES = [
  ["UNPLUGGED", false, false],
  ["PLUGGED_IN:INITIALIZING", true, false],
  ["PLUGGED_IN:CHARGING", true, true],
  ["PLUGGED_IN:STOPPED", true, false],
  ["PLUGGED_IN:NO_POWER", true, false],
  ["PLUGGED_IN:FAULT", true, false],
] as const;

const CHARGER_ROWS: readonly Row[] = [
  charger("A charger has these fields", {
    versions: NEWEST,
    request: { ask: "GET /chargers/{charger}" },
    expect: {
      status: 200,
      body: {
        id: TEXT,
        userId: "{user}",
        vendor: "KEBA",
        lastSeen: INSTANT,
        isReachable: true,
        chargingLocationId: null,
        locationId: null,
        location: { id: null, lastUpdated: null },
        chargeState: {
          isPluggedIn: true,
          isCharging: false,
          chargeRate: null,
          maxCurrent: 16,
          powerDeliveryState: "PLUGGED_IN:STOPPED",
          lastUpdated: INSTANT,
        },
        information: { id: "K-1", serialNumber: "K-1", brand: "KEBA", model: "P30", year: null },
        capabilities: {
          information: CAPABLE,
          chargeState: CAPABLE,
          startCharging: CAPABLE,
          stopCharging: CAPABLE,
          setMaxCurrent: CAPABLE,
        },
        scopes: ["charger:control:charging", "charger:read:data"],
      },
    },
  }),
  ...CHARGER_STATES.map(([powerDeliveryState, isPluggedIn, isCharging]) =>
    charger(`A charger that is ${powerDeliveryState} says so, and whether it charges`, {
      versions: NEWEST,
      given: [{ device: "charger", show: { "charger.state": powerDeliveryState, "charger.power": 7_400 }, after: 5 }],
      request: { ask: "GET /chargers/{charger}" },
      expect: {
        status: 200,
        body: {
          chargeState: { powerDeliveryState, isPluggedIn, isCharging, chargeRate: isCharging ? 7.4 : null },
        },
      },
    }),
  ),
  charger("A charger is at the location that it was put at", {
    given: [{ ...PLACED, version: "2024-10-01" }],
    versions: { from: "2023-08-01" },
    request: { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } },
    expect: { status: 200, body: { locationId: "{location}", chargingLocationId: "{location}" } },
  }),
];

const VEHICLE_ROWS: readonly Row[] = [
  vehicle("A vehicle has these fields", {
    versions: NEWEST,
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: {
      status: 200,
      body: {
        id: TEXT,
        userId: "{user}",
        vendor: "TESLA",
        lastSeen: INSTANT,
        isReachable: true,
        locationId: null,
        information: {
          displayName: TEXT,
          vin: "5YJ3E1EA7KF000316",
          brand: "Tesla",
          model: "Model 3",
          year: null,
        },
        chargeState: {
          batteryLevel: 40,
          range: 200,
          isPluggedIn: true,
          isCharging: false,
          isFullyCharged: false,
          batteryCapacity: 60,
          chargeLimit: 80,
          chargeRate: null,
          chargeTimeRemaining: null,
          maxCurrent: 16,
          powerDeliveryState: "PLUGGED_IN:STOPPED",
          lastUpdated: INSTANT,
        },
        smartChargingPolicy: { isEnabled: false, deadline: null, minimumChargeLimit: 0 },
        location: { id: null, longitude: 13.4, latitude: 52.5, lastUpdated: INSTANT },
        odometer: { distance: 12_345, lastUpdated: INSTANT },
        capabilities: {
          information: CAPABLE,
          chargeState: CAPABLE,
          location: CAPABLE,
          odometer: CAPABLE,
          setMaxCurrent: CAPABLE,
          startCharging: CAPABLE,
          stopCharging: CAPABLE,
          smartCharging: CAPABLE,
        },
        scopes: ["vehicle:control:charging", "vehicle:read:data", "vehicle:read:location"],
      },
    },
  }),
  ...[...CHARGER_STATES, ["PLUGGED_IN:COMPLETE", true, false] as const].map(
    ([powerDeliveryState, isPluggedIn, isCharging]) =>
      vehicle(`A vehicle that is ${powerDeliveryState} says so, and whether it charges`, {
        versions: NEWEST,
        given: [
          { device: "vehicle", show: { "vehicle.state": powerDeliveryState, "vehicle.power": 11_000 }, after: 5 },
        ],
        request: { ask: "GET /vehicles/{vehicle}" },
        expect: {
          status: 200,
          body: {
            chargeState: {
              powerDeliveryState,
              isPluggedIn,
              isCharging,
              isFullyCharged: powerDeliveryState === "PLUGGED_IN:COMPLETE",
              chargeRate: isCharging ? 11 : null,
            },
          },
        },
      }),
  ),
  vehicle("A vehicle that charges says how many minutes remain", {
    versions: NEWEST,
    given: [
      { device: "vehicle", show: { "vehicle.state": "PLUGGED_IN:CHARGING", "vehicle.timeToFull": 120 }, after: 5 },
    ],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargeState: { chargeTimeRemaining: 120 } } },
  }),
  vehicle("A vehicle that does not tell its state is UNKNOWN, and null about being full", {
    versions: NEWEST,
    given: [{ device: "vehicle", show: { "vehicle.state": null }, after: 5 }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: {
      status: 200,
      body: {
        chargeState: { powerDeliveryState: "UNKNOWN", isPluggedIn: null, isCharging: null, isFullyCharged: null },
      },
    },
  }),
  vehicle("A vehicle at a known location says which, and leaves it when it drives away", {
    versions: NEWEST,
    given: [PLACED],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { locationId: "{location}", location: { id: "{location}" } } },
    afterwards: [
      { device: "vehicle", show: { "vehicle.latitude": 53 }, after: 5 },
      {
        ask: "GET /vehicles/{vehicle}",
        expect: { status: 200, body: { locationId: null, location: { id: null, latitude: 53 } } },
      },
    ],
  }),
];

const METER_ROWS: readonly Row[] = [
  meter("A meter has these fields and no others", {
    versions: NEWEST,
    request: { ask: "GET /meters/{meter}" },
    expect: {
      status: 200,
      exactly: {
        id: UUID,
        userId: "{user}",
        vendor: TEXT,
        lastSeen: INSTANT,
        isReachable: true,
        information: { brand: "SMA", model: "EM", siteName: TEXT, installationDate: INSTANT },
        energyState: { power: -0.45, lastUpdated: INSTANT },
        location: { id: null, longitude: 13.4, latitude: 52.5, lastUpdated: INSTANT },
        capabilities: { measuresConsumption: CAPABLE, measuresProduction: CAPABLE },
        scopes: ["meter:read:data", "meter:read:location"],
        hemSystemId: UUID,
      },
    },
  }),
  meter("Power from the grid is positive", {
    request: { ask: "GET /meters/{neighbourMeter}" },
    expect: { status: 200, body: { userId: "{neighbour}", energyState: { power: 0.8 } } },
  }),
  meter("A meter that cannot tell where it is says null", {
    versions: NEWEST,
    request: { ask: "GET /meters/{neighbourMeter}" },
    expect: {
      status: 200,
      body: { location: { id: null, longitude: null, latitude: null, lastUpdated: null } },
    },
  }),
];

const HEM_ROWS: readonly Row[] = [
  hem("A HEM system groups a user's inverter, battery and meter, and has these fields and no others", {
    versions: NEWEST,
    given: [{ ask: "GET /batteries/{battery}", keep: { hem: "hemSystemId" } }],
    request: { ask: "GET /hem-systems/{hem}" },
    expect: {
      status: 200,
      exactly: {
        id: "{hem}",
        userId: "{user}",
        locationId: null,
        information: {
          vendor: TEXT,
          name: TEXT,
          installationDate: INSTANT,
          latitude: 52.5,
          longitude: 13.4,
          address: null,
          timezone: "Europe/Berlin",
          lastUpdated: INSTANT,
        },
        status: {
          lastSeen: INSTANT,
          energy: {
            today: {
              generation: null,
              consumption: null,
              charge: null,
              discharge: null,
              import: null,
              export: null,
              unit: "kWh",
              lastUpdated: INSTANT,
            },
          },
        },
      },
    },
    afterwards: [
      { ask: "GET /inverters/{inverter}", expect: { status: 200, body: { hemSystemId: "{hem}" } } },
      { ask: "GET /meters/{meter}", expect: { status: 200, body: { hemSystemId: "{hem}" } } },
    ],
  }),
  hem("The energy of today is counted in kWh", {
    versions: NEWEST,
    given: [
      { ask: "GET /batteries/{battery}", keep: { hem: "hemSystemId" } },
      { device: "inverter", show: { "inverter.energy": null } },
      { device: "meter", show: { "meter.energyExport": 9_500 } },
    ],
    request: { ask: "GET /hem-systems/{hem}", after: 600 },
    expect: {
      status: 200,
      body: {
        status: {
          energy: {
            today: {
              generation: expect.closeTo(0.526),
              discharge: expect.closeTo(0.204),
              export: expect.closeTo(0.5),
              unit: "kWh",
            },
          },
        },
      },
    },
  }),
];

export const RESOURCE_CHARGING_ROWS: readonly Row[] = [...CHARGER_ROWS, ...VEHICLE_ROWS, ...METER_ROWS, ...HEM_ROWS];
