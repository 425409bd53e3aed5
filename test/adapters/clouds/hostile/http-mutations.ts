import { type Mutation, ofAnswer, withStatus } from "./spoil.ts";

const PAGE = "<!doctype html><html><body>Welcome, sign in</body></html>";
const GARBAGE = ["-1", "1e9", "nonsense", "999999999999", "", "NaN", "Thu, 99 Foo 2026", "0", "Infinity"] as const;
const REFUSALS = [
  { error: "invalid_grant" },
  { error: { code: 7, message: "no" } },
  { error_code: 10_012, error_msg: "error_frequently_access" },
  { success: false, failCode: 407, data: null },
  { success: false, failCode: 305 },
  { status: { code: 14, message: "expired" } },
  { status: "failure", reason: "constructor" },
  { code: "100002", hasError: true, msg: "no" },
  { code: "constructor", failCode: "__proto__", error_code: "toString", responseError: "constructor" },
  { response: null, error: "vehicle unavailable", error_description: "" },
] as const;

const STATUSES = [201, 204, 302, 304, 400, 401, 403, 404, 407, 408, 409, 418, 424, 429, 451, 500, 502, 503, 504, 599];

const BODIES: readonly Mutation[] = [
  ofAnswer("status 204 without a body", () => ({ status: 204 })),
  ofAnswer("an empty body", (answer) => ({ ...answer, body: "" })),
  ofAnswer("a page", () => ({ headers: { "content-type": "text/html" }, body: PAGE })),
  ofAnswer("a page that is said to be JSON", (answer) => ({ ...answer, body: PAGE })),
  ofAnswer("a body cut off", (answer, { random }) => ({
    ...answer,
    body: (answer.body ?? "").slice(0, random.below((answer.body ?? "").length + 1)),
  })),
  ofAnswer("a body twice", (answer) => ({ ...answer, body: `${answer.body ?? ""}${answer.body ?? ""}` })),
  ofAnswer("a wrong content type", (answer, { random }) => ({
    ...answer,
    headers: {
      ...answer.headers,
      "content-type": random.pick(["text/plain", "image/png", "", ";;", "application/xml"]),
    },
  })),
  ofAnswer("a byte order mark", (answer) => ({ ...answer, body: `\ufeff${answer.body ?? ""}` })),
  ofAnswer("bytes", (answer, { random }) => ({ ...answer, bytes: random.secretBytes(random.below(2_000)) })),
  ofAnswer("gzip that is none", (answer) => ({
    ...answer,
    headers: { ...answer.headers, "content-encoding": "gzip" },
  })),
  ofAnswer("two megabytes of blanks", (answer) => ({ ...answer, body: (answer.body ?? "").padEnd(2_000_000) })),
  ofAnswer("the answer to another request", (answer, { other }) => other ?? answer),
  ofAnswer("a refusal in a 200", (answer, { random }) => ({
    ...answer,
    body: JSON.stringify(random.pick<object>(REFUSALS)),
  })),
  ofAnswer("a refusal in a 400", (answer, { random }) => ({
    ...answer,
    status: 400,
    body: JSON.stringify(random.pick<object>(REFUSALS)),
  })),
];

const CONNECTIONS: readonly Mutation[] = [
  ofAnswer("no answer", () => ({ fault: "hang" })),
  ofAnswer("a connection that breaks", () => ({ fault: "break" })),
  ofAnswer("a late answer", (answer, { random }) => ({ ...answer, delayMs: random.pick([9_000, 29_000, 31_000]) })),
  ofAnswer("a garbage Retry-After", (answer, { random }) => ({
    ...answer,
    status: random.pick([429, 503, 200]),
    headers: { ...answer.headers, "retry-after": random.pick(GARBAGE), date: random.pick(GARBAGE) },
  })),
  ofAnswer("garbage in the headers of the quota", (answer, { random }) => ({
    ...answer,
    headers: {
      ...answer.headers,
      ratelimit: `"perday";r=${random.pick(GARBAGE)};t=${random.pick(GARBAGE)}`,
      "ratelimit-policy": `"perday";q=${random.pick(GARBAGE)};w=${random.pick(GARBAGE)}`,
      ...Object.fromEntries(
        ["limit", "remaining", "reset"].flatMap((part) => [
          [`ratelimit-${part}`, random.pick(GARBAGE)],
          [`x-ratelimit-${part}`, random.pick(GARBAGE)],
          [`x-rate-limit-${part}`, random.pick(GARBAGE)],
        ]),
      ),
    },
  })),
];

/** Mutations of how an answer comes. */
export const HTTP_MUTATIONS: readonly Mutation[] = [
  ...STATUSES.map((status) => withStatus(status, status === 302 ? { location: "https://elsewhere.example/" } : {})),
  ...BODIES,
  ...CONNECTIONS,
];
