/** Rule S2.4: smart charging of vehicles. */
import { expect } from "vitest";
import { CHARGING_AT_HOME, LOCATION } from "../given.ts";
import type { Row } from "../row.ts";
import { FIRST_AND_LAST, NEWEST, says } from "../says.ts";

const row = says("S2.4");
const POLICY = "/vehicles/{vehicle}/smart-charging-policy";
const STATUS = "/vehicles/{vehicle}/smart-charging-status";
const PLANS = "/vehicles/{vehicle}/smart-charging-plans";
const ON = { isEnabled: true, deadline: "08:00" };
const SWITCHED_ON = { ask: `PUT ${POLICY}`, body: ON };
/** The vehicle charges, and smart charging has been on for a minute: it is paused. */
const PAUSED = [...CHARGING_AT_HOME, SWITCHED_ON, { ask: `GET ${STATUS}`, after: 60 }];

const REFUSED = { status: 400, problem: "bad-request", body: { title: "Cannot activate smart charging" } };

const POLICY_ROWS: readonly Row[] = [
  row("A vehicle's policy is off at first", {
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, body: { isEnabled: false, minimumChargeLimit: 0 } },
  }),
  row("A policy without a deadline says null from 2024-10-01", {
    versions: NEWEST,
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, exactly: { isEnabled: false, deadline: null, minimumChargeLimit: 0 } },
  }),
  row("A policy's deadline was not null before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, lacks: ["deadline"] },
  }),
  row("A policy is changed bit by bit", {
    versions: FIRST_AND_LAST,
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "07:30" } }],
    request: { ask: `PUT ${POLICY}`, body: { minimumChargeLimit: 60 } },
    expect: { status: 200, exactly: { isEnabled: false, deadline: "07:30", minimumChargeLimit: 60 } },
  }),
  row("A policy's deadline is cleared by null", {
    versions: NEWEST,
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "07:30" } }],
    request: { ask: `PUT ${POLICY}`, body: { deadline: null } },
    expect: { status: 200, body: { deadline: null } },
  }),
  row("A policy's unknown keys are ignored", {
    versions: FIRST_AND_LAST,
    request: { ask: `PUT ${POLICY}`, body: { deadline: "07:30", colour: "green" } },
    expect: { status: 200, body: { deadline: "07:30" }, lacks: ["colour"] },
  }),
  ...["00:00", "23:59", "24:00"].map((deadline) =>
    row(`${deadline} is a deadline`, {
      versions: NEWEST,
      request: { ask: `PUT ${POLICY}`, body: { deadline } },
      expect: { status: 200, body: { deadline } },
    }),
  ),
  ...["24:01", "7:30", "noon"].map((deadline) =>
    row(`${deadline} is no deadline`, {
      request: { ask: `PUT ${POLICY}`, body: { deadline } },
      expect: { status: 400, body: { issues: [{ path: ["deadline"], in: "body" }] } },
    }),
  ),
  ...[-1, 101].map((minimumChargeLimit) =>
    row(`A minimum charge of ${minimumChargeLimit} % is refused`, {
      request: { ask: `PUT ${POLICY}`, body: { minimumChargeLimit } },
      expect: { status: 400 },
    }),
  ),
  row("The policy stands in the vehicle too", {
    versions: FIRST_AND_LAST,
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "07:30" } }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { smartChargingPolicy: { isEnabled: false, deadline: "07:30" } } },
  }),
  row("Smart charging without a deadline is refused", {
    versions: FIRST_AND_LAST,
    given: [...CHARGING_AT_HOME],
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: true } },
    expect: REFUSED,
  }),
  row("Smart charging with a minimum above the charge limit is refused", {
    versions: NEWEST,
    given: [...CHARGING_AT_HOME],
    request: { ask: `PUT ${POLICY}`, body: { ...ON, minimumChargeLimit: 90 } },
    expect: REFUSED,
  }),
  row("Smart charging with a minimum below what the vendor allows is refused", {
    versions: NEWEST,
    given: [...CHARGING_AT_HOME],
    request: { ask: `PUT ${POLICY}`, body: { ...ON, minimumChargeLimit: 30 } },
    expect: REFUSED,
  }),
  row("Smart charging without any price is refused", {
    versions: FIRST_AND_LAST,
    given: [LOCATION],
    request: { ask: `PUT ${POLICY}`, body: ON },
    expect: REFUSED,
  }),
  row("Smart charging without the control scope is refused", {
    versions: NEWEST,
    house: "readOnly",
    given: [LOCATION],
    request: { ask: `PUT ${POLICY}`, body: ON },
    expect: REFUSED,
  }),
  row("The policy of an unknown vehicle is not found", {
    request: { ask: "GET /vehicles/{unknown}/smart-charging-policy" },
    expect: { status: 404, problem: "not-found" },
  }),
];

const STATUS_ROWS: readonly Row[] = [
  row("Smart charging that is off is DISABLED, with nothing to consider", {
    versions: NEWEST,
    request: { ask: `GET ${STATUS}` },
    expect: {
      status: 200,
      exactly: {
        updatedAt: expect.any(String),
        vehicleId: "{vehicle}",
        userId: "{user}",
        vendor: "TESLA",
        state: "DISABLED",
        stateChangedAt: expect.any(String),
        consideration: null,
        plan: null,
        smartOverride: null,
      },
    },
  }),
  row("A vehicle that does not charge is considered", {
    versions: FIRST_AND_LAST,
    given: [...CHARGING_AT_HOME, { device: "vehicle", show: { "vehicle.state": "UNPLUGGED" }, after: 5 }, SWITCHED_ON],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: {
      status: 200,
      body: {
        state: "CONSIDERING",
        plan: null,
        consideration: { isPluggedIn: false, isCharging: false, atChargingLocation: true, hasTimeEstimate: true },
      },
    },
  }),
  row("A vehicle that is full has nothing to plan", {
    versions: NEWEST,
    given: [
      ...CHARGING_AT_HOME,
      { device: "vehicle", show: { "vehicle.state": "PLUGGED_IN:COMPLETE", "vehicle.soc": 80 }, after: 5 },
      SWITCHED_ON,
    ],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: { status: 200, body: { state: "FULLY_CHARGED" } },
  }),
  row("A vehicle that charges while it is dear is stopped", {
    versions: FIRST_AND_LAST,
    given: PAUSED,
    request: { ask: `GET ${STATUS}` },
    expect: { status: 200, body: { state: "PLAN:EXECUTING:STOPPED", consideration: null } },
    afterwards: [
      { ask: "GET /vehicles/{vehicle}", expect: { status: 200, body: { chargeState: { isCharging: false } } } },
    ],
  }),
  row("Stopping that does not take is said", {
    versions: NEWEST,
    given: [...CHARGING_AT_HOME, { device: "vehicle", ignoresCommands: true }, SWITCHED_ON],
    request: { ask: `GET ${STATUS}`, after: 30 },
    expect: { status: 200, body: { state: "PLAN:EXECUTING:STOPPING" } },
    afterwards: [
      { ask: `GET ${STATUS}`, after: 300, expect: { status: 200, body: { state: "PLAN:EXECUTING:STOP_FAILED" } } },
    ],
  }),
  row("A plan says what it costs, when it pauses, and when it goes on", {
    versions: NEWEST,
    given: PAUSED,
    request: { ask: `GET ${PLANS}/latest` },
    expect: {
      status: 200,
      body: {
        id: expect.any(String),
        vehicleId: "{vehicle}",
        userId: "{user}",
        locationId: "{location}",
        vendor: "TESLA",
        currency: "EUR",
        nonSmartCost: expect.any(Number),
        smartCost: expect.any(Number),
        stopAt: expect.any(String),
        startAt: "2026-06-21T03:00:00.000Z",
        estimatedFinishAt: expect.any(String),
        stopConfirmedAt: expect.any(String),
        startConfirmedAt: null,
        endedAt: null,
        finalState: null,
        failureCondition: null,
      },
      lacks: ["externalStart", "chargingLocationId"],
    },
  }),
  row("Before 2024-10-01 a plan has its location twice, and an external start", {
    versions: ["2024-01-01", "2023-08-01"],
    given: PAUSED,
    request: { ask: `GET ${PLANS}/latest` },
    expect: { status: 200, body: { chargingLocationId: "{location}", externalStart: null } },
  }),
  row("A plan is read by its id", {
    versions: NEWEST,
    given: [...PAUSED, { ask: `GET ${PLANS}/latest`, keep: { plan: "id" } }],
    request: { ask: `GET ${PLANS}/{plan}` },
    expect: { status: 200, body: { id: "{plan}" } },
  }),
  ...["latest", "{unknown}", "nonsense"].map((plan) =>
    row(`There is no plan ${plan}`, {
      request: { ask: `GET ${PLANS}/${plan}` },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
  row("A command while a plan runs is refused", {
    versions: FIRST_AND_LAST,
    given: PAUSED,
    request: { ask: "POST /vehicles/{vehicle}/charging", body: { action: "START" } },
    expect: { status: 422, problem: "service-controlled-entity", body: { title: "Service Controlled Entity" } },
  }),
  row("An override of a plan charges now, and is in the status without user and vendor", {
    versions: NEWEST,
    given: [...PAUSED, { ask: "POST /vehicles/{vehicle}/smart-override" }],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: {
      status: 200,
      body: { state: "PLAN:EXECUTING:OVERRIDDEN", smartOverride: { targetId: "{vehicle}", endedAt: null } },
      lacks: ["smartOverride.userId", "smartOverride.vendor"],
    },
  }),
  row("After its override a plan goes on", {
    versions: NEWEST,
    given: [
      ...PAUSED,
      { ask: "POST /vehicles/{vehicle}/smart-override" },
      { ask: "DELETE /vehicles/{vehicle}/smart-override", after: 60 },
    ],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: { status: 200, body: { state: "PLAN:EXECUTING:STOPPED", smartOverride: null } },
  }),
  row("A plan ends when smart charging is switched off", {
    versions: FIRST_AND_LAST,
    given: [...PAUSED, { ask: `PUT ${POLICY}`, body: { isEnabled: false } }],
    request: { ask: `GET ${STATUS}`, after: 30 },
    expect: { status: 200, body: { state: "PLAN:ENDED:DISABLED" } },
  }),
  row("A plan ends when the vehicle is unplugged", {
    versions: NEWEST,
    given: [...PAUSED, { device: "vehicle", show: { "vehicle.state": "UNPLUGGED" }, after: 5 }],
    request: { ask: `GET ${PLANS}/latest`, after: 30 },
    expect: { status: 200, body: { finalState: "PLAN:ENDED:UNPLUGGED", endedAt: expect.any(String) } },
  }),
  row("A plan ends when the deadline changes, and another is made", {
    versions: NEWEST,
    given: [
      ...PAUSED,
      { ask: `GET ${PLANS}/latest`, keep: { plan: "id" } },
      { ask: `PUT ${POLICY}`, body: { deadline: "05:00" } },
    ],
    request: { ask: `GET ${PLANS}/{plan}`, after: 60 },
    expect: { status: 200, body: { finalState: "PLAN:ENDED:DEADLINE_CHANGED" } },
    afterwards: [{ ask: `GET ${STATUS}`, expect: { status: 200, body: { state: "PLAN:EXECUTING:STOPPED" } } }],
  }),
  row("Below its minimum a vehicle charges at any price", {
    versions: NEWEST,
    given: [...CHARGING_AT_HOME, { ask: `PUT ${POLICY}`, body: { ...ON, minimumChargeLimit: 60 } }],
    request: { ask: `GET ${STATUS}`, after: 300 },
    expect: {
      status: 200,
      body: {
        state: "CONSIDERING",
        consideration: { isPluggedIn: true, isCharging: true, atChargingLocation: true, hasTimeEstimate: true },
      },
    },
  }),
  row("A schedule that is switched on switches smart charging off", {
    versions: NEWEST,
    given: [
      ...PAUSED,
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetType: "vehicle",
          targetId: "{vehicle}",
          locationId: null,
          isEnabled: true,
          defaultShouldCharge: true,
          rules: [],
        },
      },
    ],
    request: { ask: `GET ${POLICY}`, after: 5 },
    expect: { status: 200, body: { isEnabled: false } },
  }),
];

export const VEHICLE_SMART_ROWS: readonly Row[] = [...POLICY_ROWS, ...STATUS_ROWS];
