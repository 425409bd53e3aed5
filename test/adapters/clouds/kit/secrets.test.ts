/** Nothing secret is in what is thrown or logged, however a request fails. */
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import type { CloudRequest } from "../../../../adapters/clouds/kit/connector.ts";
import type { SimWebAnswer } from "../../../../src/testing/network/sim-web.ts";
import { ADDRESS, ClientBench, FakeTokens, failureOf, HOST, JSON_TYPE } from "./client-bench.ts";

const SECRETS = [
  "access/+=1",
  "access/+=2",
  "api-key/+=2",
  "app-secret/+=1",
  "query/+=secret",
  "body/+=secret",
  "WVWZZZ1JZXW000001",
];

/** All that a log or an error could show of a text. */
function forms(secret: string): readonly string[] {
  const base64 = Buffer.from(secret).toString("base64");
  return [
    secret,
    encodeURIComponent(secret),
    String(new URLSearchParams({ s: secret })).slice(2),
    base64,
    base64.replace(/=+$/, ""),
  ];
}

const REQUEST: CloudRequest = {
  method: "POST",
  url: `https://${HOST}/vehicles/WVWZZZ1JZXW000001/state`,
  query: { key: "query/+=secret" },
  body: { json: { pin: "body/+=secret" } },
};

function makeBench() {
  const bench = new ClientBench({
    authorize: (request, grant, app) => ({
      ...request,
      query: { ...request.query, api_key: app.apiKey ?? "" },
      headers: {
        authorization: `Basic ${Buffer.from(`${grant.access}`).toString("base64")}`,
        "x-s": app.clientSecret ?? "",
      },
    }),
  });
  const account = bench.account(new FakeTokens(bench.clock));
  return { bench, account };
}

function shown(bench: ClientBench, error: unknown): string {
  return inspect([error, bench.log.lines], { depth: 20, showHidden: true, maxStringLength: null });
}

const ECHO = SECRETS.join(" ");

describe("no secret shows", () => {
  test.each<[string, SimWebAnswer]>([
    ["after a refusal that repeats the request", { status: 400, headers: JSON_TYPE, body: JSON.stringify(ECHO) }],
    ["after an answer that ended early", { headers: JSON_TYPE, body: `{"token":"${ECHO}` }],
    ["after a page", { headers: { "content-type": "text/html" }, body: `<html>${ECHO}` }],
    ["after what cannot be unpacked", { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: ECHO }],
    ["after a redirect", { status: 302, headers: { location: `https://${HOST}/?api_key=${ECHO}` } }],
    ["after a grant that ended", { status: 401, headers: JSON_TYPE, body: JSON.stringify(ECHO) }],
    ["after too many requests", { status: 429, headers: { "retry-after": ECHO } }],
    ["after a lost answer", { fault: "break" }],
    ["after silence", { fault: "hang" }],
  ])("%s", async (_name, answer) => {
    const { bench, account } = makeBench();
    bench.answers(answer);
    const asking = bench.clock.resolve(account.ask(REQUEST, new AbortController().signal), 120_000);
    const error = await failureOf(asking);
    // The bench would show them: the vendor got them all.
    expect(bench.asked[0]?.path).toContain(encodeURIComponent("query/+=secret"));
    expect(SECRETS.flatMap(forms).filter((form) => shown(bench, error).includes(form))).toEqual([]);
    expect(error.message).toContain(`POST ${HOST}/vehicles/[vin]/state`);
  });

  test.each([
    ["that is no address", { ...REQUEST, url: `https://${HOST}:port/?key=query/+=secret` }],
    ["to another host", { ...REQUEST, url: "https://evil.example/?key=query/+=secret" }],
    ["with a header that breaks the line", { ...REQUEST, headers: { "x-key": "query/+=secret\r\nx: 1" } }],
  ])("of a request %s", async (_name, request) => {
    const bench = new ClientBench();
    const error = await failureOf(bench.ask(request));
    expect(SECRETS.flatMap(forms).filter((form) => shown(bench, error).includes(form))).toEqual([]);
    expect(bench.asked).toEqual([]);
  });

  test("when nobody is there", async () => {
    const { bench, account } = makeBench();
    bench.web.close(ADDRESS, 443);
    const error = await failureOf(bench.clock.resolve(account.ask(REQUEST, new AbortController().signal), 120_000));
    expect(SECRETS.flatMap(forms).filter((form) => shown(bench, error).includes(form))).toEqual([]);
  });
});
