/** Rules S6.4 and S6.5: health, integrations and interventions. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const health = says("S6.4");
const intervention = says("S6.5");

const HEALTH = [
  ["vehicles", "TESLA"],
  ["chargers", "KEBA"],
  ["hvacs", "SIMULATED"],
  ["inverters", "SMA"],
  ["inverter", "SMA"],
  ["batteries", "SOLAREDGE"],
  ["meters", "SIMULATED"],
] as const;

const LANGUAGES = [
  "en-GB",
  "de-DE",
  "fr-FR",
  "es-ES",
  "ja-JP",
  "pt-PT",
  "lv-LV",
  "lt-LT",
  "nl-NL",
  "nl-BE",
  "nb-NO",
  "pl-PL",
  "sv-SE",
  "da-DK",
  "fi-FI",
  "ro-RO",
];

const LIST = "GET /interventions?vendor=KEBA&vendorType=charger";
const ENGLISH = "Link your KEBA account again";

export const HEALTH_ROWS: readonly Row[] = [
  ...HEALTH.map(([category, vendor]) =>
    health(`/health/${category} is a plain list of vendors`, {
      request: { ask: `GET /health/${category}` },
      expect: {
        status: 200,
        body: expect.arrayContaining([
          {
            vendor,
            displayName: expect.any(String),
            portalName: expect.any(String),
            status: "READY",
            linkingStatus: "READY",
          },
        ]),
      },
    }),
  ),
  health("Readiness is 204 without a body", {
    request: { ask: "GET /health/ready", token: null },
    expect: { status: 204, isEmpty: true },
  }),
  health("Integrations are one row a vendor with its kinds and scopes", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "GET /integrations" },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({
          vendor: "TESLA",
          displayName: "Tesla",
          portalName: expect.any(String),
          status: "READY",
          linkingStatus: "READY",
          assetTypes: expect.arrayContaining(["battery", "charger", "vehicle"]),
          scopes: expect.arrayContaining(["vehicle:read:data", "charger:control:charging"]),
        }),
      ]),
    },
  }),
  health("Integrations may be asked for by kinds, separated by commas", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "GET /integrations?assetTypes=hvac,meter" },
    expect: {
      status: 200,
      body: expect.toSatisfy(
        (all: readonly { assetTypes: readonly string[] }[]) =>
          all.length > 0 && all.every(({ assetTypes }) => assetTypes.includes("hvac") || assetTypes.includes("meter")),
      ),
    },
  }),
  health("Integrations of a kind that there is not are refused", {
    versions: NEWEST,
    request: { ask: "GET /integrations?assetTypes=toaster" },
    expect: { status: 400, body: { issues: [{ path: ["assetTypes"], in: "query" }] } },
  }),
  intervention("Interventions are a plain list", {
    versions: NEWEST,
    request: { ask: LIST },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          vendor: "KEBA",
          vendorType: "charger",
          brand: "KEBA",
          introducedAt: expect.any(String),
          domain: "Account",
          resolution: {
            title: ENGLISH,
            description: expect.any(String),
            access: "Remote",
            agent: "User",
            action: "Link",
          },
        },
      ]),
    },
  }),
  intervention("An intervention's action is new in 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: LIST },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({
          vendor: "KEBA",
          resolution: { title: ENGLISH, description: expect.any(String), access: "Remote", agent: "User" },
        }),
      ]),
    },
  }),
  intervention("An intervention that needs no link has no action", {
    versions: NEWEST,
    request: { ask: LIST },
    expect: {
      status: 200,
      body: expect.arrayContaining([
        expect.objectContaining({ domain: "Device", resolution: expect.objectContaining({ action: null }) }),
      ]),
    },
  }),
  intervention("A vendor without interventions has an empty list", {
    request: { ask: "GET /interventions?vendor=NOBODY" },
    expect: { status: 200, exactly: [] },
  }),
  intervention("Interventions of a kind that there is not are refused", {
    versions: NEWEST,
    request: { ask: "GET /interventions?vendorType=toaster" },
    expect: { status: 400, body: { issues: [{ path: ["vendorType"], in: "query" }] } },
  }),
  intervention("One intervention is read by its id", {
    given: [{ ask: LIST, keep: { intervention: "0.id" } }],
    versions: ["2024-10-01", "2023-04-01"],
    request: { ask: "GET /interventions/{intervention}" },
    expect: { status: 200, body: { id: "{intervention}", vendor: "KEBA", resolution: { title: ENGLISH } } },
  }),
  intervention("An unknown intervention is 404 without a body", {
    request: { ask: "GET /interventions/{unknown}" },
    expect: { status: 404, isEmpty: true },
  }),
  ...LANGUAGES.map((language) =>
    intervention(`Interventions are written in ${language}`, {
      versions: NEWEST,
      request: { ask: `${LIST}&language=${language}` },
      expect: {
        status: 200,
        body: expect.toSatisfy((all: readonly { resolution: { title: string } }[]) =>
          language === "en-GB"
            ? all[0]?.resolution.title === ENGLISH
            : all[0] !== undefined && all[0].resolution.title !== ENGLISH,
        ),
      },
    }),
  ),
  intervention("A language that there is not is answered in English, without an error", {
    request: { ask: `${LIST}&language=xx-XX` },
    expect: {
      status: 200,
      body: expect.toSatisfy(
        (all: readonly { resolution: { title: string } }[]) => all[0]?.resolution.title === ENGLISH,
      ),
    },
  }),
];
