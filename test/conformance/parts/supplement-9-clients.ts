/** Rule S9: how clients find their way in, and what they send. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const version = says("S9.2");
const token = says("S9.3");
const content = says("S9.6");
const prefix = says("S9.7");
const FORM_TYPE = "application/x-www-form-urlencoded";
const WANTS_A_FORM = {
  status: 400,
  exactly: { error: "invalid_request", error_description: expect.stringContaining(FORM_TYPE) },
};

export const CLIENT_ROWS: readonly Row[] = [
  content("A JSON body without a content type is read as JSON", {
    request: { ask: "POST /chargers/{charger}/max-current", body: '{"maxCurrent":10}' },
    expect: { status: 200, body: { targetState: { maxCurrent: 10 } } },
  }),
  content("A body without a content type that is no JSON is answered with where it breaks", {
    versions: NEWEST,
    request: { ask: "POST /chargers/{charger}/max-current", body: "maxCurrent=10" },
    expect: { status: 400, problem: "bad-request", body: { detail: expect.stringContaining("line 1, column 1") } },
  }),
  content("A body of another content type is refused", {
    versions: NEWEST,
    request: {
      ask: "POST /chargers/{charger}/max-current",
      headers: { "content-type": "text/plain" },
      body: '{"maxCurrent":10}',
    },
    expect: { status: 415, problem: "unsupported-media-type" },
  }),
  ...(
    [
      ["without a body", undefined],
      ["with a body of no content type", "grant_type=client_credentials"],
      ["with a JSON body", { grant_type: "client_credentials" }],
    ] as const
  ).map(([what, body]) =>
    token(`A token request ${what} is answered with what to send: a form`, {
      versions: NEWEST,
      request: { ask: "POST /oauth2/token", token: null, ...(body !== undefined && { body }) },
      expect: WANTS_A_FORM,
    }),
  ),
  token("Without a token a client finds out how it gets one", {
    request: {
      ask: "GET /.well-known/oauth-authorization-server",
      token: null,
      headers: { host: "gateway.local:8080" },
    },
    expect: {
      status: 200,
      body: {
        issuer: "http://gateway.local:8080",
        token_endpoint: "http://gateway.local:8080/oauth2/token",
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      },
    },
  }),
  ...["openid-configuration", "nothing", "appspecific/nothing"].map((name) =>
    token(`/.well-known/${name} is not found, without a token too`, {
      versions: NEWEST,
      request: { ask: `GET /.well-known/${name}`, token: null },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
  prefix("With another name prefix problem types are that service's", {
    versions: NEWEST,
    house: "renamed",
    request: { ask: "GET /batteries/nonsense" },
    expect: { status: 404, body: { type: "https://developers.acme.com/api/problems/not-found", title: "Not Found" } },
  }),
  prefix("With another name prefix problem types before 2024-10-01 are where that service had them", {
    versions: NEWEST,
    house: "renamed",
    request: { ask: "GET /batteries?pageSize=0", version: "2024-01-01", headers: { "acme-version": "2024-01-01" } },
    expect: {
      status: 400,
      body: {
        type: "https://docs.acme.io/problems/validation-error",
        error: "https://docs.acme.io/problems/validation-error",
      },
    },
  }),
  version("A client that is pinned to an older version is answered in it unless it names another", {
    versions: NEWEST,
    house: "pinned",
    request: { ask: "GET /batteries/{battery}", version: null },
    expect: {
      status: 200,
      headers: { "service-version": "2024-01-01" },
      body: { locationId: null },
      lacks: ["hemSystemId", "location.id"],
    },
    afterwards: [
      {
        ask: "GET /batteries/{battery}",
        version: "2024-10-01",
        expect: { status: 200, headers: { "service-version": "2024-10-01" }, body: { location: { id: null } } },
      },
    ],
  }),
];
