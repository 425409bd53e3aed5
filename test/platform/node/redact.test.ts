import { expect, test } from "vitest";
import { REDACTED, redact } from "../../../src/platform/node/redact.ts";

test.each([
  "Authorization",
  "client_secret",
  "access_token",
  "refreshToken",
  "password",
  "X-Api-Key",
  "vin",
  "latitude",
])("%s never reaches the log, at any depth", (name) => {
  expect(redact({ [name]: "canary" })).toEqual({ [name]: REDACTED });
  expect(redact({ a: [{ b: { [name]: "canary" } }] })).toEqual({ a: [{ b: { [name]: REDACTED } }] });
});

test("what is no secret stays as it is", () => {
  expect(redact({ deviceId: "meter", power: 12, tokens: 3, at: null })).toEqual({
    deviceId: "meter",
    power: 12,
    tokens: 3,
    at: null,
  });
});

test("a value that contains itself ends somewhere", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  expect(JSON.stringify(redact(loop))).toContain("[deeper]");
});
