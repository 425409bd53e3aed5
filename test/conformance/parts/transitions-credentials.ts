/** Rule I3.4: a vendor account whose credentials are no longer valid. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, INCAPABLE, LISTENING, NEWEST, UUID } from "../words.ts";

const says = about("I3.4");

const MADE: Ask = {
  ask: "POST /local/simulated/vehicle",
  body: { userId: "ann", vendor: "VOLVO", name: "Car", model: "EX30", year: 2024 },
  keep: { made: "id", asset: "assetId" },
};
const REFUSED: readonly Ask[] = [
  { ask: "GET /users/ann", after: 10 },
  { ask: "PATCH /local/simulated/vehicle/{made}", body: { faults: [{ kind: "invalid-credentials" }] } },
  { ask: "GET /users/ann", after: 10 },
];
const GIVEN = [LISTENING, MADE, ...REFUSED];

export const CREDENTIAL_ROWS: readonly Row[] = [
  says("The asset becomes unreachable, and all its capabilities are gone but for an intervention", {
    versions: NEWEST,
    house: "sandbox",
    given: GIVEN,
    request: { ask: "GET /vehicles/{asset}" },
    expect: {
      status: 200,
      body: {
        isReachable: false,
        capabilities: {
          information: INCAPABLE,
          chargeState: INCAPABLE,
          location: INCAPABLE,
          odometer: INCAPABLE,
          setMaxCurrent: INCAPABLE,
          startCharging: { isCapable: false, interventionIds: [UUID] },
          stopCharging: { isCapable: false, interventionIds: [UUID] },
          smartCharging: { isCapable: false, interventionIds: [UUID] },
        },
      },
    },
  }),
  says("The intervention asks the user to link again", {
    versions: NEWEST,
    house: "sandbox",
    given: [...GIVEN, { ask: "GET /vehicles/{asset}", keep: { help: "capabilities.startCharging.interventionIds.0" } }],
    request: { ask: "GET /interventions/{help}" },
    expect: {
      status: 200,
      body: { id: "{help}", vendor: "VOLVO", vendorType: "vehicle", domain: "Account", resolution: { action: "Link" } },
    },
  }),
  says("The event tells which vendor's credentials are invalid, and of the asset that changed", {
    versions: NEWEST,
    house: "sandbox",
    given: GIVEN,
    request: { ask: "GET /vehicles/{asset}" },
    expect: { status: 200 },
    afterwards: [
      { told: { event: "user:credentials:invalidated", user: { id: "ann" }, vendor: "VOLVO" }, after: 5 },
      { told: { event: "user:vehicle:updated", vehicle: { id: "{asset}", isReachable: false } } },
      { notTold: { event: "user:vehicle:deleted" } },
    ],
  }),
  says("The user's linked vendor is not valid", {
    versions: NEWEST,
    house: "sandbox",
    given: GIVEN,
    request: { ask: "GET /users/ann" },
    expect: {
      status: 200,
      body: { linkedVendors: [{ vendor: "VOLVO", vendorType: "vehicle", isValid: false }] },
    },
  }),
  says("Assets are not deleted by it", {
    versions: NEWEST,
    house: "sandbox",
    given: GIVEN,
    request: { ask: "GET /vehicles", after: 3_600 },
    expect: { status: 200, body: { data: [{ id: "{asset}" }] } },
  }),
  says("Linked again, the asset is reachable and capable under the same id", {
    versions: NEWEST,
    house: "sandbox",
    given: [...GIVEN, { ask: "PATCH /local/simulated/vehicle/{made}", body: { faults: [] } }],
    request: { ask: "GET /vehicles/{asset}", after: 120 },
    expect: {
      status: 200,
      body: { isReachable: true, capabilities: { startCharging: { isCapable: true, interventionIds: [] } } },
    },
    afterwards: [
      {
        ask: "GET /users/ann",
        expect: { status: 200, body: { linkedVendors: [expect.objectContaining({ isValid: true })] } },
      },
    ],
  }),
];
