/** The add-on's files, as https://developers.home-assistant.io/docs/add-ons/configuration and the Supervisor's checks want them. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { NOTIFICATION_LANGUAGES } from "../../src/domain/notifications/message.ts";

const FOLDER = new URL("../../config/home-assistant/hemgate/", import.meta.url);

function read(name: string): unknown {
  return parse(readFileSync(new URL(name, FOLDER), "utf8"));
}

const Port = z.string().regex(/^\d+\/(?:tcp|udp)$/u);
/** Those of the documented settings that the add-on has. */
const Manifest = z.strictObject({
  name: z.string().min(1),
  version: z.string().min(1),
  slug: z.string().regex(/^[-_.A-Za-z0-9]+$/u),
  description: z.string().min(1),
  arch: z.array(z.enum(["aarch64", "amd64"])).nonempty(),
  startup: z.enum(["initialize", "system", "services", "application", "once"]),
  boot: z.enum(["auto", "manual", "manual_only"]),
  init: z.boolean(),
  host_network: z.boolean(),
  uart: z.boolean(),
  webui: z.string().regex(/^(?:https?|\[PROTO:\w+\]):\/\/\[HOST\]:\[PORT:\d+\].*$/u),
  watchdog: z.string().regex(/^(?:https?|\[PROTO:\w+\]|tcp):\/\/\[HOST\]:(?:\[PORT:\d+\]|\d+).*$/u),
  ports: z.record(Port, z.int().min(1).max(65_535).nullable()),
  ports_description: z.record(Port, z.string()),
  timeout: z.int().min(10).max(300),
  backup: z.enum(["hot", "cold"]),
  map: z.array(z.strictObject({ type: z.enum(["addon_config", "share", "ssl"]), read_only: z.boolean() })),
  environment: z.record(z.string().regex(/^\w*$/u), z.string()),
  options: z.record(z.string(), z.string()),
  schema: z.record(z.string(), z.string().regex(/^list\([^()]+\)\??$/u)),
});
const Translation = z.strictObject({
  configuration: z.record(z.string(), z.strictObject({ name: z.string().min(1), description: z.string().min(1) })),
  network: z.record(Port, z.string().min(1)),
});

const manifest = Manifest.parse(read("config.yaml"));

test("the add-on has the version of the package", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(manifest.version).toBe(version);
});

test("each option of the add-on has a default that its schema allows", () => {
  expect(Object.keys(manifest.options)).toEqual(Object.keys(manifest.schema));
  for (const [name, value] of Object.entries(manifest.options)) {
    expect(manifest.schema[name]?.replace(/^list\(|\)$/gu, "").split("|")).toContain(value);
  }
});

test("the add-on's options and ports are translated into the languages of the home page", () => {
  const names = readdirSync(new URL("translations/", FOLDER)).map((name) => name.replace(".yaml", ""));
  expect(names.toSorted()).toEqual([...NOTIFICATION_LANGUAGES].toSorted());
  for (const name of names) {
    const { configuration, network } = Translation.parse(read(`translations/${name}.yaml`));
    expect([name, Object.keys(configuration)]).toEqual([name, Object.keys(manifest.schema)]);
    expect([name, Object.keys(network)]).toEqual([name, Object.keys(manifest.ports)]);
  }
});
