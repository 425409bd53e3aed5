/** Rules S2.6 and S2.7: what an HVAC unit aims for. */
import { expect } from "vitest";
import { LOCATION, PRICES } from "../given.ts";
import type { Row } from "../row.ts";
import { FIRST_AND_LAST, NEWEST, says } from "../says.ts";

const policy = says("S2.6");
const unit = says("S2.7");
const UNIT = "/hvacs/{hvac}";
const HOLD = `POST ${UNIT}/permanent-hold`;
const FOLLOW = `POST ${UNIT}/follow-schedule`;
const POLICY = `${UNIT}/smart-policy`;
const STATUS = `${UNIT}/smart-status`;

const HOLDS = [
  { mode: "COOL", coolSetpoint: 24 },
  { mode: "HEAT", heatSetpoint: 21 },
  { mode: "AUTO", coolSetpoint: 26, heatSetpoint: 20 },
  { mode: "OFF" },
] as const;

const WRONG_HOLDS = [
  ["COOL without its setpoint", { mode: "COOL" }],
  ["HEAT without its setpoint", { mode: "HEAT" }],
  ["AUTO with one setpoint", { mode: "AUTO", coolSetpoint: 26 }],
  ["OFF with a setpoint", { mode: "OFF", heatSetpoint: 20 }],
  ["mode UNKNOWN", { mode: "UNKNOWN" }],
  ["no mode", { coolSetpoint: 24 }],
  ["an unknown key", { mode: "OFF", fan: true }],
  ["cooling below what it heats to", { mode: "AUTO", coolSetpoint: 18, heatSetpoint: 24 }],
  ["a setpoint above the range", { mode: "HEAT", heatSetpoint: 31 }],
  ["a setpoint below the range", { mode: "COOL", coolSetpoint: 14 }],
] as const;

export const HVAC_ROWS: readonly Row[] = [
  ...HOLDS.map((hold) =>
    unit(`A hold of ${hold.mode} is confirmed as it was asked for`, {
      versions: FIRST_AND_LAST,
      given: [{ ask: HOLD, body: hold, keep: { action: "id" } }],
      request: { ask: "GET /hvacs/actions/{action}", after: 60 },
      expect: {
        status: 200,
        body: { state: "CONFIRMED", target: { ...hold, holdType: "PERMANENT" } },
        lacks: ["kind", "targetState"],
      },
      afterwards: [
        { ask: `GET ${UNIT}`, expect: { status: 200, body: { thermostatState: { ...hold, holdType: "PERMANENT" } } } },
      ],
    }),
  ),
  ...WRONG_HOLDS.map(([what, body]) =>
    unit(`A hold with ${what} is refused`, { request: { ask: HOLD, body }, expect: { status: 400 } }),
  ),
  ...[30, 5].map((heatSetpoint) =>
    unit(`The end of the range, ${heatSetpoint}, is a setpoint`, {
      versions: NEWEST,
      request: { ask: HOLD, body: { mode: "HEAT", heatSetpoint } },
      expect: { status: 200, body: { target: { heatSetpoint } } },
    }),
  ),
  unit("Following the unit's schedule has the hold type alone as target", {
    versions: FIRST_AND_LAST,
    given: [{ ask: HOLD, body: { mode: "OFF" } }],
    request: { ask: FOLLOW, after: 60 },
    expect: {
      status: 200,
      body: { target: { holdType: "SCHEDULED" }, targetType: "hvac" },
      lacks: ["kind", "target.mode"],
    },
  }),
  ...[HOLD, FOLLOW].map((ask) =>
    unit(`${ask} without the control scope is forbidden`, {
      house: "readOnly",
      request: { ask, ...(ask === HOLD && { body: { mode: "OFF" } }) },
      expect: { status: 403, problem: "forbidden", body: { detail: expect.stringContaining("hvac:control:mode") } },
    }),
  ),
  unit("Ranges are null or have both ends", {
    request: { ask: `GET ${UNIT}` },
    expect: {
      status: 200,
      body: {
        capabilities: {
          capableModes: ["OFF", "AUTO", "COOL", "HEAT"],
          coolSetpointRange: { min: 15, max: 35 },
          heatSetpointRange: { min: 5, max: 30 },
          setpointDifferenceRange: { min: 0, max: null },
        },
      },
    },
  }),
  ...["HEATING", "COOLING", "HEAT_PUMP", "AGGREGATOR"].map((category) =>
    unit(`A unit may be of the category ${category}`, {
      versions: NEWEST,
      house: "sandbox",
      given: [{ ask: "POST /local/simulated/hvac", body: { userId: "ada", category } }],
      request: { ask: "GET /hvacs", after: 30 },
      expect: { status: 200, body: { data: [{ information: { category } }] } },
    }),
  ),
  policy("A unit's smart policy is off at first", {
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, exactly: { isEnabled: false } },
  }),
  policy("A unit's smart policy is switched on", {
    versions: FIRST_AND_LAST,
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: true } },
    expect: { status: 200, exactly: { isEnabled: true } },
  }),
  policy("A unit's smart policy may be asked to change nothing", {
    versions: NEWEST,
    request: { ask: `PUT ${POLICY}`, body: {} },
    expect: { status: 200, exactly: { isEnabled: false } },
  }),
  policy("A unit without a policy has no intervals", {
    request: { ask: `GET ${STATUS}` },
    expect: { status: 200, exactly: { hvacId: "{hvac}", userId: "{user}", intervals: [] } },
  }),
  policy("A unit with a policy heats a degree more while it is cheap and a degree less while it is dear", {
    versions: FIRST_AND_LAST,
    given: [
      LOCATION,
      ...PRICES,
      { ask: `PUT ${UNIT}`, version: "2024-10-01", body: { locationId: "{location}" } },
      { ask: HOLD, body: { mode: "HEAT", heatSetpoint: 20 } },
      { ask: `PUT ${POLICY}`, body: { isEnabled: true }, after: 60 },
    ],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: {
      status: 200,
      body: {
        hvacId: "{hvac}",
        intervals: expect.arrayContaining([
          expect.objectContaining({ from: "03:00", heatSetpoint: 21 }),
          expect.objectContaining({ heatSetpoint: 19 }),
        ]),
      },
    },
  }),
  policy("The smart policy of an unknown unit is not found", {
    request: { ask: "GET /hvacs/{unknown}/smart-policy" },
    expect: { status: 404, problem: "not-found" },
  }),
];
