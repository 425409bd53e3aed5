/** Rule S5.3: tariffs. */
import { LOCATION, PRICES } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const row = says("S5.3");
const PUT = "PUT /tariffs/mine";
/** The longest id of a tariff. */
const LONGEST = "aZ09_-".repeat(6);
const LINK = "PUT /locations/{location}/tariff";
const READ = "GET /locations/{location}/tariff";
const WITH_USERS = { from: "2023-08-01" };
const [RATES] = PRICES;
const GIVEN = [LOCATION, ...(RATES === undefined ? [] : [RATES])];

function link(...tariffIntervals: readonly object[]): object {
  return { tariffId: "night", tariffIntervals };
}

const COSTS = ["12.", ".5", "-0.03", "+1", "0", "123456789.123456789"];
const WRONG_COSTS = ["", ".", "1,5", "1e3", "1234567890", "0.1234567891", "ten"];
const WRONG_LINKS = [
  ["a rate that the tariff does not have", link({ name: "noon", from: "00:00", to: "24:00" })],
  [
    "hours that overlap",
    link({ name: "day", from: "00:00", to: "12:00" }, { name: "night", from: "11:00", to: "24:00" }),
  ],
  ["an end before its start", link({ name: "night", from: "22:00", to: "06:00" })],
  ["a time that there is not", link({ name: "day", from: "00:00", to: "24:01" })],
  ["a weekday that there is not", link({ name: "day", from: "00:00", to: "24:00", weekdays: [7] })],
  ["an unknown key", { ...link(), colour: "red" }],
] as const;

export const TARIFF_ROWS: readonly Row[] = [
  row("A tariff is put with 204 and read back", {
    versions: ["2024-10-01", "2023-04-01"],
    given: [{ ask: PUT, body: [{ name: "all", cost: "0.30" }] }],
    request: { ask: "GET /tariffs/mine" },
    expect: { status: 200, exactly: [{ name: "all", cost: "0.30" }] },
  }),
  row("A tariff that is put again is replaced", {
    versions: NEWEST,
    given: [
      { ask: PUT, body: [{ name: "all", cost: "0.30" }] },
      { ask: PUT, body: [{ name: "other", cost: "0.20" }] },
    ],
    request: { ask: "GET /tariffs/mine" },
    expect: { status: 200, exactly: [{ name: "other", cost: "0.20" }] },
  }),
  ...COSTS.map((cost) =>
    row(`${cost} is a cost`, {
      versions: NEWEST,
      request: { ask: PUT, body: [{ name: "all", cost }] },
      expect: { status: 204, isEmpty: true },
    }),
  ),
  ...WRONG_COSTS.map((cost) =>
    row(`"${cost}" is no cost`, {
      request: { ask: PUT, body: [{ name: "all", cost }] },
      expect: { status: 400, body: { issues: [{ path: [0, "cost"], in: "body" }] } },
    }),
  ),
  row("A name twice in a tariff is refused", {
    request: {
      ask: PUT,
      body: [
        { name: "all", cost: "1" },
        { name: "all", cost: "2" },
      ],
    },
    expect: { status: 400, body: { issues: [{ path: [1, "name"] }] } },
  }),
  ...["a".repeat(37), "with space", "ümlaut"].map((id) =>
    row(`"${id}" is no id of a tariff`, {
      request: { ask: `PUT /tariffs/${encodeURIComponent(id)}`, body: [{ name: "all", cost: "1" }] },
      expect: { status: 400 },
    }),
  ),
  row("An id of a tariff may have 36 letters, digits, _ and -", {
    versions: NEWEST,
    request: { ask: `PUT /tariffs/${LONGEST}`, body: [{ name: "all", cost: "1" }] },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /tariffs", expect: { status: 200, body: { data: [LONGEST] } } }],
  }),
  row("A tariff that was never put is not found", {
    request: { ask: "GET /tariffs/nothing" },
    expect: { status: 404, problem: "not-found" },
  }),
  row("The ids of tariffs are listed in pages", {
    versions: NEWEST,
    given: [{ ask: PUT, body: [{ name: "all", cost: "1" }] }],
    request: { ask: "GET /tariffs" },
    expect: { status: 200, body: { data: ["mine"], pagination: { after: null, before: null } } },
  }),
  row("A location takes a tariff with 204 and tells its entries in UTC", {
    versions: ["2024-10-01", "2023-08-01"],
    given: GIVEN,
    request: { ask: LINK, body: link({ name: "day", from: "00:00", to: "24:00", weekdays: [0, 6] }) },
    expect: { status: 204, isEmpty: true },
    afterwards: [
      {
        ask: READ,
        expect: {
          status: 200,
          exactly: [0, 6].map((weekday) => ({
            weekday,
            fromHourMinute: "00:00",
            toHourMinute: "24:00",
            tariffId: "night",
            tariffName: "day",
          })),
        },
      },
    ],
  }),
  row("An entry for the whole week has no weekday", {
    versions: NEWEST,
    given: [LOCATION, ...PRICES],
    request: { ask: READ },
    expect: {
      status: 200,
      body: [{ fromHourMinute: "00:00" }, { fromHourMinute: "03:00" }, { fromHourMinute: "06:00" }],
      lacks: ["0.weekday", "1.weekday"],
    },
  }),
  row("Entries of a location elsewhere are turned to UTC and split at its midnight", {
    versions: NEWEST,
    given: [
      { ...LOCATION, body: { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" } },
      ...(RATES === undefined ? [] : [RATES]),
    ],
    request: { ask: LINK, body: link({ name: "night", from: "01:00", to: "06:00", weekdays: [0] }) },
    expect: { status: 204 },
    afterwards: [
      {
        ask: READ,
        expect: {
          status: 200,
          body: [
            { weekday: 0, fromHourMinute: "00:00", toHourMinute: "04:00", tariffName: "night" },
            { weekday: 6, fromHourMinute: "23:00", toHourMinute: "24:00", tariffName: "night" },
          ],
        },
      },
    ],
  }),
  row("A tariff of a location replaces the one before", {
    versions: NEWEST,
    given: [LOCATION, ...PRICES],
    request: { ask: LINK, body: link({ name: "day", from: "00:00", to: "01:00" }) },
    expect: { status: 204 },
    afterwards: [{ ask: READ, expect: { status: 200, body: [{ toHourMinute: "01:00", tariffName: "day" }] } }],
  }),
  ...WRONG_LINKS.map(([what, body]) =>
    row(`A location's tariff with ${what} is refused`, {
      versions: NEWEST,
      given: GIVEN,
      request: { ask: LINK, body },
      expect: { status: 400, problem: "bad-request" },
    }),
  ),
  row("A location's tariff that was never put is not found", {
    versions: NEWEST,
    given: [LOCATION],
    request: { ask: LINK, body: { tariffId: "nothing", tariffIntervals: [] } },
    expect: { status: 404, problem: "not-found" },
  }),
  row("The tariff of an unknown location is not found", {
    versions: WITH_USERS,
    request: { ask: "GET /locations/{unknown}/tariff" },
    expect: { status: 404, problem: "not-found" },
  }),
  row("A tariff for an unknown location is not found", {
    versions: WITH_USERS,
    request: { ask: "PUT /locations/{unknown}/tariff", body: { tariffId: "night", tariffIntervals: [] } },
    expect: { status: 404, problem: "not-found" },
  }),
  row("A location's tariff is taken away with 204", {
    versions: NEWEST,
    given: [LOCATION, ...PRICES],
    request: { ask: "DELETE /locations/{location}/tariff" },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: READ, expect: { status: 200, exactly: [] } }],
  }),
];
