import { Decimal } from "decimal.js";
import { z } from "zod";
import type { AssetKind } from "../../domain/assets/asset.ts";
import type { ProblemSlug } from "../../domain/problem.ts";
import { had, lacks, moved } from "./field-change.ts";
import type { JsonObject } from "./json.ts";
import { type AnswerChange, ID_LIST, PLAIN_LIST, type QueryChange, renamedKeys, type VersionStep } from "./step.ts";

/** The longest list that one page holds; older lists were not cut into pages. */
const WHOLE: QueryChange = { set: { pageSize: "1000" } };

const AT_CHARGING_LOCATION = renamedKeys({ chargingLocationId: "locationId" });

/** Lets a client have a device read before the answer. */
function fieldQuery(kind: AssetKind, ...fields: readonly string[]): QueryChange {
  const description = "Fields to fetch from the device before the answer, which takes up to 20 s.";
  return { reads: kind, own: { "field[]": z.array(z.enum(fields)).meta({ description }) } };
}

const VEHICLE_FIELDS = fieldQuery("vehicle", "chargeState", "location", "information", "odometer");

/** 206: a vehicle did not answer; the body is what was known of it before. */
const KNOWN: NonNullable<AnswerChange["known"]> = {
  status: 206,
  description: "A vehicle could not be read; what is known of it.",
};

/** Why a device whose fields are to be fetched could not be read. */
const VEHICLE_PROBLEMS: readonly ProblemSlug[] = [
  "permanently-invalid-credentials",
  "should-not-disturb",
  "vendor-rejected",
  "vendor-rate-limited",
];
const OTHER_PROBLEMS: readonly ProblemSlug[] = [
  "vendor-unavailable",
  "timeout",
  "permanently-invalid-credentials",
  "vendor-rejected",
  "vendor-rate-limited",
];

const NonSmartCostSum = z
  .number()
  .meta({ description: "Currency units that the energy had cost, had smart charging moved nothing." });

/** What was saved was not paid; without savings the cost is as it is. */
function nonSmartCostSum({ costSum, estimatedSavings }: JsonObject): unknown {
  if (typeof costSum !== "number" || typeof estimatedSavings !== "number") return costSum;
  return new Decimal(costSum).plus(estimatedSavings).toNumber();
}

/** What statistics are asked with. */
const OF_TARGET: QueryChange = {
  renamed: { targetType: "type", targetId: "id", chargingLocationId: "locationId" },
};

/**
 * What 2023-08-01 changed: users in the path instead of a header, pages instead of lists, `locationId`, hints to read a
 * device soon instead of reads that wait for it, and statistics without the name of smart charging in them.
 */
export const VERSION_2023_05_01: VersionStep = {
  date: "2023-05-01",
  userPaths: [
    "/me",
    "/charging-locations",
    "/schedules",
    "/statistics",
    "/chargers",
    "/hvacs",
    "/inverters",
    "/vehicles",
  ],
  records: {
    Charger: [lacks("locationId")],
    Vehicle: [moved("locationId", "chargingLocationId")],
    Hvac: [had("chargingLocationId", z.uuid().nullable(), ({ locationId }) => locationId, "locationId")],
    ChargeSchedule: [moved("locationId", "chargingLocationId")],
    VehicleSmartChargingPlan: [lacks("locationId")],
    ChargingStatistics: [had("nonSmartCostSum", NonSmartCostSum, nonSmartCostSum)],
    ChargingSession: [
      moved("locationId", "chargingLocationId"),
      had("nonSmartCostSum", NonSmartCostSum, nonSmartCostSum),
      had("smartSession", z.boolean(), ({ estimatedSavings }) => estimatedSavings !== null),
      had("smartStats", z.object({}), () => ({})),
      moved("nonSmartPrice", "smartStats.nonSmartPrice"),
      moved("estimatedSavings", "smartStats.estimatedSavings"),
      moved("nonSmartCostSum", "smartStats.nonSmartCostSum"),
    ],
  },
  routes: {
    "GET /me": { now: "GET /users/{userId}" },
    "GET /vehicles": {
      now: "GET /users/{userId}/vehicles",
      query: { ...VEHICLE_FIELDS, ...WHOLE },
      answer: { ...PLAIN_LIST, known: KNOWN },
    },
    "GET /vehicles/{vehicleId}": { query: VEHICLE_FIELDS, answer: { known: KNOWN, problems: VEHICLE_PROBLEMS } },
    "GET /chargers": { now: "GET /users/{userId}/chargers", query: WHOLE, answer: ID_LIST },
    "GET /chargers/{chargerId}": {
      query: fieldQuery("charger", "information", "chargeState"),
      answer: { problems: OTHER_PROBLEMS },
    },
    "PUT /chargers/{chargerId}": { body: AT_CHARGING_LOCATION },
    "GET /hvacs": { now: "GET /users/{userId}/hvacs", query: WHOLE, answer: ID_LIST },
    "PUT /hvacs/{hvacId}": { body: AT_CHARGING_LOCATION },
    "GET /inverters": { now: "GET /users/{userId}/inverters", query: WHOLE, answer: ID_LIST },
    "GET /inverters/{inverterId}": {
      query: fieldQuery("inverter", "information", "productionState", "location"),
      answer: { problems: OTHER_PROBLEMS },
    },
    "GET /charging-locations": { now: "GET /users/{userId}/locations", query: WHOLE, answer: PLAIN_LIST },
    "POST /charging-locations": { now: "POST /users/{userId}/locations" },
    "GET /charging-locations/{chargingLocationId}": { now: "GET /locations/{chargingLocationId}" },
    "PUT /charging-locations/{chargingLocationId}": { now: "PUT /locations/{chargingLocationId}" },
    "DELETE /charging-locations/{chargingLocationId}": { now: "DELETE /locations/{chargingLocationId}" },
    "GET /charging-locations/{chargingLocationId}/tariff": { now: "GET /locations/{chargingLocationId}/tariff" },
    "PUT /charging-locations/{chargingLocationId}/tariff": { now: "PUT /locations/{chargingLocationId}/tariff" },
    "GET /schedules": { now: "GET /users/{userId}/schedules", query: WHOLE, answer: PLAIN_LIST },
    "POST /schedules": {
      now: "POST /users/{userId}/schedules",
      body: AT_CHARGING_LOCATION,
      answer: { statuses: { 200: 201 } },
    },
    "PUT /schedules/{scheduleId}": { body: AT_CHARGING_LOCATION },
    "GET /statistics/charging": { now: "GET /users/{userId}/statistics/charging", query: OF_TARGET },
    "GET /statistics/charging/sessions": {
      now: "GET /users/{userId}/statistics/charging/sessions",
      query: OF_TARGET,
    },
    "GET /statistics/production": { now: "GET /users/{userId}/statistics/production", query: OF_TARGET },
  },
  lacks: [
    "* /locations",
    "* /locations/*",
    "* /users/{userId}/locations",
    "* /users/{userId}/schedules",
    "* /users/{userId}/vendor-statistics",
    "* /users/{userId}/statistics/*",
    "GET /users/{userId}/batteries",
    "GET /users/{userId}/chargers",
    "GET /users/{userId}/hvacs",
    "GET /users/{userId}/inverters",
    "GET /users/{userId}/meters",
    "GET /users/{userId}/vehicles",
    "POST /batteries/{batteryId}/refresh-hint",
    "POST /chargers/{chargerId}/refresh-hint",
    "POST /hvacs/{hvacId}/refresh-hint",
    "POST /inverters/{inverterId}/refresh-hint",
    "POST /meters/{meterId}/refresh-hint",
    "POST /vehicles/{vehicleId}/refresh-hint",
  ],
};
