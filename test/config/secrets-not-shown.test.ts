import { describe, expect, test } from "vitest";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";

const SECRET = "Kanarienvogel7";

function mistakesOf(text: string, environment: Readonly<Record<string, string>> = {}): string {
  const result = loadConfig({ text, environment, adapters: ADAPTERS });
  if (result.ok) throw new Error("expected mistakes");
  expect(JSON.stringify(result)).not.toContain(SECRET);
  return result.mistakes.map((mistake) => mistakeLine("g.yaml", mistake)).join("\n");
}

describe("no mistake of a configuration repeats a secret", () => {
  test.each([
    ["of a wrong type", `mqtt: { users: [{ username: u, password: [${SECRET}] }] }`],
    ["that is too long", `mqtt: { users: [{ username: u, password: ${SECRET.padEnd(9_000, "x")} }] }`],
    ["beside an unknown key", `mqtt: { users: [{ username: u, password: ${SECRET}, pasword: ${SECRET} }] }`],
    ["where a user belongs", `mqtt: { users: ["${SECRET}"] }`],
    ["where a section belongs", `mqtt: { broker: "password:${SECRET}" }`],
    ["where a list belongs", `mqtt: { users: "password:${SECRET}" }`],
    ["in a URL", `mqtt: { broker: { url: "mqtt://user:${SECRET}@broker.example" } }`],
    ["in a URL with a slash in it", `mqtt: { broker: { url: "mqtt://user:${SECRET}/9@broker.example" } }`],
    [
      "in the URL of a cloud service",
      `cloud: { uplinks: [{ kind: https, url: "https://u:${SECRET}@cloud.example" }] }`,
    ],
    ["in an origin", `http: { corsOrigins: ["https://u:${SECRET}@app.example"] }`],
    ["that begins with an asterisk", `mqtt: { broker: { url: mqtt://b.example, password: *${SECRET} } }`],
    ["that begins with an at sign", `mqtt:\n  broker:\n    password: @${SECRET}\n`],
    ["after a colon without a space", `mqtt:\n  broker:\n    password:${SECRET}\n    url: mqtt://b.example\n`],
    ["in quotes that do not end", `mqtt:\n  broker:\n    password: "${SECRET}\n`],
    ["behind closed quotes", `mqtt:\n  broker:\n    password: "a"${SECRET}\n`],
  ])("%s", (_where, text) => {
    expect(mistakesOf(text)).not.toBe("");
  });

  test("of an environment variable", () => {
    const environment = {
      HEMGATE_MQTT_BROKER_URL: `mqtt://user:${SECRET}@broker.example`,
      HEMGATE_HTTP_PORT: "80a",
    };
    expect(mistakesOf("mqtt: { broker: { url: mqtt://b.example } }", environment)).toContain("HEMGATE_MQTT_BROKER_URL");
  });
});
