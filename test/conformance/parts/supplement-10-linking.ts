/** Rule S10: linking and users. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const user = says("S10.1");
const link = says("S10.2");
const flow = says("S10.3");
const relink = says("S10.4");
const none = says("S10.5");
const LINK = "POST /users/{user}/link";
const BODY = { scopes: ["vehicle:read:data"], language: "en-US", redirectUri: "app://done", vendorType: "vehicle" };
const PAGE = { language: "en-US", redirectUri: "app://done" };
const NEW_BODY = { from: "2024-01-01" };

const LANGUAGES =
  "browser da-DK de-DE en-US en-GB es-ES fi-FI fr-FR it-IT ja-JP lv-LV lt-LT nb-NO nl-NL nl-BE pl-PL pt-PT ro-RO sv-SE".split(
    " ",
  );

/** The language of the page for the languages that are asked for; for all others it is English. */
const PAGE_LANGUAGES: Readonly<Record<string, string>> = {
  "de-DE": "de-DE",
  "fr-FR": "fr-FR",
  "nl-NL": "nl-NL",
  "nl-BE": "nl-NL",
  "sv-SE": "sv-SE",
};

const WRONG = [
  ["no scopes", { scopes: undefined }, "scopes"],
  ["no language", { language: undefined }, "language"],
  ["no redirect", { redirectUri: undefined }, "redirectUri"],
  ["an unknown language", { language: "xx-XX" }, "language"],
  ["about:blank", { redirectUri: "about:blank" }, "redirectUri"],
  ["a script", { redirectUri: "javascript:alert(1)" }, "redirectUri"],
  ["more than 500 characters of redirect", { redirectUri: `https://a.example/${"x".repeat(483)}` }, "redirectUri"],
  ["an unknown kind", { vendorType: "toaster" }, "vendorType"],
  ["an unknown colour scheme", { colorScheme: "pink" }, "colorScheme"],
] as const;

/** A kind, a brand that links it with the kind's name on the page, and a brand that does not link it. */
const KINDS = [
  ["vehicle", "Volvo", "Electric car", "Easee"],
  ["charger", "Easee", "Charger", "Volvo"],
  ["hvac", "tado°", "Heating and cooling unit", "Volvo"],
  ["inverter", "GoodWe", "Solar inverter", "Volvo"],
  ["battery", "Tesla", "Battery", "Volvo"],
  ["meter", "Tesla", "Energy meter", "Volvo"],
] as const;

/** Opens the page of a link and goes on from its introduction. */
function introLeft(body: object): readonly Ask[] {
  return [
    { ask: "POST /users/ada/link", body: { ...BODY, ...body }, keep: { token: "linkToken" } },
    { ask: "GET /link/{token}", token: null, keep: { key: /name="key" value="([^"]+)"/ } },
    {
      ask: "POST /link/{token}",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "key={key}&action=continue",
      token: null,
    },
  ];
}

export const LINKING_ROWS: readonly Row[] = [
  user("A user has the vendors that it linked, each with its kind and whether it is valid", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/{user}" },
    expect: {
      status: 200,
      body: {
        id: "{user}",
        createdAt: expect.any(String),
        scopes: ["all"],
        linkedVendors: expect.arrayContaining([{ vendor: "TESLA", vendorType: "vehicle", isValid: true }]),
      },
    },
  }),
  user("Users are listed with id, time and scopes", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users" },
    expect: {
      status: 200,
      body: {
        data: [
          { id: expect.any(String), createdAt: expect.any(String), scopes: ["all"] },
          { id: expect.any(String), createdAt: expect.any(String), scopes: ["all"] },
        ],
      },
    },
  }),
  user("An unknown user is named", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/nobody" },
    expect: {
      status: 404,
      problem: "not-found",
      body: { title: "User does not exist", detail: expect.stringContaining("nobody") },
    },
  }),
  link("A link has its address and its token", {
    versions: NEW_BODY,
    request: { ask: LINK, body: BODY },
    expect: { status: 200, exactly: { linkUrl: expect.stringMatching(/^https?:\/\//), linkToken: expect.any(String) } },
  }),
  link("A link makes a user that there is not yet", {
    versions: NEWEST,
    given: [{ ask: "POST /users/ada%20lovelace/link", body: BODY }],
    request: { ask: "GET /users/ada%20lovelace" },
    expect: { status: 200, body: { id: "ada lovelace", linkedVendors: [] } },
  }),
  ...LANGUAGES.map((language) =>
    link(`A link that asks for ${language} has a page in that language, or in the nearest that there is`, {
      versions: NEWEST,
      house: "sandbox",
      given: [{ ask: "POST /users/ada/link", body: { ...BODY, language }, keep: { token: "linkToken" } }],
      request: { ask: "GET /link/{token}", token: null },
      expect: { status: 200, text: expect.stringContaining(`lang="${PAGE_LANGUAGES[language] ?? "en-US"}"`) },
    }),
  ),
  ...KINDS.map(([kind, brand, name, other]) =>
    link(`A link for a ${kind} offers the brands that link one, and no others`, {
      versions: ["2024-10-01", "2024-01-01"],
      house: "sandbox",
      given: introLeft({ vendorType: kind, scopes: [`${kind}:read:data`] }),
      request: { ask: "GET /link/{token}", token: null },
      expect: {
        status: 200,
        text: expect.stringMatching(new RegExp(`<strong>${brand}</strong>\\s*<span>${name}</span>`)),
      },
      afterwards: [
        {
          ask: "GET /link/{token}",
          token: null,
          expect: { status: 200, text: expect.not.stringContaining(`<strong>${other}</strong>`) },
        },
      ],
    }),
  ),
  link("A link for a vendor names its brand", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: "POST /users/ada/link", body: { ...BODY, vendor: "TESLA" }, keep: { token: "linkToken" } }],
    request: { ask: "GET /link/{token}", token: null },
    expect: { status: 200, text: expect.stringContaining("Link your Tesla devices") },
  }),
  link("A link for a vendor leaves the choice of the brand out", {
    versions: NEWEST,
    house: "sandbox",
    given: introLeft({ vendor: "TESLA" }),
    request: { ask: "GET /link/{token}", token: null },
    expect: { status: 200, text: expect.stringMatching(/name="action" value="(?!continue)/) },
    afterwards: [
      {
        ask: "GET /link/{token}",
        token: null,
        expect: { status: 200, text: expect.not.stringContaining("data-brands") },
      },
    ],
  }),
  ...["system", "light", "dark"].map((colorScheme) =>
    link(`A link that asks for the colour scheme ${colorScheme} has such a page`, {
      versions: NEWEST,
      house: "sandbox",
      given: [{ ask: "POST /users/ada/link", body: { ...BODY, colorScheme }, keep: { token: "linkToken" } }],
      request: { ask: "GET /link/{token}", token: null },
      expect: { status: 200, text: expect.stringContaining(`data-scheme="${colorScheme}"`) },
    }),
  ),
  ...WRONG.map(([what, change, field]) =>
    link(`A link with ${what} is refused`, {
      versions: NEW_BODY,
      request: { ask: LINK, body: { ...BODY, ...change } },
      expect: { status: 400, body: { issues: [{ path: [field], in: "body" }] } },
    }),
  ),
  link("The kind is required", {
    versions: NEW_BODY,
    request: { ask: LINK, body: { ...BODY, vendorType: undefined } },
    expect: { status: 400, body: { issues: [{ path: ["vendorType"], in: "body" }] } },
  }),
  link("A vendor that links no such kind is refused", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "POST /users/ada/link", body: { ...BODY, vendor: "NEST" } },
    expect: { status: 400 },
  }),
  flow("The link page needs no token", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: "POST /users/ada/link", body: BODY, keep: { token: "linkToken" } }],
    request: { ask: "GET /link/{token}", token: null },
    expect: {
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      text: expect.stringMatching(/name="key" value="[^"]+"[\s\S]*value="continue"/),
    },
  }),
  flow("A link is over after a day", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: "POST /users/ada/link", body: BODY, keep: { token: "linkToken" } }],
    request: { ask: "GET /link/{token}", token: null, after: 86_460 },
    expect: { status: 410, headers: { "content-type": "text/html; charset=utf-8" } },
  }),
  flow("An unknown link is a page that says so", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "GET /link/nonsense", token: null },
    expect: { status: 404, headers: { "content-type": "text/html; charset=utf-8" } },
  }),
  relink("An asset whose access is valid cannot be linked again", {
    versions: NEWEST,
    request: { ask: "POST /assets/{vehicle}/relink", body: PAGE },
    expect: { status: 400, problem: "bad-request" },
  }),
  relink("An unknown asset cannot be linked again", {
    versions: NEWEST,
    request: { ask: "POST /assets/{unknown}/relink", body: PAGE },
    expect: { status: 400, problem: "bad-request" },
  }),
  relink("Access that was lost is restored by a link", {
    versions: NEWEST,
    house: "sandbox",
    given: [
      { ask: "POST /local/simulated/vehicle", body: { userId: "ada", vendor: "VOLVO" }, keep: { made: "id" } },
      {
        ask: "PATCH /local/simulated/vehicle/{made}",
        body: { faults: [{ kind: "invalid-credentials" }] },
        after: 10,
      },
      { ask: "GET /vehicles", keep: { asset: "data.0.id" }, after: 30 },
    ],
    request: { ask: "POST /assets/{asset}/relink", body: PAGE },
    expect: { status: 200, exactly: { linkUrl: expect.any(String), linkToken: expect.any(String) } },
  }),
  relink("Lost access makes the asset unreachable, its vendor invalid, and sends an event", {
    versions: NEWEST,
    house: "sandbox",
    given: [
      { ask: "POST /webhooks", body: { url: "https://hooks.example/in", secret: "example-secret" } },
      { ask: "POST /local/simulated/vehicle", body: { userId: "ada", vendor: "VOLVO" }, keep: { made: "id" } },
      {
        ask: "PATCH /local/simulated/vehicle/{made}",
        body: { faults: [{ kind: "invalid-credentials" }] },
        after: 10,
      },
    ],
    request: { ask: "GET /users/ada", after: 30 },
    expect: { status: 200, body: { linkedVendors: [{ vendor: "VOLVO", vendorType: "vehicle", isValid: false }] } },
    afterwards: [
      { ask: "GET /vehicles", expect: { status: 200, body: { data: [{ isReachable: false }] } } },
      { told: { event: "user:credentials:invalidated", user: { id: "ada" }, vendor: "VOLVO" } },
      { told: { event: "user:vehicle:updated", vehicle: { isReachable: false } } },
    ],
  }),
  ...["POST /links/token", "POST /users"].map((ask) =>
    none(`${ask} does not exist`, {
      versions: NEWEST,
      request: { ask, body: {} },
      expect: { status: ask.endsWith("token") ? 404 : 405 },
    }),
  ),
];
