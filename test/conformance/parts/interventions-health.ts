/** Rules I4.12 and I4.13: interventions and the health of the service. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, INSTANT, TEXT, UUID } from "../words.ts";

const intervention = about("I4.12");
const health = about("I4.13");

const ANY = { ask: "GET /interventions", keep: { help: "0.id" } };
const LANGUAGES = "en-US en-GB de-DE fr-FR es-ES pt-PT nl-NL nb-NO sv-SE da-DK fi-FI ro-RO".split(" ");

const INTERVENTION_ROWS: readonly Row[] = [
  intervention("Interventions are a list, not cut into pages", {
    request: { ask: "GET /interventions" },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({ id: UUID, introducedAt: INSTANT, domain: "Account", brand: TEXT }),
      ]),
    },
  }),
  intervention("One intervention is read by its id", {
    versions: ["2024-10-01", "2023-04-01"],
    given: [ANY],
    request: { ask: "GET /interventions/{help}" },
    expect: {
      status: 200,
      body: { id: "{help}", resolution: { title: TEXT, description: TEXT, access: "Remote", agent: "User" } },
    },
  }),
  intervention("An unknown intervention is 404 with an empty body", {
    request: { ask: "GET /interventions/{unknown}" },
    expect: { status: 404, isEmpty: true },
  }),
  ...LANGUAGES.map((language) =>
    intervention(`Interventions are in ${language}`, {
      versions: ["2024-10-01"],
      given: [ANY],
      request: { ask: `GET /interventions/{help}?language=${language}` },
      expect: {
        status: 200,
        body: {
          resolution: {
            title: language.startsWith("en")
              ? expect.stringMatching(/^Link your/)
              : expect.not.stringMatching(/^Link your/),
          },
        },
      },
    }),
  ),
  intervention("A language that is not supported is answered in English, without an error", {
    request: { ask: "GET /interventions?language=xx-XX" },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({
          resolution: expect.objectContaining({ title: expect.stringMatching(/^Link your/) }),
        }),
      ]),
    },
  }),
];

const KINDS: readonly (readonly [string, string, string])[] = [
  ["vehicles", "TESLA", "Tesla"],
  ["chargers", "KEBA", "KEBA"],
  ["inverter", "SMA", "SMA"],
  ["inverters", "SMA", "SMA"],
  ["batteries", "SOLAREDGE", "SolarEdge"],
  ["meters", "HUAWEI", "Huawei"],
];

const HEALTH_ROWS: readonly Row[] = [
  ...KINDS.map(([path, vendor, displayName]) =>
    health(`The health of vendors of /health/${path} is a list`, {
      request: { ask: `GET /health/${path}` },
      expect: {
        status: 200,
        body: expect.arrayContaining([
          { vendor, displayName, portalName: TEXT, status: "READY", linkingStatus: "READY" },
        ]),
      },
    }),
  ),
  health("The health of vendors of HVAC units is a list", {
    request: { ask: "GET /health/hvacs" },
    expect: {
      status: 200,
      body: expect.arrayContaining([expect.objectContaining({ status: "READY", linkingStatus: "READY" })]),
    },
  }),
  health("A gateway that is well is ready, with 204", {
    request: { ask: "GET /health/ready" },
    expect: { status: 204, isEmpty: true },
  }),
];

export const INTERVENTION_HEALTH_ROWS: readonly Row[] = [...INTERVENTION_ROWS, ...HEALTH_ROWS];
