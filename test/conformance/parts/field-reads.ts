/** Rules I4.4 to I4.6, I7 and I8: reads before 2023-08-01 that ask the device, and the vendor problems they answer with. */
import type { Happening, Row, Versions } from "../row.ts";
import { about } from "../words.ts";

const ofCharger = about("I4.4");
const ofVehicle = about("I4.5");
const ofInverter = about("I4.6");
const ofErrors = about("I7");
const ofLimits = about("I8");

const VERSIONS: Versions = ["2023-05-01", "2023-04-01"];
const READS = {
  charger: "GET /chargers/{charger}?field[]=chargeState",
  vehicle: "GET /vehicles/{vehicle}?field[]=chargeState",
  inverter: "GET /inverters/{inverter}?field[]=productionState",
} as const;
/** Long enough that what was read before answers no more, s. */
const AFTER = 40;

/** What a device fails with, and what its read is answered with. */
const PROBLEMS = [
  ["unauthorized", 409, "permanently-invalid-credentials", "permanently-invalid-credentials"],
  ["rejected", 409, "vendor-rejected", "vendor-rejected"],
  ["rate-limited", 429, "vendor-rate-limited", "vendor-rate-limited"],
  ["asleep", 409, "should-not-disturb", null],
  ["unavailable", 405, null, "vendor-unavailable"],
  ["timeout", 408, null, "timeout"],
] as const;

/** What the problems' rows say. */
const MEANINGS: Readonly<Record<(typeof PROBLEMS)[number][0], string>> = {
  unauthorized: "Credentials that the vendor does not accept any more",
  rejected: "The vendor's refusal",
  "rate-limited": "The vendor's limit",
  asleep: "A vehicle that sleeps",
  unavailable: "A vendor that is down",
  timeout: "A device that does not answer in time",
};

function failing(device: keyof typeof READS, failsBy: (typeof PROBLEMS)[number][0]): Happening {
  return { device, failsBy, after: AFTER };
}

/** It shows something else, and no poll had time to see it. */
function justNow(device: keyof typeof READS, show: NonNullable<Happening["show"]>): readonly Happening[] {
  return [
    { device, after: AFTER },
    { device, show },
  ];
}

const PROBLEM_ROWS = PROBLEMS.flatMap(([failsBy, status, ofVehicles, ofOthers]) => {
  const row = (device: keyof typeof READS, problem: string): Row =>
    ofErrors(`${MEANINGS[failsBy]} answers the field[] of the ${device} with ${problem}`, {
      versions: VERSIONS,
      given: [failing(device, failsBy)],
      request: { ask: READS[device] },
      expect: { status, problem },
    });
  return [
    ...(ofVehicles === null ? [] : [row("vehicle", ofVehicles)]),
    ...(ofOthers === null ? [] : [row("charger", ofOthers), row("inverter", ofOthers)]),
  ];
});

export const FIELD_READ_ROWS: readonly Row[] = [
  ofCharger("A charger's field[] asks the charger, and answers what it says now", {
    versions: VERSIONS,
    given: justNow("charger", { "charger.state": "UNPLUGGED" }),
    request: { ask: READS.charger },
    expect: { status: 200, body: { chargeState: { isPluggedIn: false } } },
  }),
  ofInverter("An inverter's field[] asks the inverter, and answers what it says now", {
    versions: VERSIONS,
    given: justNow("inverter", { "inverter.power": 1_000 }),
    request: { ask: READS.inverter },
    expect: { status: 200, body: { productionState: { productionRate: 1 } } },
  }),
  ofVehicle("A vehicle's field[] asks the vehicle, and answers what it says now", {
    versions: VERSIONS,
    given: justNow("vehicle", { "vehicle.soc": 41 }),
    request: { ask: READS.vehicle },
    expect: { status: 200, body: { chargeState: { batteryLevel: 41 } } },
  }),
  ...(["unavailable", "timeout"] as const).map((failsBy) =>
    ofErrors(`206 answers what is known of a vehicle: ${MEANINGS[failsBy].toLowerCase()}`, {
      versions: VERSIONS,
      given: [failing("vehicle", failsBy)],
      request: { ask: READS.vehicle },
      expect: { status: 206, body: { id: "{vehicle}", chargeState: { batteryLevel: 40 } } },
    }),
  ),
  ...PROBLEMS.map(([failsBy]) =>
    ofErrors(`206 answers the list of vehicles: ${MEANINGS[failsBy].toLowerCase()}`, {
      versions: VERSIONS,
      given: [failing("vehicle", failsBy)],
      request: { ask: "GET /vehicles?field[]=chargeState" },
      expect: { status: 206, body: [{ id: "{vehicle}", chargeState: { batteryLevel: 40 } }] },
    }),
  ),
  ...PROBLEM_ROWS,
  ofErrors("A charger that is not connected to its vendor is vendor-unavailable: only vehicles are left asleep", {
    versions: VERSIONS,
    given: [failing("charger", "asleep")],
    request: { ask: READS.charger },
    expect: { status: 405, problem: "vendor-unavailable" },
  }),
  ofErrors("A read without field[] asks nothing, and answers what is known", {
    versions: VERSIONS,
    given: [failing("charger", "rejected")],
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { id: "{charger}" } },
  }),
  ofErrors("A device of another user is not asked: it is not found", {
    versions: VERSIONS,
    given: [failing("charger", "rejected")],
    request: { ask: READS.charger, headers: { "service-user-id": "{neighbour}" } },
    expect: { status: 404, problem: "not-found" },
  }),
  ofErrors("field[] means nothing from 2023-08-01: what is known is answered", {
    versions: ["2023-08-01", "2024-10-01"],
    given: [failing("charger", "rejected")],
    request: { ask: READS.charger },
    expect: { status: 200, body: { id: "{charger}" } },
  }),
  ofLimits("A device that hangs is a timeout after 20 s at most", {
    versions: VERSIONS,
    given: [{ device: "inverter", hangs: true, after: AFTER }],
    request: { ask: READS.inverter },
    expect: { status: 408, problem: "timeout" },
  }),
  ofLimits("A vehicle that hangs is 206 after 20 s at most", {
    versions: VERSIONS,
    given: [{ device: "vehicle", hangs: true, after: AFTER }],
    request: { ask: READS.vehicle },
    expect: { status: 206, body: { id: "{vehicle}" } },
  }),
];
