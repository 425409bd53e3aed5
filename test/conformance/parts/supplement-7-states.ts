/** Rules S7.3 and S7.5: what a schedule does and says of itself. */
import { expect } from "vitest";
import { CHARGING_AT_HOME, LOCATION } from "../given.ts";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { LISTENING } from "../words.ts";
import { CHARGE, TEMPERATURE } from "./supplement-7-schedules.ts";

const status = says("S7.3");
const rule = says("S7.4");
const state = says("S7.5");
const STATUS = "GET /schedules/{schedule}/status";
const NOW = { ask: STATUS, after: 30 };
const ON = { ...CHARGE, isEnabled: true, defaultShouldCharge: true };
const HEAT = { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 22 };

function made(body: object): Ask {
  return { ask: "POST /users/{user}/schedules", body, keep: { schedule: "id" } };
}

/** Switched on for a vehicle at the house's location. */
const VEHICLE_AT_HOME = {
  ...CHARGE,
  targetType: "vehicle",
  targetId: "{vehicle}",
  locationId: "{location}",
  isEnabled: true,
};
const SMART = "/vehicles/{vehicle}/smart-charging";

export const SCHEDULE_STATE_ROWS: readonly Row[] = [
  state("A status that is read right after an override was ended is not overridden any more, and sends an event", {
    versions: NEWEST,
    given: [
      made({ ...ON, defaultShouldCharge: false }),
      { ...LISTENING, after: 30 },
      { ask: "POST /chargers/{charger}/smart-override" },
      { device: "charger", after: 30 },
      { ask: "DELETE /chargers/{charger}/smart-override" },
    ],
    request: { ask: STATUS },
    expect: { status: 200, body: { state: "PENDING", smartOverride: null } },
    afterwards: [
      {
        after: 10,
        told: { event: "user:schedule:execution-updated", status: { state: "PENDING", smartOverride: null } },
      },
    ],
  }),
  state("A status that is read right after an override began is overridden", {
    versions: NEWEST,
    given: [
      made({ ...ON, defaultShouldCharge: false }),
      { device: "charger", after: 30 },
      { ask: "POST /chargers/{charger}/smart-override" },
    ],
    request: { ask: STATUS },
    expect: { status: 200, body: { state: "INACTIVE:OVERRIDDEN" } },
  }),
  state("A status that is read right after the location moved is of the place where it is now, and sends an event", {
    versions: NEWEST,
    given: [
      LOCATION,
      made(VEHICLE_AT_HOME),
      { ...LISTENING, after: 30 },
      { ask: "PUT /locations/{location}", body: { latitude: 10 } },
    ],
    request: { ask: STATUS },
    expect: { status: 200, body: { state: "INACTIVE:AWAY" } },
    afterwards: [{ after: 10, told: { event: "user:schedule:execution-updated", status: { state: "INACTIVE:AWAY" } } }],
  }),
  state("A status that is read right after the charger was put at the location applies there", {
    versions: NEWEST,
    given: [
      LOCATION,
      made({ ...ON, defaultShouldCharge: false, locationId: "{location}" }),
      { device: "charger", after: 30 },
      { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } },
    ],
    request: { ask: STATUS },
    expect: { status: 200, body: { state: "ALIGNED" } },
  }),
  state("Smart charging that is read right after the location moved is of the place where it is now", {
    versions: NEWEST,
    given: [
      ...CHARGING_AT_HOME,
      { device: "vehicle", show: { "vehicle.state": "UNPLUGGED" }, after: 5 },
      { ask: `PUT ${SMART}-policy`, body: { isEnabled: true, deadline: "07:00" } },
      { device: "vehicle", after: 30 },
      { ask: "PUT /locations/{location}", body: { latitude: 10 } },
    ],
    request: { ask: `GET ${SMART}-status` },
    expect: { status: 200, body: { state: "CONSIDERING", consideration: { atChargingLocation: false } } },
  }),
  state("Smart charging that is read right after an override was ended is not overridden any more", {
    versions: NEWEST,
    given: [
      ...CHARGING_AT_HOME,
      { ask: `PUT ${SMART}-policy`, body: { isEnabled: true, deadline: "07:00" } },
      { device: "vehicle", after: 60 },
      { ask: "POST /vehicles/{vehicle}/smart-override" },
      { device: "vehicle", after: 30 },
      { ask: "DELETE /vehicles/{vehicle}/smart-override" },
    ],
    request: { ask: `GET ${SMART}-status` },
    expect: { status: 200, body: { smartOverride: null, state: expect.not.stringContaining("OVERRIDDEN") } },
  }),
  status("A charge schedule says what it expects and why", {
    versions: NEWEST,
    given: [made(ON)],
    request: NOW,
    expect: {
      status: 200,
      exactly: {
        scheduleId: "{schedule}",
        scheduleType: "CHARGE",
        changedAt: expect.any(String),
        state: "ALIGNED",
        isCharging: true,
        isChargingExpected: true,
        isChargingExpectedParts: { needsCharge: true, isPluggedIn: true, shouldCharge: true },
        upcomingTransitions: [],
        smartOverride: null,
      },
    },
  }),
  status("A temperature schedule says what it expects and what is", {
    versions: NEWEST,
    given: [made({ ...TEMPERATURE, isEnabled: true, defaultTargetState: HEAT })],
    request: { ask: STATUS, after: 60 },
    expect: {
      status: 200,
      exactly: {
        scheduleId: "{schedule}",
        scheduleType: "TEMPERATURE",
        changedAt: expect.any(String),
        state: "ALIGNED",
        current: HEAT,
        expected: HEAT,
        upcomingTransitions: [],
      },
    },
  }),
  rule("The next two changes of what the rules want are given in UTC", {
    versions: NEWEST,
    given: [made({ ...CHARGE, rules: [{ shouldCharge: true, hourMinute: { from: "02:00", to: "05:00" } }] })],
    request: { ask: STATUS },
    expect: {
      status: 200,
      body: {
        upcomingTransitions: [
          { at: "2026-06-21T02:00:00.000Z", shouldCharge: true },
          { at: "2026-06-21T05:00:00.000Z", shouldCharge: false },
        ],
      },
    },
  }),
  rule("The next two changes of a temperature are given with their target", {
    versions: NEWEST,
    given: [made({ ...TEMPERATURE, rules: [{ targetState: HEAT, hourMinute: { from: "02:00", to: "05:00" } }] })],
    request: { ask: STATUS },
    expect: {
      status: 200,
      body: {
        upcomingTransitions: [
          { at: "2026-06-21T02:00:00.000Z", target: HEAT },
          { at: "2026-06-21T05:00:00.000Z", target: { holdType: "SCHEDULED" } },
        ],
      },
    },
  }),
  state("A schedule that is off is INACTIVE:DISABLED", {
    versions: NEWEST,
    given: [made(CHARGE)],
    request: { ask: STATUS },
    expect: { status: 200, body: { state: "INACTIVE:DISABLED" } },
  }),
  state("A schedule whose control scope is missing is INACTIVE:INCAPABLE", {
    versions: NEWEST,
    house: "readOnly",
    given: [made(ON)],
    request: NOW,
    expect: { status: 200, body: { state: "INACTIVE:INCAPABLE" } },
  }),
  state("A schedule at a location where the target is not is INACTIVE:AWAY", {
    versions: NEWEST,
    given: [LOCATION, made({ ...ON, locationId: "{location}" })],
    request: NOW,
    expect: { status: 200, body: { state: "INACTIVE:AWAY" } },
  }),
  state("A vehicle at no known location is INACTIVE:AWAY where none is named", {
    versions: NEWEST,
    given: [made({ ...ON, targetType: "vehicle", targetId: "{vehicle}" })],
    request: NOW,
    expect: { status: 200, body: { state: "INACTIVE:AWAY" } },
  }),
  state("A vehicle at a known location is controlled where none is named", {
    versions: NEWEST,
    given: [LOCATION, made({ ...ON, targetType: "vehicle", targetId: "{vehicle}" })],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED", isCharging: true } },
  }),
  state("A charger is controlled anywhere where no location is named", {
    versions: NEWEST,
    given: [made(ON)],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED" } },
  }),
  state("An override of the target is INACTIVE:OVERRIDDEN, and embedded without user and vendor", {
    versions: NEWEST,
    given: [made({ ...ON, defaultShouldCharge: false }), { ask: "POST /chargers/{charger}/smart-override", after: 5 }],
    request: NOW,
    expect: {
      status: 200,
      body: { state: "INACTIVE:OVERRIDDEN", isCharging: true, smartOverride: { targetId: "{charger}", endedAt: null } },
      lacks: ["smartOverride.userId", "smartOverride.vendor"],
    },
  }),
  state("After the override the schedule stops the target", {
    versions: NEWEST,
    given: [
      made({ ...ON, defaultShouldCharge: false }),
      { ask: "POST /chargers/{charger}/smart-override", after: 5 },
      { ask: "DELETE /chargers/{charger}/smart-override", after: 30 },
    ],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED", isCharging: false, smartOverride: null } },
  }),
  state("A schedule whose action is on its way is PENDING", {
    versions: NEWEST,
    given: [{ device: "charger", ignoresCommands: true }, made(ON)],
    request: NOW,
    expect: { status: 200, body: { state: "PENDING", isCharging: false, isChargingExpected: true } },
  }),
  state("A schedule whose action failed is MISALIGNED", {
    versions: NEWEST,
    given: [{ device: "charger", ignoresCommands: true }, made(ON)],
    request: { ask: STATUS, after: 320 },
    expect: { status: 200, body: { state: "MISALIGNED" } },
  }),
  state("A minute after it failed the schedule tries again", {
    versions: NEWEST,
    given: [{ device: "charger", ignoresCommands: true }, made(ON)],
    request: { ask: STATUS, after: 375 },
    expect: { status: 200, body: { state: "PENDING" } },
  }),
  state("What is unplugged is not expected to charge, and so ALIGNED", {
    versions: NEWEST,
    given: [{ device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 5 }, made(ON)],
    request: NOW,
    expect: {
      status: 200,
      body: {
        state: "ALIGNED",
        isChargingExpected: false,
        isChargingExpectedParts: { isPluggedIn: false, shouldCharge: true },
      },
    },
  }),
  state("A full vehicle needs no charge", {
    versions: NEWEST,
    given: [
      LOCATION,
      { device: "vehicle", show: { "vehicle.state": "PLUGGED_IN:COMPLETE" }, after: 5 },
      made({ ...ON, targetType: "vehicle", targetId: "{vehicle}" }),
    ],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED", isChargingExpectedParts: { needsCharge: false } } },
  }),
  state("A charger that gets no power needs no charge", {
    versions: NEWEST,
    given: [{ device: "charger", show: { "charger.state": "PLUGGED_IN:NO_POWER" }, after: 5 }, made(ON)],
    request: NOW,
    expect: { status: 200, body: { isChargingExpected: false, isChargingExpectedParts: { needsCharge: false } } },
  }),
  state("What charges though it should not is stopped", {
    versions: NEWEST,
    given: [
      { ask: "POST /chargers/{charger}/charging", body: { action: "START" } },
      { ...made({ ...ON, defaultShouldCharge: false }), after: 30 },
    ],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED", isCharging: false } },
  }),
  state("A unit within half a degree is ALIGNED", {
    versions: NEWEST,
    given: [
      made({ ...TEMPERATURE, isEnabled: true, defaultTargetState: HEAT }),
      { device: "hvac", show: { "hvac.heatSetpoint": 22.4 }, after: 60 },
    ],
    request: NOW,
    expect: { status: 200, body: { state: "ALIGNED" } },
  }),
  state("A second enabled schedule for a target is refused", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [made(ON)],
    request: { ask: "POST /users/{user}/schedules", body: ON },
    expect: {
      status: 400,
      problem: "bad-request",
      body: { title: expect.stringContaining("Another schedule is active for this target") },
    },
  }),
  state("A second schedule for a target that is off is taken", {
    versions: NEWEST,
    given: [made(ON)],
    request: { ask: "POST /users/{user}/schedules", body: CHARGE },
    expect: { status: 200, body: { targetId: "{charger}", isEnabled: false } },
    afterwards: [{ ask: "GET /users/{user}/schedules", expect: { status: 200, body: { data: [{}, {}] } } }],
  }),
  ...(
    [
      ["charger", "/chargers/{charger}/charging", { action: "STOP" }, ON],
      ["hvac", "/hvacs/{hvac}/permanent-hold", { mode: "OFF" }, { ...TEMPERATURE, isEnabled: true }],
      [
        "unit",
        "/hvacs/{hvac}/follow-schedule",
        undefined,
        { ...TEMPERATURE, isEnabled: true, defaultTargetState: HEAT },
      ],
    ] as const
  ).map(([kind, path, command, schedule]) =>
    state(`A command to a ${kind} under a schedule is refused (${path})`, {
      versions: ["2024-10-01", "2023-08-01"],
      given: [made(schedule), { ...NOW, after: 60 }],
      request: { ask: `POST ${path}`, ...(command !== undefined && { body: command }) },
      expect: { status: 422, problem: "service-controlled-entity", body: { title: "Service Controlled Entity" } },
    }),
  ),
  state("A schedule that is switched on switches the charger's policy off", {
    versions: NEWEST,
    given: [
      {
        ask: "PUT /chargers/{charger}/smart-charging-policy",
        body: { isEnabled: true, deadline: "08:00", chargingDuration: "03:00" },
      },
      made(ON),
    ],
    request: { ask: "GET /chargers/{charger}/smart-charging-policy" },
    expect: { status: 200, body: { isEnabled: false } },
  }),
  state("A policy that is switched on switches the charger's schedule off", {
    versions: NEWEST,
    given: [
      made(ON),
      {
        ask: "PUT /chargers/{charger}/smart-charging-policy",
        body: { isEnabled: true, deadline: "08:00", chargingDuration: "03:00" },
      },
    ],
    request: { ask: "GET /schedules/{schedule}" },
    expect: { status: 200, body: { isEnabled: false } },
  }),
];
