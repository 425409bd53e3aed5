/** What a hostile vendor does to the answers of a login, beside all that it does to any answer. */
import type { SeededRandom } from "../../../../../src/testing/seeded-random.ts";
import { MUTATIONS } from "../mutations.ts";
import { type Chance, DROP, type Mutation, ofAnswer, ofDocument, ofValues, raw } from "../spoil.ts";

const LIFETIMES = [0, -1, 1e308, -1e308, 1e-300, "soon", "3600", "", null, true, [5], {}, raw("1e999")] as const;
const ADDRESSES = [
  "javascript:alert(document.cookie)",
  "http://login.tado.com/oauth2/device",
  "https://evil.example/enter",
  "https://login.tado.com@evil.example/",
  "https://evil.example/?x=https://login.tado.com/",
  "data:text/html,<script>alert(1)</script>",
  "//evil.example",
  "https://",
  "<img src=x onerror=alert(1)>",
  "",
  7,
] as const;
const CODES = ["<script>alert(1)</script>", "", "7".repeat(100_000), null, 4_711, "A\r\nB", "‮7BQ"] as const;
const ERRORS = [
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token",
  "invalid_grant",
  "invalid_client",
  "temporarily_unavailable",
  "constructor",
  "__proto__",
  "x".repeat(5_000),
] as const;
const PLACES = ["https://evil.example/", "http://127.0.0.1/", "//evil.example", "/", "javascript:alert(1)"] as const;
const TOKENS = ["", "a\r\nx: 1", "ключ", "t".repeat(500_000), 7, null, ["a"], {}, "\u0000", " "] as const;
const OTHER_USER = `e30.${Buffer.from(JSON.stringify({ sub: "somebody-else" })).toString("base64url")}.sig`;

const isAny = (): boolean => true;
const named = (name: string, pattern: RegExp, values: readonly unknown[]): Mutation =>
  ofDocument(name, (document, { random }) => {
    const value = pickFrom(values, random);
    const change = (holder: unknown): unknown => {
      if (Array.isArray(holder)) return holder.map(change);
      if (typeof holder !== "object" || holder === null) return holder;
      const entries = Object.entries(holder).map(([key, old]) => [key, pattern.test(key) ? value : change(old)]);
      return Object.fromEntries(entries.filter(([, each]) => each !== DROP));
    };
    return change(document);
  });

function pickFrom(values: readonly unknown[], random: SeededRandom): unknown {
  return values[random.below(values.length)];
}

/** All that was asked, as an answer may bring it back. */
export interface LoginChance extends Chance {
  readonly echo: string;
}

const ANSWERS: readonly Mutation[] = [
  named("an odd lifetime", /expire/i, LIFETIMES),
  named("an odd interval", /^interval$/, [...LIFETIMES, 1e9, 0.001]),
  named("another address to go to", /^verification_ur|url$|uri/i, ADDRESSES),
  named("an odd code to enter", /code$|pin$/i, CODES),
  named("an odd access token", /^(access_?token|token)$/i, TOKENS),
  named("an odd refresh token", /^refresh_?token$/i, TOKENS),
  named("no refresh token", /^refresh_?token$/i, [DROP]),
  named("a token of somebody else", /^(access_?token|id_token)$/i, [OTHER_USER]),
  ofDocument("an identity of somebody else beside the tokens", (document) =>
    typeof document === "object" && document !== null ? { ...document, id_token: OTHER_USER } : document,
  ),
  ofAnswer("an error of OAuth", (_answer, { random }) => errorAnswer(400, pickFrom(ERRORS, random))),
  ofAnswer("an error of OAuth with 200", (_answer, { random }) => errorAnswer(200, pickFrom(ERRORS, random))),
  ofAnswer("a 401 without a word", () => ({ status: 401, body: "" })),
  ofAnswer("what was asked, as the error", (_answer, chance) => errorAnswer(400, echoOf(chance))),
  ofAnswer("what was asked, instead of an answer", (_answer, chance) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify(echoOf(chance)),
  })),
  ofValues("what was asked, everywhere", isAny, (_place, chance) => echoOf(chance)),
  ofAnswer("a redirect to somebody else", (_answer, { random }) => ({
    status: 302 + random.below(2) * 5,
    headers: { location: String(pickFrom(PLACES, random)) },
  })),
  ofAnswer("a redirect to itself with a session", (answer) => ({
    ...answer,
    status: 302,
    headers: { ...answer.headers, location: "/login" },
    cookies: ["session=1; Path=/", `big=${"c".repeat(100_000)}`],
  })),
  ofAnswer("huge cookies", (answer) => ({
    ...answer,
    cookies: Array.from({ length: 500 }, (_unused, at) => `c${at}=${"c".repeat(4_000)}`),
  })),
];

function errorAnswer(status: number, error: unknown) {
  const headers = { "content-type": "application/json" };
  return { status, headers, body: JSON.stringify({ error, error_description: error }) };
}

function echoOf(chance: Chance): string {
  return "echo" in chance ? String(chance.echo) : "";
}

export const LOGIN_MUTATIONS: readonly Mutation[] = [...ANSWERS, ...MUTATIONS];

/** What a browser may bring back from a vendor's page instead of what the vendor sent it with. */
export const RETURNS: readonly ((honest: Readonly<Record<string, string>>) => Readonly<Record<string, string>>)[] = [
  ({ code = "" }) => ({ code, state: "made-up" }),
  ({ code = "" }) => ({ code }),
  ({ state = "" }) => ({ state }),
  ({ code = "" }) => ({ code, state: "" }),
  ({ state = "" }) => ({ code: "", state }),
  ({ state = "" }) => ({ code: "somebody-else's", state }),
  ({ state = "" }) => ({ code: "x".repeat(3_000), state }),
  ({ state = "" }) => ({ error: "access_denied", state }),
  (honest) => ({ ...honest, error: "server_error" }),
  ({ state = "" }) => ({ error: "<script>alert(1)</script>", error_uri: "https://evil.example", state }),
  ({ code = "" }) => ({ code, state: "__proto__", constructor: "1" }),
];
