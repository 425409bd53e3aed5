/** Rule I4.1: link sessions. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, NEWEST, TEXT } from "../words.ts";

const says = about("I4.1");

const LINK = "POST /users/ann/link";
const BODY = { scopes: ["vehicle:read:data"], vendorType: "vehicle", language: "en-US", redirectUri: "myapp://done" };
const PAGE = "GET /link/{token}";
/** The page's form with its key and the button that goes on. */
const CONTINUES = /name="key" value="[^"]+"[\s\S]*value="continue"/;
const HTML = { "content-type": expect.stringMatching(/^text\/html/) };
const DAY = 24 * 3_600;
const SINCE_2024 = { from: "2024-01-01" };
const BEFORE_2024 = { before: "2024-01-01" };

const REFUSED: readonly (readonly [string, object])[] = [
  ["a vendorType that there is not", { ...BODY, vendorType: "toaster" }],
  ["a language that there is not", { ...BODY, language: "xx-XX" }],
  ["no scopes at all", { ...BODY, scopes: [] }],
  ["a scope that there is not", { ...BODY, scopes: ["vehicle:read:mind"] }],
  ["a colour scheme that there is not", { ...BODY, colorScheme: "pink" }],
  ["a user name, which was removed", { ...BODY, username: "ann" }],
];

export const LINKING_ROWS: readonly Row[] = [
  says("A link session answers a URL and a token", {
    versions: SINCE_2024,
    house: "sandbox",
    request: { ask: LINK, body: BODY },
    expect: { status: 200, exactly: { linkUrl: expect.stringMatching(/^https?:\/\//), linkToken: TEXT } },
  }),
  says("Before 2024-01-01 the token is called linkState, and a redirect is enough", {
    versions: BEFORE_2024,
    house: "sandbox",
    request: { ask: LINK, body: { redirectUri: "myapp://done" } },
    expect: { status: 200, exactly: { linkUrl: expect.stringMatching(/^https?:\/\//), linkState: TEXT } },
  }),
  says("Before 2024-01-01 the body may be empty", {
    versions: BEFORE_2024,
    house: "sandbox",
    request: { ask: LINK, body: {} },
    expect: { status: 200, exactly: { linkUrl: expect.stringMatching(/^https?:\/\//), linkState: TEXT } },
  }),
  says("Before 2024-01-01 the language is forced, of six", {
    versions: BEFORE_2024,
    house: "sandbox",
    given: [{ ask: LINK, body: { forceLanguage: "de", redirectUri: "myapp://done" }, keep: { token: "linkState" } }],
    request: { ask: PAGE, token: null },
    expect: { status: 200, headers: HTML, text: expect.stringContaining('lang="de-DE"') },
  }),
  says("Before 2024-01-01 another language than the six is refused", {
    versions: BEFORE_2024,
    house: "sandbox",
    request: { ask: LINK, body: { forceLanguage: "fr", redirectUri: "myapp://done" } },
    expect: { status: 400 },
  }),
  says("The user is made when there is none", {
    house: "sandbox",
    versions: SINCE_2024,
    given: [{ ask: LINK, body: BODY }],
    request: { ask: "GET /users/ann" },
    expect: { status: 200, body: { id: "ann", linkedVendors: [] } },
  }),
  says("The page opens without the client's token", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: LINK, body: BODY, keep: { token: "linkToken" } }],
    request: { ask: PAGE, token: null },
    expect: { status: 200, headers: HTML, text: expect.stringMatching(CONTINUES) },
  }),
  says("The page is in the language that was asked for", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: LINK, body: { ...BODY, language: "de-DE" }, keep: { token: "linkToken" } }],
    request: { ask: PAGE, token: null },
    expect: { status: 200, headers: HTML, text: expect.stringContaining('lang="de-DE"') },
  }),
  says("A session lasts nearly 24 hours", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: LINK, body: BODY, keep: { token: "linkToken" } }],
    request: { ask: PAGE, token: null, after: DAY - 60 },
    expect: { status: 200, headers: HTML, text: expect.stringMatching(CONTINUES) },
  }),
  says("A session is over after 24 hours", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: LINK, body: BODY, keep: { token: "linkToken" } }],
    request: { ask: PAGE, token: null, after: DAY + 60 },
    expect: { status: 410, headers: HTML },
  }),
  says("A session that nobody made is not found", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "GET /link/nonsense", token: null },
    expect: { status: 404, headers: HTML },
  }),
  ...["scopes", "language", "redirectUri"].map((field) =>
    says(`A link without ${field} is refused`, {
      versions: SINCE_2024,
      house: "sandbox",
      request: { ask: LINK, body: { ...BODY, [field]: undefined } },
      expect: { status: 400, body: { issues: [{ in: "body", path: [field] }] } },
    }),
  ),
  says("A link without vendorType is refused", {
    versions: SINCE_2024,
    house: "sandbox",
    request: { ask: LINK, body: { ...BODY, vendorType: undefined } },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["vendorType"] }] } },
  }),
  ...REFUSED.map(([what, body]) =>
    says(`A link is refused with ${what}`, {
      versions: SINCE_2024,
      house: "sandbox",
      request: { ask: LINK, body },
      expect: { status: 400, body: { issues: expect.any(Array) } },
    }),
  ),
  ...["light", "dark", "system"].map((colorScheme) =>
    says(`The colour scheme may be ${colorScheme}`, {
      versions: NEWEST,
      house: "sandbox",
      given: [{ ask: LINK, body: { ...BODY, colorScheme }, keep: { token: "linkToken" } }],
      request: { ask: PAGE, token: null },
      expect: { status: 200, headers: HTML, text: expect.stringContaining(`data-scheme="${colorScheme}"`) },
    }),
  ),
  says("Deleting the authorization ends open sessions", {
    versions: NEWEST,
    house: "sandbox",
    given: [{ ask: LINK, body: BODY, keep: { token: "linkToken" } }, { ask: "DELETE /users/ann/authorization" }],
    request: { ask: PAGE, token: null },
    expect: { status: 404, headers: HTML },
  }),
];
