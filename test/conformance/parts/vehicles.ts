/** Rule I4.5: vehicles. What rule S2.4 says of plans is in its own part. */
import type { Happening, Row } from "../row.ts";
import { about, INSTANT, NEWEST, NOT_CUT, PRICED, TEXT, USER_IN_HEADER, USERS_IN_PATHS, UUID } from "../words.ts";

const says = about("I4.5");

const ONE = "GET /vehicles/{vehicle}";
const CHARGING = "POST /vehicles/{vehicle}/charging";
const POLICY = "/vehicles/{vehicle}/smart-charging-policy";
const STATUS = "GET /vehicles/{vehicle}/smart-charging-status";
const DEAD: Happening = { device: "vehicle", isUp: false, after: 120 };
const FIELDS = ["chargeState", "location", "information", "odometer"];
const NOT_FOUND = { status: 404, problem: "not-found" };

export const VEHICLE_ROWS: readonly Row[] = [
  says("Vehicles are listed in pages from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /vehicles" },
    expect: { status: 200, body: { data: [{ id: "{vehicle}" }], pagination: NOT_CUT } },
  }),
  says("Vehicles were a list of records before 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /vehicles" },
    expect: { status: 200, body: [{ id: "{vehicle}", vendor: "TESLA", chargeState: { batteryLevel: 40 } }] },
  }),
  says("One vehicle is read by its id", {
    request: { ask: ONE },
    expect: {
      status: 200,
      body: {
        id: "{vehicle}",
        chargeState: { batteryLevel: 40, range: 200, batteryCapacity: 60, chargeLimit: 80, isPluggedIn: true },
        odometer: { distance: 12_345 },
      },
    },
  }),
  says("An unknown vehicle is not found", { request: { ask: "GET /vehicles/{unknown}" }, expect: NOT_FOUND }),
  ...FIELDS.map((field) =>
    says(`A read may name ${field} to be read from the device before 2023-08-01`, {
      versions: USER_IN_HEADER,
      request: { ask: `${ONE}?field[]=${field}` },
      expect: { status: 200, body: { id: "{vehicle}" } },
    }),
  ),
  says("A list may name fields to be read from the device before 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /vehicles?field[]=chargeState&field[]=odometer" },
    expect: { status: 200, body: [{ id: "{vehicle}" }] },
  }),
  says("A field that vehicles do not have cannot be read from the device", {
    versions: USER_IN_HEADER,
    request: { ask: `${ONE}?field[]=productionState` },
    expect: { status: 400, problem: "validation-error" },
  }),
  says("206 answers what is known when a field cannot be read from the device", {
    versions: USER_IN_HEADER,
    given: [DEAD],
    request: { ask: `${ONE}?field[]=chargeState` },
    expect: { status: 206, body: { id: "{vehicle}", isReachable: false, chargeState: { batteryLevel: 40 } } },
  }),
  says("206 answers a list when one of its vehicles cannot be read from the device", {
    versions: USER_IN_HEADER,
    given: [DEAD],
    request: { ask: "GET /vehicles?field[]=chargeState" },
    expect: { status: 206, body: [{ id: "{vehicle}", isReachable: false }] },
  }),
  says("A read that names an empty list of fields is 200", {
    versions: USER_IN_HEADER,
    given: [DEAD],
    request: { ask: ONE },
    expect: { status: 200, body: { isReachable: false, chargeState: { batteryLevel: 40 } } },
  }),
  says("The parameter is gone from 2023-08-01: what is known is answered", {
    versions: USERS_IN_PATHS,
    given: [DEAD],
    request: { ask: `${ONE}?field[]=chargeState` },
    expect: { status: 200, body: { isReachable: false } },
  }),
  says("A charge command answers a pending action", {
    request: { ask: CHARGING, body: { action: "START" } },
    expect: {
      status: 200,
      body: { id: UUID, state: "PENDING", kind: "START", targetType: "vehicle", targetId: "{vehicle}" },
    },
  }),
  says("Stopping what does not charge is refused", {
    request: { ask: CHARGING, body: { action: "STOP" } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("Another action than START and STOP is refused", {
    request: { ask: CHARGING, body: { action: "PAUSE" } },
    expect: { status: 400 },
  }),
  says("An unknown vehicle cannot be commanded", {
    request: { ask: "POST /vehicles/{unknown}/charging", body: { action: "START" } },
    expect: NOT_FOUND,
  }),
  says("A vehicle that is not plugged in is not started", {
    given: [{ device: "vehicle", show: { "vehicle.state": "UNPLUGGED" }, after: 5 }],
    versions: { from: "2024-01-01" },
    request: { ask: CHARGING, body: { action: "START" } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A vehicle under a schedule is not commanded by hand", {
    versions: { from: "2024-01-01" },
    given: [
      {
        ask: "POST /users/{user}/locations",
        body: { name: "House", latitude: 52.5, longitude: 13.4 },
        keep: { location: "id" },
      },
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetId: "{vehicle}",
          targetType: "vehicle",
          locationId: "{location}",
          isEnabled: true,
          defaultShouldCharge: false,
          rules: [],
        },
      },
      { device: "vehicle", after: 5 },
    ],
    request: { ask: CHARGING, body: { action: "START" } },
    expect: { status: 422, problem: "service-controlled-entity", body: { title: "Service Controlled Entity" } },
  }),
  says("The smart charging policy is off at first", {
    versions: NEWEST,
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, exactly: { isEnabled: false, deadline: null, minimumChargeLimit: 0 } },
  }),
  says("The policy is changed bit by bit", {
    versions: { from: "2024-01-01" },
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "07:00" } }],
    request: { ask: `PUT ${POLICY}`, body: { minimumChargeLimit: 60 } },
    expect: { status: 200, body: { isEnabled: false, deadline: "07:00", minimumChargeLimit: 60 } },
    afterwards: [
      {
        ask: ONE,
        expect: {
          status: 200,
          body: { smartChargingPolicy: { isEnabled: false, deadline: "07:00", minimumChargeLimit: 60 } },
        },
      },
    ],
  }),
  says("Smart charging that cannot be switched on is refused and stays off", {
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: true } },
    expect: { status: 400, problem: "bad-request", body: { title: "Cannot activate smart charging" } },
  }),
  says("A deadline that is no time is refused", {
    request: { ask: `PUT ${POLICY}`, body: { deadline: "25:00" } },
    expect: { status: 400 },
  }),
  says("Smart charging of a car that hangs on the plug is watched", {
    versions: NEWEST,
    given: [
      ...PRICED,
      { device: "vehicle", show: { "vehicle.state": "PLUGGED_IN:CHARGING", "vehicle.power": 10_000 }, after: 5 },
      { ask: `PUT ${POLICY}`, body: { isEnabled: true, deadline: "08:00", minimumChargeLimit: 50 } },
    ],
    request: { ask: STATUS, after: 60 },
    expect: {
      status: 200,
      body: {
        updatedAt: INSTANT,
        vehicleId: "{vehicle}",
        userId: "{user}",
        vendor: "TESLA",
        state: TEXT,
        stateChangedAt: INSTANT,
      },
    },
  }),
  says("Smart charging that is off is DISABLED", {
    request: { ask: STATUS },
    expect: { status: 200, body: { vehicleId: "{vehicle}", state: "DISABLED", plan: null } },
  }),
  says("A hint to read the vehicle soon is taken from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /vehicles/{vehicle}/refresh-hint" },
    expect: { status: 204, isEmpty: true },
  }),
  says("A hint for an unknown vehicle is 404 with an empty body", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /vehicles/{unknown}/refresh-hint" },
    expect: { status: 404, isEmpty: true },
  }),
  says("There were no hints before 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "POST /vehicles/{vehicle}/refresh-hint" },
    expect: NOT_FOUND,
  }),
  says("Another user's vehicle is not found by the header's user", {
    versions: USER_IN_HEADER,
    request: { ask: ONE, headers: { "service-user-id": "neighbour" } },
    expect: NOT_FOUND,
  }),
  says("The header's user has only the own vehicles", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /vehicles", headers: { "service-user-id": "neighbour" } },
    expect: { status: 200, exactly: [] },
  }),
];
