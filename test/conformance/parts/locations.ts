/** Rule I4.8: locations, and the tariffs they have. */
import type { Ask, Row } from "../row.ts";
import { about, HOUSE, NEWEST, NOT_CUT, PLACED, TEXT, USER_IN_HEADER, USERS_IN_PATHS, UUID } from "../words.ts";

const says = about("I4.8");

const NOT_FOUND = { status: 404, problem: "not-found" };
const TARIFF: Ask = {
  ask: "PUT /tariffs/t",
  body: [
    { name: "a", cost: "0.1" },
    { name: "b", cost: "0.2" },
  ],
};
const ALL_DAY = { tariffId: "t", tariffIntervals: [{ name: "a", from: "00:00", to: "24:00" }] };

/** The same statements in both eras: paths, and how a location is made. */
const ERAS = [
  {
    era: "",
    versions: ["2024-10-01", "2023-08-01"],
    place: "/locations/{location}",
    placed: PLACED,
    list: "GET /users/{user}/locations",
    unknown: "/locations/{unknown}",
    listed: { data: [{ id: "{location}" }], pagination: NOT_CUT },
    none: { data: [], pagination: NOT_CUT },
  },
  {
    era: "Before 2023-08-01, at charging locations: ",
    versions: ["2023-05-01"],
    place: "/charging-locations/{location}",
    placed: { ask: "POST /charging-locations", body: HOUSE, keep: { location: "id" } },
    list: "GET /charging-locations",
    unknown: "/charging-locations/{unknown}",
    listed: [{ id: "{location}" }],
    none: [],
  },
];

const WRONG: readonly (readonly [string, object])[] = [
  ["without a name", { ...HOUSE, name: undefined }],
  ["without a longitude", { ...HOUSE, longitude: undefined }],
  ["without a latitude", { ...HOUSE, latitude: undefined }],
  ["with a latitude beyond the pole", { ...HOUSE, latitude: 91 }],
  ["with a longitude beyond the date line", { ...HOUSE, longitude: 181 }],
  ["with a time zone that there is not", { ...HOUSE, timezoneName: "Mars/Olympus" }],
  ["with a key that it does not have", { ...HOUSE, colour: "red" }],
];

export const LOCATION_ROWS: readonly Row[] = [
  ...ERAS.flatMap(({ era, versions, place, placed, list, unknown, listed, none }): readonly Row[] => [
    says(`${era}A location is made with 201`, {
      versions,
      request: placed,
      expect: { status: 201, body: { ...HOUSE, id: UUID } },
    }),
    says(`${era}The time zone is UTC when none is given`, {
      versions,
      request: { ...placed, body: { name: "Sea", latitude: 0, longitude: 0 } },
      expect: { status: 201, body: { timezoneName: "UTC" } },
    }),
    ...WRONG.map(([what, body]) =>
      says(`${era}A location is refused ${what}`, {
        versions,
        request: { ...placed, body, keep: {} },
        expect: { status: 400 },
      }),
    ),
    says(`${era}A location is read, and changed in part`, {
      versions,
      given: [placed],
      request: { ask: `PUT ${place}`, body: { name: "Home" } },
      expect: { status: 200, body: { ...HOUSE, id: "{location}", name: "Home" } },
      afterwards: [{ ask: `GET ${place}`, expect: { status: 200, body: { ...HOUSE, name: "Home" } } }],
    }),
    says(`${era}Locations are listed`, {
      versions,
      given: [placed],
      request: { ask: list },
      expect: { status: 200, body: listed },
    }),
    says(`${era}A deleted location is answered and gone`, {
      versions,
      given: [placed],
      request: { ask: `DELETE ${place}` },
      expect: { status: 200, body: { id: "{location}" } },
      afterwards: [
        { ask: `GET ${place}`, expect: NOT_FOUND },
        { ask: list, expect: { status: 200, exactly: none } },
      ],
    }),
    ...["GET", "DELETE"].map((method) =>
      says(`${era}${method} of an unknown location is not found`, {
        versions,
        request: { ask: `${method} ${unknown}` },
        expect: NOT_FOUND,
      }),
    ),
    says(`${era}An unknown location cannot be changed`, {
      versions,
      request: { ask: `PUT ${unknown}`, body: { name: "Nowhere" } },
      expect: NOT_FOUND,
    }),
    says(`${era}A tariff is linked with 204 and read back`, {
      versions,
      given: [{ ...placed, body: { ...HOUSE, timezoneName: "UTC" } }, TARIFF],
      request: { ask: `PUT ${place}/tariff`, body: ALL_DAY },
      expect: { status: 204, isEmpty: true },
      afterwards: [{ ask: `GET ${place}/tariff`, expect: { status: 200, body: [{ tariffId: "t", tariffName: "a" }] } }],
    }),
    says(`${era}Each link takes the place of the one before; gaps are allowed`, {
      versions,
      given: [
        { ...placed, body: { ...HOUSE, timezoneName: "UTC" } },
        TARIFF,
        { ask: `PUT ${place}/tariff`, body: ALL_DAY },
      ],
      request: {
        ask: `PUT ${place}/tariff`,
        body: { tariffId: "t", tariffIntervals: [{ name: "b", from: "06:00", to: "08:00", weekdays: [0] }] },
      },
      expect: { status: 204, isEmpty: true },
      afterwards: [
        {
          ask: `GET ${place}/tariff`,
          expect: {
            status: 200,
            exactly: [{ weekday: 0, fromHourMinute: "06:00", toHourMinute: "08:00", tariffId: "t", tariffName: "b" }],
          },
        },
      ],
    }),
    says(`${era}Intervals that overlap are refused`, {
      versions,
      given: [placed, TARIFF],
      request: {
        ask: `PUT ${place}/tariff`,
        body: {
          tariffId: "t",
          tariffIntervals: [
            { name: "a", from: "00:00", to: "08:00" },
            { name: "b", from: "07:00", to: "24:00" },
          ],
        },
      },
      expect: { status: 400, body: { detail: TEXT } },
    }),
    says(`${era}A tariff that there is not cannot be linked`, {
      versions,
      given: [placed],
      request: { ask: `PUT ${place}/tariff`, body: { ...ALL_DAY, tariffId: "none" } },
      expect: NOT_FOUND,
    }),
    says(`${era}A tariff cannot be linked to an unknown location`, {
      versions,
      given: [TARIFF],
      request: { ask: `PUT ${unknown}/tariff`, body: ALL_DAY },
      expect: NOT_FOUND,
    }),
    says(`${era}The tariff of an unknown location is not found`, {
      versions,
      request: { ask: `GET ${unknown}/tariff` },
      expect: NOT_FOUND,
    }),
  ]),
  says("The paths of charging locations are gone from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /charging-locations" },
    expect: NOT_FOUND,
  }),
  says("The paths of locations are from 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /locations" },
    expect: NOT_FOUND,
  }),
  says("Locations of all users are listed in pages", {
    versions: USERS_IN_PATHS,
    given: [{ ...PLACED, ask: "POST /users/{neighbour}/locations" }],
    request: { ask: "GET /locations" },
    expect: { status: 200, body: { data: [{ id: "{location}", userId: "{neighbour}" }], pagination: NOT_CUT } },
  }),
  says("Another user's location is not found by the header's user", {
    versions: USER_IN_HEADER,
    given: [{ ask: "POST /charging-locations", body: HOUSE, keep: { location: "id" } }],
    request: { ask: "GET /charging-locations/{location}", headers: { "service-user-id": "neighbour" } },
    expect: NOT_FOUND,
  }),
  says("A location keeps what is submitted for it until it is submitted again", {
    versions: NEWEST,
    given: [PLACED, { ask: "PUT /locations/{location}", body: { timezoneName: "America/New_York" } }],
    request: { ask: "GET /locations/{location}" },
    expect: { status: 200, body: { timezoneName: "America/New_York", name: "House" } },
  }),
];
