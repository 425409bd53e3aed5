import type { LinkAnswer, LinkOutcome, LinkStep } from "hemgate/sdk";
import { describe, expect, test } from "vitest";
import type { CloudLogin, Grant } from "../../../../adapters/clouds/kit/connector.ts";
import type { LoginDesk, SignInResult } from "../../../../adapters/clouds/kit/login/login-desk.ts";
import { renewGrant, signInStep } from "../../../../adapters/clouds/kit/login/sign-in.ts";
import { soundGrant } from "../../../../adapters/clouds/kit/login/sound-grant.ts";
import { CloudError } from "../../../../adapters/clouds/kit/session/cloud-error.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";
import { APP, askTwin, plainAsk } from "../fake-session.ts";
import { SUNNY_LOGINS, SunnyTwin, sunny } from "./sunny.ts";

const calm = new AbortController().signal;
const CALLBACK = { url: "http://gateway.local:8080/link/callback", state: "state-1" };
const FORM: LinkAnswer = { kind: "form", values: {} };
const POLL: LinkAnswer = { kind: "poll" };

function bed(kind: CloudLogin["kind"], change: object = {}) {
  const clock = new VirtualClock();
  const twin = new SunnyTwin(clock);
  const connector = sunny(kind);
  const desk: LoginDesk = {
    clock,
    random: new SeededRandom(1),
    app: APP,
    ask: askTwin(connector, twin),
    askAnyway: async (request) => plainAsk(twin, request),
  };
  const login = { ...SUNNY_LOGINS[kind], ...change } as CloudLogin;
  const take = (answer: LinkAnswer, memo?: unknown): Promise<SignInResult> => {
    const step: LinkStep = { vendorId: "sunny", answer, memo, callback: CALLBACK };
    return signInStep(login, step, desk, calm);
  };
  return { clock, twin, desk, login, take };
}

function memoOf(turn: SignInResult): unknown {
  return "memo" in turn ? turn.memo : undefined;
}

function redirectIn(turn: SignInResult): Extract<LinkOutcome, { readonly kind: "redirect" }> {
  if (turn.kind !== "redirect") throw new Error(`a ${turn.kind} is no redirect`);
  return turn;
}

describe("an authorization code", () => {
  test("goes by the vendor's page, with PKCE, our state and the vendor's own parameters", async () => {
    const { twin, take } = bed("code");
    const { url, memo } = redirectIn(await take(FORM));
    const asked = new URL(url);
    expect(asked.origin + asked.pathname).toBe("https://sunny.example/authorize");
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      brand: "sunny",
      response_type: "code",
      client_id: APP.clientId,
      redirect_uri: CALLBACK.url,
      scope: "read write",
      state: CALLBACK.state,
      code_challenge_method: "S256",
      prompt: "login",
    });
    expect(url).not.toContain(APP.clientSecret);
    const turn = await take({ kind: "returned", query: twin.authorize(url) }, memo);
    expect(turn).toMatchObject({ kind: "signed-in", form: null });
    const [request] = twin.asked.filter(({ url: at }) => at.pathname === "/token");
    expect(request?.request.headers["authorization"]).toBe(`Basic ${btoa(`${APP.clientId}:${APP.clientSecret}`)}`);
  });

  test.each([
    ["another state", { code: "good", state: "state-2" }, "invalid-credentials"],
    ["no code", { state: "state-1" }, "invalid-credentials"],
    ["the person's no", { error: "access_denied", state: "state-1" }, "denied"],
    ["the vendor's failure", { error: "server_error", state: "state-1" }, "unavailable"],
  ])("comes to nothing with %s", async (_name, query, why) => {
    const { twin, take } = bed("code");
    const { url, memo } = redirectIn(await take(FORM));
    twin.authorize(url);
    expect(await take({ kind: "returned", query }, memo)).toEqual({ kind: "refused", why });
    expect(twin.asks("/token")).toBe(0);
  });

  test("that somebody else asked for is not exchanged", async () => {
    const { twin, take } = bed("code");
    const mine = redirectIn(await take(FORM));
    const theirs = redirectIn(await take(FORM));
    const query = twin.authorize(theirs.url);
    await expect(take({ kind: "returned", query }, mine.memo)).rejects.toMatchObject({ kind: "login-refused" });
  });

  test("is renewed by its refresh token, which stays where no new one comes", async () => {
    const { twin, take, login, desk } = bed("code");
    const { url, memo } = redirectIn(await take(FORM));
    const turn = await take({ kind: "returned", query: twin.authorize(url) }, memo);
    if (turn.kind !== "signed-in") throw new Error("not signed in");
    const renewed = await renewGrant(login, { ...turn.grant, extra: { region: "eu" } }, desk, calm);
    expect(renewed.refresh).not.toBe(turn.grant.refresh);
    expect(renewed.extra).toEqual({ region: "eu" });
    expect(twin.desk.accepts(renewed.access)).toBe(true);
    const thrifty: LoginDesk = {
      ...desk,
      askAnyway: async () => ({ status: 200, headers: {}, body: { access_token: "a", token_type: "bearer" } }),
    };
    expect(await renewGrant(login, renewed, thrifty, calm)).toMatchObject({
      access: "a",
      refresh: renewed.refresh,
      expiresAtMs: null,
    });
  });

  test("without a refresh token is over at its end", async () => {
    const { login, desk, twin } = bed("code");
    const grant = { access: "a", refresh: null, expiresAtMs: 0 };
    await expect(renewGrant(login, grant, desk, calm)).rejects.toMatchObject({ kind: "login-refused" });
    expect(twin.asked).toHaveLength(0);
  });

  test.each([
    [400, { error: "invalid_grant" }, "login-refused"],
    [401, {}, "login-refused"],
    [401, { error: "invalid_client" }, "forbidden"],
    [429, {}, "rate-limited"],
    [503, null, "unavailable"],
    [200, { html: true }, "malformed"],
  ])("whose renewal is answered with %i %j is %s", async (status, body, kind) => {
    const { login, desk } = bed("code");
    const answering: LoginDesk = { ...desk, askAnyway: async () => ({ status, headers: {}, body }) };
    const grant = { access: "a", refresh: "r", expiresAtMs: 0 };
    await expect(renewGrant(login, grant, answering, calm)).rejects.toMatchObject({ kind });
  });

  test("names its user where the token does", async () => {
    const { login, desk } = bed("code");
    const claims = Buffer.from(JSON.stringify({ sub: "user-7" })).toString("base64url");
    const body = { access_token: "opaque", id_token: `e30.${claims}.sig`, expires_in: "3600" };
    const answering: LoginDesk = { ...desk, askAnyway: async () => ({ status: 200, headers: {}, body }) };
    const grant = await renewGrant(login, { access: "a", refresh: "r", expiresAtMs: 0 }, answering, calm);
    expect(grant.extra).toEqual({ user: "user-7" });
    expect(grant.expiresAtMs).toBe(desk.clock.nowMs() + 3_600_000);
  });
});

describe("a renewal", () => {
  const tokenOf = (sub: string, rest = "") =>
    `e30.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.sig${rest}`;
  const renewed = (grant: Grant, body: object, status = 200) => {
    const { login, desk } = bed("code");
    const answering: LoginDesk = { ...desk, askAnyway: async () => ({ status, headers: {}, body }) };
    return renewGrant(login, grant, answering, calm);
  };

  test.each([
    ["in the token itself", { access: tokenOf("ada") }, { access_token: tokenOf("eve") }],
    ["beside opaque tokens", { access: "a", extra: { user: "ada" } }, { access_token: "b", id_token: tokenOf("eve") }],
  ])("for another user, told %s, is none", async (_name, before, body) => {
    const grant = { refresh: "r", expiresAtMs: 0, ...before };
    await expect(renewed(grant, body)).rejects.toMatchObject({ kind: "malformed" });
  });

  test("for the same user is one, and so is one whose tokens name users in two ways", async () => {
    const grant = { access: tokenOf("ada"), refresh: "r", expiresAtMs: 0, extra: { user: "ada@id" } };
    const next = tokenOf("ada", "2");
    expect(await renewed(grant, { access_token: next })).toMatchObject({ access: next });
  });

  test("that is refused with what was asked repeats none of it", async () => {
    const error = "grant_type=refresh_token&refresh_token=r-secret";
    const refusal = await renewed({ access: "a", refresh: "r-secret", expiresAtMs: 0 }, { error }, 400).catch(String);
    expect(refusal).toContain("with a vendor-specific code");
    expect(refusal).not.toContain("r-secret");
  });

  test.each([
    ["that breaks a header's line", { access: "a\r\nx: 1" }],
    ["that is longer than a note", { access: "a".repeat(7_000) }],
    ["with a refresh token that is", { refresh: "r".repeat(4_000) }],
    ["with more beside it than that", { extra: { user: "u".repeat(2_000) } }],
  ])("to a token %s is none", (_name, change) => {
    const grant: Grant = { access: "a", refresh: "r", expiresAtMs: null };
    expect(soundGrant({ ...grant, expiresAtMs: Number.POSITIVE_INFINITY }, "sunny")).toEqual(grant);
    expect(() => soundGrant({ ...grant, ...change }, "sunny")).toThrow(CloudError);
  });
});

describe("a device code", () => {
  test.each([
    ["a text for its life", { expires_in: "300", interval: "7" }, 7_000],
    ["a life without end, and none between two looks", { expires_in: 1e308, interval: 1e-9 }, 1_000],
    ["a pause of days", { interval: 1e9 }, 60_000],
    ["no pause", { interval: 0 }, 5_000],
  ])("with %s stays the one that was shown", async (_name, change, pollMs) => {
    const { desk, login, twin } = bed("device-code");
    const ask: LoginDesk["ask"] = async (request, own) => {
      const answer = await desk.ask(request, own);
      return { ...answer, body: { ...Object(answer.body), ...change } };
    };
    const step = { vendorId: "sunny", callback: CALLBACK };
    const shown = await signInStep(login, { ...step, answer: FORM, memo: undefined }, { ...desk, ask }, calm);
    expect(shown).toMatchObject({ kind: "wait", code: "WDJB", pollMs });
    const later = await signInStep(login, { ...step, answer: POLL, memo: memoOf(shown) }, { ...desk, ask }, calm);
    expect(later).toMatchObject({ kind: "wait", code: "WDJB" });
    expect(twin.asks("/device")).toBe(1);
  });

  test("is shown until it was entered, and asked for no sooner than the vendor wants", async () => {
    const { clock, twin, take } = bed("device-code");
    const first = await take(FORM);
    expect(first).toMatchObject({ kind: "wait", url: "https://sunny.example/enter", code: "WDJB", pollMs: 5_000 });
    const second = await take(POLL, memoOf(first));
    expect(second).toMatchObject({ kind: "wait", code: "WDJB", pollMs: 5_000 });
    twin.slowDowns = 1;
    const third = await take(POLL, memoOf(second));
    expect(third).toMatchObject({ kind: "wait", pollMs: 10_000 });
    twin.trouble = "break";
    const fourth = await take(POLL, memoOf(third));
    expect(fourth).toMatchObject({ kind: "wait", code: "WDJB" });
    twin.trouble = null;
    twin.entered = "yes";
    await clock.advance(10_000);
    expect(await take(POLL, memoOf(fourth))).toMatchObject({ kind: "signed-in" });
    expect(twin.asks("/device")).toBe(1);
  });

  test.each([
    ["denied", "denied"],
    ["expired", "code-expired"],
  ] as const)("that was %s is refused", async (entered, why) => {
    const { twin, take } = bed("device-code");
    const first = await take(FORM);
    twin.entered = entered;
    expect(await take(POLL, memoOf(first))).toEqual({ kind: "refused", why });
  });

  test("that is too old is not asked for any more", async () => {
    const { clock, twin, take } = bed("device-code");
    const first = await take(FORM);
    await clock.advance(301_000);
    expect(await take(POLL, memoOf(first))).toEqual({ kind: "refused", why: "code-expired" });
    expect(twin.asks("/token")).toBe(0);
  });
});

describe("a vendor's own form", () => {
  const values = { user: "anna", password: "sunshine" };

  test("signs in, and is kept where each login needs it", async () => {
    const signedIn = await bed("form").take({ kind: "form", values });
    expect(signedIn).toMatchObject({ kind: "signed-in", form: values, person: "anna" });
    const forgetful = await bed("form", { keepsForm: false }).take({ kind: "form", values });
    expect(forgetful).toMatchObject({ kind: "signed-in", form: null });
  });

  test("with a wrong password is refused, as is a vendor that is down", async () => {
    const { twin, take } = bed("form");
    const wrong = { ...values, password: "rain" };
    expect(await take({ kind: "form", values: wrong })).toEqual({ kind: "refused", why: "invalid-credentials" });
    twin.trouble = "break";
    await expect(take({ kind: "form", values })).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("with a second factor asks for it, and keeps it not", async () => {
    const { twin, take } = bed("form");
    twin.secondFactor = "4711";
    const asked = await take({ kind: "form", values });
    expect(asked).toMatchObject({ kind: "ask", fields: [{ name: "code" }] });
    const wrong = await take({ kind: "form", values: { code: "1" } }, memoOf(asked));
    expect(wrong).toEqual({ kind: "refused", why: "failed-auth-challenge" });
    const right = await take({ kind: "form", values: { code: "4711" } }, memoOf(asked));
    expect(right).toMatchObject({ kind: "signed-in", form: values });
  });

  test("whose code is entered at the vendor is tried until it is accepted, whatever happens on the way", async () => {
    const enter = { url: "https://sunny.example/apps", code: "PIN1", pollMs: 30_000, hint: { "en-US": "Look there" } };
    const outcomes: (() => unknown)[] = [];
    const forms: unknown[] = [];
    const signIn = async (form: unknown) => {
      forms.push(form);
      return outcomes.shift()?.() ?? { enter, keep: { pin: "PIN1" } };
    };
    const { take } = bed("form", { signIn });
    const shown = await take({ kind: "form", values });
    expect(shown).toMatchObject({ kind: "wait", ...enter });
    outcomes.push(() => {
      throw new CloudError("unavailable", "down");
    });
    const later = await take(POLL, memoOf(shown));
    expect(later).toEqual(shown);
    const again = await take(POLL, memoOf(later));
    outcomes.push(() => ({ access: "a", refresh: null, expiresAtMs: null }));
    expect(await take(POLL, memoOf(again))).toMatchObject({ kind: "signed-in", form: values, person: "anna" });
    expect(forms).toEqual([values, ...Array(3).fill({ ...values, pin: "PIN1" })]);
    expect(await take(POLL)).toMatchObject({ kind: "refused" });
  });

  test("that has no renewal of its own is over with its grant", async () => {
    const { login, desk } = bed("form");
    const grant = { access: "a", refresh: "r", expiresAtMs: 0 };
    await expect(renewGrant(login, grant, desk, calm)).rejects.toMatchObject({ kind: "login-refused" });
  });
});
