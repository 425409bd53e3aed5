import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { FORECAST_SOURCES } from "../../adapters/forecasts/sources.ts";
import { MARKETS } from "../../adapters/prices/markets.ts";
import { SANDBOX_PORTS } from "../../adapters/simulated/sandbox-home.ts";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { configJsonSchema, isNode } from "../../src/config/json-schema.ts";
import { loadConfig } from "../../src/config/load-config.ts";

function file(name: string): string {
  return readFileSync(new URL(`../../config/${name}`, import.meta.url), "utf8");
}

function load(name: string) {
  const sources = { markets: MARKETS, forecastSources: FORECAST_SOURCES };
  return loadConfig({ text: file(name), environment: {}, adapters: ADAPTERS, ...sources });
}

test("the JSON schema is the one that Zod makes (node --conditions=source scripts/update-config-schema.mjs)", () => {
  expect(JSON.parse(file("gateway.schema.json"))).toEqual(JSON.parse(JSON.stringify(configJsonSchema(ADAPTERS))));
});

test.each(["gateway.example.yaml", "sandbox.yaml"])("%s is right and names the schema for editors", (name) => {
  expect(load(name)).toMatchObject({ ok: true });
  expect(file(name).split("\n")[0]).toBe("# yaml-language-server: $schema=./gateway.schema.json");
});

test("the example shows every key outside the devices' own", () => {
  const example: unknown = parse(file("gateway.example.yaml"));
  const sections = Object.entries(configJsonSchema(ADAPTERS).properties ?? {});
  const missing = sections.flatMap(([section, node]) => {
    const shown: unknown = isNode(example) ? example[section] : undefined;
    const keys = isNode(node) && node.type === "object" ? Object.keys(node.properties ?? {}) : [];
    const missingKeys = keys.filter((key) => !isNode(shown) || !(key in shown)).map((key) => `${section}.${key}`);
    return shown === undefined ? [section] : missingKeys;
  });
  expect(missing).toEqual([]);
});

test("the sandbox's devices are where its house serves them", () => {
  const result = load("sandbox.yaml");
  expect(result.ok && result.config.devices.map(({ id, port }) => [id, port])).toEqual(Object.entries(SANDBOX_PORTS));
});

test.each([
  ["linking.url", 'linking: { url: "http://hemgate.local\\t/" }'],
  ["mqtt.broker.url", 'mqtt: { broker: { url: "mqtt://broker\\x01" } }'],
])("a control character in %s is a mistake that says so", (_place, text) => {
  const sources = { markets: MARKETS, forecastSources: FORECAST_SOURCES };
  const loaded = loadConfig({ text, environment: {}, adapters: ADAPTERS, ...sources });
  expect(JSON.stringify(loaded)).toContain("control character");
});
