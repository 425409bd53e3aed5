import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { type ApiHouse, GENEROUS, openHouse, requestToken } from "../support/api-house.ts";

const FORM = "application/x-www-form-urlencoded";

function post(house: ApiHouse, payload: string, headers: Record<string, string> = {}) {
  return house.api.inject({
    method: "POST",
    url: "/oauth2/token",
    payload,
    headers: { "content-type": FORM, ...headers },
  });
}

/** Long enough for every request under way to come as far as it can. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
}

function basic({ client }: ApiHouse): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}` };
}

describe("a client gets a token", () => {
  it("by HTTP Basic", async () => {
    await using house = await openHouse();
    const answer = await requestToken(house.api, house.client);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_in: 3599,
      scope: "",
      token_type: "bearer",
    });
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("with its credentials in the form", async () => {
    await using house = await openHouse();
    const { id, secret } = house.client;
    const answer = await post(house, `grant_type=client_credentials&client_id=${id}&client_secret=${secret}`);
    expect(answer.statusCode).toBe(200);
  });

  it("with credentials that are percent-encoded in the header, as the RFC has it", async () => {
    await using house = await openHouse();
    const { id, secret } = house.client;
    const encode = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
    const authorization = `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`;
    const answer = await post(house, "grant_type=client_credentials", { authorization });
    expect(answer.statusCode).toBe(200);
  });

  it("whose text is kept nowhere", async () => {
    await using house = await openHouse();
    const { access_token: token } = (await requestToken(house.api, house.client)).json<{ access_token: string }>();
    expect(JSON.stringify([house.store.all("token"), house.store.all("client"), house.log.lines])).not.toContain(token);
    expect(JSON.stringify(house.store.all("client"))).not.toContain(house.client.secret);
  });
});

describe("a token request is refused", () => {
  it("with a wrong secret: 401 invalid_client", async () => {
    await using house = await openHouse();
    const answer = await requestToken(house.api, { ...house.client, secret: "wrong" });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ error: "invalid_client", error_description: expect.any(String) });
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("with an unknown client, in the same words as with a wrong secret", async () => {
    await using house = await openHouse();
    const unknown = await requestToken(house.api, { id: "nobody", secret: house.client.secret });
    const wrong = await requestToken(house.api, { ...house.client, secret: "wrong" });
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
  });

  it("without credentials: 401 invalid_client", async () => {
    await using house = await openHouse();
    const answer = await post(house, "grant_type=client_credentials");
    expect([answer.statusCode, answer.json().error]).toEqual([401, "invalid_client"]);
  });

  it.each(["Basic", "Basic !!!", "Basic bm9jb2xvbg==", "Bearer abc", "basic  "])(
    "with the header %j: 401 invalid_client",
    async (authorization) => {
      await using house = await openHouse();
      const answer = await post(house, "grant_type=client_credentials", { authorization });
      expect([answer.statusCode, answer.json().error]).toEqual([401, "invalid_client"]);
    },
  );

  it.each([
    ["without a grant type", "", 400, "invalid_request"],
    ["for another grant", "grant_type=password", 400, "unsupported_grant_type"],
    ["for a scope", "grant_type=client_credentials&scope=all", 400, "invalid_scope"],
    ["with a parameter twice", "grant_type=client_credentials&grant_type=client_credentials", 400, "invalid_request"],
    ["with credentials twice", "grant_type=client_credentials&client_secret=x", 400, "invalid_request"],
    ["with two client ids", "grant_type=client_credentials&client_id=other", 400, "invalid_request"],
  ])("%s", async (_name, payload, status, error) => {
    await using house = await openHouse();
    const answer = await post(house, payload, basic(house));
    expect([answer.statusCode, answer.json().error]).toEqual([status, error]);
  });

  it("when it is JSON: 400 invalid_request", async () => {
    await using house = await openHouse();
    const answer = await post(house, '{"grant_type":"client_credentials"}', {
      ...basic(house),
      "content-type": "application/json",
    });
    expect([answer.statusCode, answer.json().error]).toEqual([400, "invalid_request"]);
  });

  it.each([
    ["without a body", {}],
    ["with an empty body of no type", { payload: "" }],
    ["with a body of no type", { payload: "grant_type=client_credentials" }],
    ["with a JSON body", { payload: "{}", headers: { "content-type": "application/json" } }],
  ])("%s: 400 invalid_request, which says that it takes a form", async (_name, request) => {
    await using house = await openHouse();
    const answer = await house.api.inject({ method: "POST", url: "/oauth2/token", ...request });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: expect.stringContaining(FORM) },
    ]);
  });

  it("when it is larger than any real one: 413", async () => {
    await using house = await openHouse();
    const answer = await post(house, `grant_type=client_credentials&x=${"x".repeat(5_000)}`, basic(house));
    expect(answer.statusCode).toBe(413);
  });

  it("while the store takes no writes: 503, and no token is left behind", async () => {
    await using house = await openHouse();
    house.store.isWritable = false;
    const answer = await requestToken(house.api, house.client);
    expect([answer.statusCode, answer.json().error]).toEqual([503, "temporarily_unavailable"]);
    expect(house.store.all("token")).toHaveLength(1);
  });
});

describe("guessing", () => {
  it("is over for an address after ten failures, even with the right secret, for a minute", async () => {
    await using house = await openHouse();
    const fresh = await createClient(house, "fresh");
    for (let failure = 0; failure < 10; failure += 1) {
      expect((await requestToken(house.api, { ...fresh, secret: "wrong" })).statusCode).toBe(401);
    }
    const blocked = await requestToken(house.api, fresh);
    expect(blocked.statusCode).toBe(429);
    expect(blocked.headers["retry-after"]).toBe("60");
    await house.clock.advance(60_000);
    expect((await requestToken(house.api, fresh)).statusCode).toBe(200);
  });

  it("keeps no token from a client whose secret was right before, not even from the address of the guesses", async () => {
    await using house = await openHouse();
    for (let failure = 0; failure < 11; failure += 1) {
      await requestToken(house.api, { ...house.client, secret: "wrong" });
    }
    expect((await requestToken(house.api, house.client)).statusCode).toBe(200);
    expect((await requestToken(house.api, { ...house.client, secret: "wrong" })).statusCode).toBe(429);
  });

  it("for one client keeps no token from another at the same address", async () => {
    await using house = await openHouse();
    const fresh = await createClient(house, "fresh");
    for (let failure = 0; failure < 11; failure += 1) {
      await requestToken(house.api, { ...house.client, secret: "wrong" });
    }
    expect((await requestToken(house.api, fresh)).statusCode).toBe(200);
  });

  it("from hundreds of addresses at once keeps no token from a known client, and lets a new one go ahead", async () => {
    await using house = await openHouse();
    const fresh = await createClient(house, "fresh");
    let gate = Promise.resolve();
    const scrypt = vi.spyOn(house.random, "scrypt");
    let underWay = 0;
    let mostAtOnce = 0;
    const order: string[] = [];
    scrypt.mockImplementation(async (secret, salt) => {
      order.push(secret === fresh.secret ? "fresh" : "guess");
      mostAtOnce = Math.max(mostAtOnce, ++underWay);
      await gate;
      underWay -= 1;
      return new Uint8Array(createHash("sha256").update(salt).update("\0").update(secret).digest());
    });
    // Each address has failed before; then all guess at once, and no check of theirs comes to an end.
    const addresses = Array.from({ length: 300 }, (_, at) => `10.0.${at >> 8}.${at & 255}`);
    const guess = (address: string) => requestToken(house.api, { ...house.client, secret: "wrong" }, address);
    for (const address of addresses) await guess(address);
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    order.length = 0;
    const guesses = addresses.map(guess);
    expect((await requestToken(house.api, house.client)).statusCode).toBe(200);
    const newcomer = requestToken(house.api, fresh);
    await settled();
    held.resolve();
    expect((await newcomer).statusCode).toBe(200);
    expect(order.indexOf("fresh")).toBeLessThan(4);
    const statuses = new Set((await Promise.all(guesses)).map(({ statusCode }) => statusCode));
    expect(statuses).toEqual(new Set([401, 503]));
    expect(mostAtOnce).toBe(2);
  });

  it("does not take a known client's place among the requests of its address", async () => {
    await using house = await openHouse({ config: { http: { limits: { requestBurst: 5 } } } });
    const other = { id: "nobody", secret: "wrong" };
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await requestToken(house.api, other)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect((await requestToken(house.api, house.client)).statusCode).toBe(200);
  });

  it("gains nothing from a client that is gone or has another secret now", async () => {
    await using house = await openHouse();
    const record = house.store.get("client", house.client.id);
    const secretHash = "x".repeat(43);
    await house.store.commit([{ table: "client", key: house.client.id, put: { ...record!, secretHash } }]);
    expect((await requestToken(house.api, house.client)).statusCode).toBe(401);
    await house.store.commit([{ table: "client", key: house.client.id, remove: true }]);
    expect((await requestToken(house.api, house.client)).statusCode).toBe(401);
  });

  it("blocks no other address", async () => {
    await using house = await openHouse();
    for (let failure = 0; failure < 11; failure += 1) {
      await requestToken(house.api, { ...house.client, secret: "wrong" }, "192.168.1.66");
    }
    expect((await requestToken(house.api, house.client, "192.168.1.20")).statusCode).toBe(200);
  });

  it("many times at once gets no more than ten tries", async () => {
    await using house = await openHouse();
    const wrong = { ...house.client, secret: "wrong" };
    const answers = await Promise.all(Array.from({ length: 30 }, () => requestToken(house.api, wrong)));
    expect(answers.filter((answer) => answer.statusCode === 401).length).toBeLessThanOrEqual(11);
    expect(answers.filter((answer) => answer.statusCode === 429).length).toBeGreaterThanOrEqual(19);
  });

  it("is logged once, not once a try, and without the secret", async () => {
    await using house = await openHouse();
    for (let failure = 0; failure < 15; failure += 1) {
      await requestToken(house.api, { ...house.client, secret: "wrong-guess" });
    }
    expect(house.log.texts("warn")).toEqual(["too many failed attempts to get a token"]);
    expect(JSON.stringify(house.log.lines)).not.toContain("wrong-guess");
  });
});

describe("what clients find out by themselves", () => {
  it("is what the token endpoint does, under the name that the gateway was asked by", async () => {
    await using house = await openHouse({ config: { http: { limits: GENEROUS, names: ["house.example"] } } });
    const url = "/.well-known/oauth-authorization-server";
    const answer = await house.api.inject({ url, headers: { host: "house.example:8080" } });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        issuer: "http://house.example:8080",
        token_endpoint: "http://house.example:8080/oauth2/token",
        grant_types_supported: ["client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        response_types_supported: [],
        service_documentation: "http://house.example:8080/docs",
      },
    ]);
    const { token_endpoint: endpoint } = answer.json();
    const { id, secret } = house.client;
    const form = "grant_type=client_credentials";
    const ways = [
      [form, basic(house)],
      [`${form}&client_id=${id}&client_secret=${secret}`, {}],
    ] as const;
    for (const [payload, headers] of ways) {
      const token = await house.api.inject({
        method: "POST",
        url: new URL(endpoint).pathname,
        payload,
        headers: { "content-type": FORM, ...headers },
      });
      expect(token.statusCode).toBe(200);
    }
  });

  it.each(["/.well-known/openid-configuration", "/.well-known/nothing", "/.well-known/", "/.well-known/a/b"])(
    "%s is not there: 404, with or without a token",
    async (url) => {
      await using house = await openHouse();
      for (const answer of [await house.api.inject({ url }), await house.ask({ url })]) {
        expect([answer.statusCode, answer.json().type]).toEqual([404, "/problems/not-found"]);
      }
    },
  );
});
