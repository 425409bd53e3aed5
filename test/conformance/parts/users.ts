/** Rule I4.1: users, and what taking leave takes away. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST, NOT_CUT, PLACED, TEXT, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const says = about("I4.1");

const NO_USER = { status: 404, problem: "not-found", body: { title: "User does not exist" } };
const GONE = { status: 404, problem: "not-found" };
const DELETED = { status: 204, isEmpty: true } as const;
/** What the house's owner has besides devices. */
const POSSESSIONS: readonly Ask[] = [
  { ...PLACED, version: "2024-10-01" },
  {
    ask: "POST /users/{user}/schedules",
    body: {
      targetId: "{charger}",
      targetType: "charger",
      locationId: null,
      isEnabled: false,
      defaultShouldCharge: false,
      rules: [],
    },
    keep: { schedule: "id" },
    version: "2024-10-01",
  },
];

export const USER_ROWS: readonly Row[] = [
  says("Users are listed in pages", {
    request: { ask: "GET /users?pageSize=1" },
    expect: {
      status: 200,
      exactly: {
        data: [{ id: TEXT, createdAt: INSTANT, scopes: expect.any(Array) }],
        pagination: { after: TEXT, before: null },
      },
    },
  }),
  says("One user is read with what is linked, by vendor and kind", {
    request: { ask: "GET /users/{user}" },
    expect: {
      status: 200,
      body: {
        id: "{user}",
        linkedVendors: expect.arrayContaining([
          { vendor: "SOLAREDGE", vendorType: "battery", isValid: true },
          { vendor: "KEBA", vendorType: "charger", isValid: true },
          { vendor: "SMA", vendorType: "inverter", isValid: true },
          { vendor: "TESLA", vendorType: "vehicle", isValid: true },
        ]),
      },
    },
  }),
  ...["GET /users/nobody", "DELETE /users/nobody", "DELETE /users/nobody/authorization"].map((ask) =>
    says(`${ask} says that there is no such user`, { request: { ask }, expect: NO_USER }),
  ),
  says("No vendor of an unknown user can be deleted", {
    request: { ask: "DELETE /users/nobody/vendors/TESLA" },
    expect: NO_USER,
  }),
  says("No kind of a vendor of an unknown user can be deleted", {
    request: { ask: "DELETE /users/nobody/vendors/TESLA/vehicle" },
    expect: NO_USER,
  }),
  says("A kind of device that there is not cannot be deleted", {
    request: { ask: "DELETE /users/{user}/vendors/TESLA/toaster" },
    expect: GONE,
  }),
  says("Deleting a user deletes its devices and its record, and nobody else's", {
    versions: { from: "2024-01-01" },
    given: POSSESSIONS,
    request: { ask: "DELETE /users/{user}" },
    expect: DELETED,
    afterwards: [
      { ask: "GET /users/{user}", expect: NO_USER },
      { ask: "GET /batteries/{battery}", expect: GONE },
      { ask: "GET /vehicles/{vehicle}", expect: GONE },
      { ask: "GET /locations/{location}", expect: GONE },
      { ask: "GET /schedules/{schedule}/status", expect: GONE },
      { ask: "GET /users/{user}/statistics/charging?type=charger&startDate=2026-06-21T00:00:00Z", expect: NO_USER },
      { ask: "GET /meters", expect: { status: 200, body: { data: [{ id: "{neighbourMeter}" }] } } },
    ],
  }),
  says("Deleting an authorization keeps the other data, and sends no more events", {
    versions: NEWEST,
    given: [...POSSESSIONS, LISTENING],
    request: { ask: "DELETE /users/{neighbour}/authorization" },
    expect: DELETED,
    afterwards: [
      { device: "neighbourMeter", show: { "meter.power": 5_000 }, after: 60 },
      { ask: "GET /users/{neighbour}", expect: { status: 200, body: { id: "{neighbour}" } } },
      {
        ask: "GET /meters/{neighbourMeter}",
        expect: { status: 200, body: { isReachable: false, energyState: { power: 0.8 } } },
      },
      { notTold: { user: { id: "{neighbour}" } } },
      { ask: "GET /meters/{meter}", expect: { status: 200, body: { isReachable: true } } },
    ],
  }),
  says("A user without authorization is linked to no valid vendor", {
    versions: NEWEST,
    given: [{ ask: "DELETE /users/{neighbour}/authorization" }],
    request: { ask: "GET /users/{neighbour}", after: 5 },
    expect: { status: 200 },
    afterwards: [
      {
        ask: "GET /users/{neighbour}",
        expect: {
          status: 200,
          body: { linkedVendors: expect.not.arrayContaining([expect.objectContaining({ isValid: true })]) },
        },
      },
    ],
  }),
  says("Deleting a vendor deletes its assets, and tells so", {
    versions: NEWEST,
    given: [LISTENING],
    request: { ask: "DELETE /users/{user}/vendors/SMA" },
    expect: DELETED,
    afterwards: [
      { ask: "GET /inverters/{inverter}", expect: GONE },
      { ask: "GET /batteries/{battery}", expect: { status: 200 } },
      { told: { event: "user:inverter:deleted", user: { id: "{user}" }, inverter: { id: "{inverter}" } }, after: 5 },
    ],
  }),
  says("Deleting a kind of a vendor deletes the assets of that kind", {
    request: { ask: "DELETE /users/{user}/vendors/TESLA/vehicle" },
    expect: DELETED,
    afterwards: [
      { ask: "GET /vehicles/{vehicle}", expect: GONE },
      { ask: "GET /batteries/{battery}", expect: { status: 200 } },
    ],
  }),
  ...(
    [
      ["batteries", "battery"],
      ["hvacs", "hvac"],
      ["inverters", "inverter"],
      ["meters", "meter"],
      ["vehicles", "vehicle"],
      ["chargers", "charger"],
    ] as const
  ).flatMap(([plural, kind]) => [
    says(`A user's ${plural} are listed in pages, as the whole list shows them`, {
      versions: USERS_IN_PATHS,
      given: [{ ask: `GET /${plural}/{${kind}}`, keep: { brand: "vendor" } }],
      request: { ask: `GET /users/{user}/${plural}` },
      expect: {
        status: 200,
        body: { data: [{ id: `{${kind}}`, userId: "{user}", vendor: "{brand}" }], pagination: NOT_CUT },
      },
    }),
    says(`The ${plural} of an unknown user say that there is no such user`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET /users/nobody/${plural}` },
      expect: NO_USER,
    }),
  ]),
  says("A user who has no device of a kind has an empty list", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /users/{neighbour}/vehicles" },
    expect: { status: 200, exactly: { data: [], pagination: NOT_CUT } },
  }),
  says("The lists of a kind are across all users", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /meters" },
    expect: {
      status: 200,
      body: {
        data: expect.arrayContaining([
          expect.objectContaining({ userId: "home" }),
          expect.objectContaining({ userId: "neighbour" }),
        ]),
      },
    },
  }),
  says("Before 2023-08-01 the user of the header is /me", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /me" },
    expect: { status: 200, body: { id: "{user}", linkedVendors: expect.any(Array) } },
  }),
];
