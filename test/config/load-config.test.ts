import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Environment } from "../../src/config/environment.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { mistakeLine } from "../../src/config/mistake.ts";
import { FAKE_ADAPTERS } from "./fake-adapters.ts";

function load(text: string, environment: Environment = {}) {
  return loadConfig({ text, environment, adapters: FAKE_ADAPTERS });
}

function mistakes(text: string, environment: Environment = {}): readonly string[] {
  const result = load(text, environment);
  return result.ok ? [] : result.mistakes.map((mistake) => mistakeLine("g.yaml", mistake));
}

const DEVICE = `devices:
  - id: inverter
    adapter: modbus
    host: 192.0.2.7
    unit: 1
    profile: sunspec
`;

describe("a file that is right", () => {
  test("gets the defaults of everything it leaves out", () => {
    expect(load(DEVICE)).toEqual({
      ok: true,
      config: {
        site: { name: "Home", owner: "home", timezone: "UTC" },
        http: {
          host: "0.0.0.0",
          port: 8080,
          isAnnounced: true,
          corsOrigins: [],
          limits: {
            connections: 512,
            connectionsPerAddress: 128,
            requestsPerMinute: 600,
            requestBurst: 100,
            commandsPerMinute: 60,
            commandsPerDevicePerMinute: 6,
          },
        },
        linking: { maxConnections: 100 },
        sandbox: { isEnabled: false },
        discovery: { isListening: true, followsAddresses: true },
        pricing: { currency: "EUR" },
        clouds: { apps: {} },
        remote: { sections: ["site", "pricing", "forecast", "discovery"], trialMinutes: 5 },
        gridLimits: { controllable: [], failsafe: { hours: 2, after: "hold" }, autonomous: {}, schedule: [] },
        adapters: {},
        compat: { namePrefix: "Service" },
        webhooks: { allowInsecureLan: false, maxWebhooks: 20 },
        storage: { housekeeping: "17 3 * * *" },
        backup: { keep: 7 },
        update: {},
        notifications: { channels: [], silentMinutes: 30 },
        log: { level: "info" },
        devices: [{ id: "inverter", adapter: "modbus", host: "192.0.2.7", port: 502, unit: 1, profile: "sunspec" }],
      },
    });
  });

  test("may leave a section empty and gets its defaults", () => {
    const result = load("http:\nmqtt:\ndevices:\n");
    expect(result.ok && result.config).toMatchObject({
      http: { host: "0.0.0.0", port: 8080 },
      mqtt: { host: "127.0.0.1", port: 1883 },
      devices: [],
    });
  });

  test("may use anchors, a byte order mark and Windows line ends", () => {
    const result = load("\uFEFFsite: &a\r\n  name: House\r\nhttp: {}\r\n");
    expect(result.ok && result.config.site.name).toBe("House");
  });
});

describe("a file that is no configuration", () => {
  test.each([
    ["empty", "", "g.yaml:1:1: the file is empty; expected a map with keys such as site, http, devices"],
    [
      "comments only",
      "# nothing\n\n",
      "g.yaml:1:1: the file is empty; expected a map with keys such as site, http, devices",
    ],
    [
      "prose",
      "hello there",
      'g.yaml:1:1: this is not a configuration; expected a map with keys such as site, http, devices, found "hello there"',
    ],
    [
      "a list",
      "- a\n- b\n",
      "g.yaml:1:1: this is not a configuration; expected a map with keys such as site, http, devices, found a list",
    ],
    ["indented by tabs", "http:\n\tport: 1\n", "g.yaml:2:1: not YAML: a tab indents this line; indent with spaces"],
    ["with a key twice", "http: {}\nlog: {}\nhttp: {}\n", 'g.yaml:3:1: the key "http" stands here a second time'],
    ["several documents", "log: {}\n---\nlog: {}\n", "g.yaml:2:1: the file holds more than one document (---)"],
    ["an unknown anchor", "log: *level\n", "g.yaml:1:1: the file uses anchors too often, or one that does not exist"],
    ["an endless anchor", "log: &a [*a]\n", "g.yaml:1:1: nested deeper than 50 levels"],
  ])("%s is told with its place", (_name, text, expected) => {
    expect(mistakes(text)).toEqual([expected]);
  });

  test("broken YAML is told at the line where it breaks", () => {
    expect(mistakes("log:\n  level: info\nhttp: [1, 2\nsite: {}\n")[0]).toMatch(/^g\.yaml:\d:\d+: not YAML: /);
  });

  test("a few lines that unfold into millions of values are refused", () => {
    const levels = Array.from({ length: 9 }, (_unused, level) => {
      const items = level === 0 ? "x" : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => items).join(", ")}]`;
    });
    expect(mistakes(levels.join("\n"))).toEqual([
      "g.yaml:1:1: the file uses anchors too often, or one that does not exist",
    ]);
  });

  test("an enormous file is refused unread", () => {
    expect(mistakes(`# ${"x".repeat(1_000_000)}`)).toEqual(["g.yaml:1:1: the file is longer than 1000000 characters"]);
  });
});

describe("mistakes", () => {
  test("are all told at once, each with its place, what was expected, what was found, and what was probably meant", () => {
    const text = `site:
  timezone: Europe/Berln
http:
  port: eighty
  hots: 127.0.0.1
log:
  level: inof
mqqt: {}
devices:
  - id: Inverter
    adapter: modbus
    host: ""
    prot: 502
    unit: 999
    profile: sdm
  - id: car
    adapter: modbuss
`;
    const id = "text (Name of the device here: lower-case letters, digits and dashes. Keep it for good)";
    expect(mistakes(text)).toEqual([
      'g.yaml:2:13: site.timezone: no such time zone; expected an IANA name such as Europe/Berlin, found "Europe/Berln"; did you mean "Europe/Berlin"?',
      'g.yaml:4:9: http.port: wrong value; expected a whole number from 0 to 65535 (TCP port; 0 takes any free one), found "eighty"',
      'g.yaml:5:3: http.hots: unknown key; expected one of host, port, names, isAnnounced, corsOrigins, limits; did you mean "host"?',
      'g.yaml:7:10: log.level: wrong value; expected one of error, warn, info, debug, found "inof"; did you mean "info"?',
      'g.yaml:8:1: mqqt: unknown key; expected one of site, http, https, linking, sandbox, discovery, pricing, mqtt, modbusProxy, clouds, cloud, remote, forecast, gridLimits, adapters, compat, webhooks, storage, backup, update, notifications, influx, log, devices; did you mean "mqtt"?',
      `g.yaml:10:9: devices[0].id: wrong value; expected ${id}, found "Inverter"`,
      'g.yaml:12:11: devices[0].host: wrong value; expected text that is not empty (Host name or address), found ""',
      'g.yaml:13:5: devices[0].prot: unknown key; expected one of id, adapter, name, owner, installedOn, scopes, host, port, unit, profile; did you mean "port"?',
      "g.yaml:14:11: devices[0].unit: wrong value; expected a whole number from 0 to 255, found 999",
      'g.yaml:15:14: devices[0].profile: wrong value; expected one of sunspec, sdm630, keba-p30, found "sdm"; did you mean "sdm630"?',
      'g.yaml:17:14: devices[1].adapter: wrong value; expected one of modbus, p1, found "modbuss"; did you mean "modbus"?',
    ]);
  });

  test("a list where text belongs is one mistake, although a list has a length, too", () => {
    expect(mistakes("site: { name: [] }\n")).toEqual([
      "g.yaml:1:15: site.name: wrong value; expected text that is not empty, found a list",
    ]);
  });

  test("a cron expression that is not valid is reported with its wrong field", () => {
    const [line, ...others] = mistakes('storage:\n  housekeeping: "17 25 * * *"\n');
    expect(others).toEqual([]);
    expect(line).toBe(
      'g.yaml:2:17: storage.housekeeping: hour "25" is not valid; expected five fields (minute, hour, day of month, month, day of week), such as "17 3 * * *", found "17 25 * * *"',
    );
  });

  test("a missing key is told where its device begins", () => {
    expect(mistakes("devices:\n  - id: meter\n    adapter: p1\n")).toEqual([
      "g.yaml:2:5: devices[0].path: missing; expected text",
    ]);
  });

  test("a device without an adapter is told which there are", () => {
    expect(mistakes("devices:\n  - id: meter\n")).toEqual([
      "g.yaml:2:5: devices[0].adapter: missing; expected one of modbus, p1",
    ]);
  });

  test("two devices of one id are told beside everything else", () => {
    const text = `${DEVICE}  - id: inverter\n    adapter: p1\n`;
    expect(mistakes(text)).toEqual([
      "g.yaml:7:5: devices[1].path: missing; expected text",
      'g.yaml:7:9: devices[1].id: devices[0] has this id already; each device needs its own, found "inverter"',
    ]);
  });

  test("the common keys of a device with an unknown adapter are checked too", () => {
    expect(mistakes("devices:\n  - adapter: zigbee\n    id: 7\n").map((line) => line.slice(0, 40))).toEqual([
      "g.yaml:2:14: devices[0].adapter: wrong v",
      "g.yaml:3:9: devices[0].id: wrong value; ",
    ]);
  });

  test("keys that JavaScript's objects own are unknown keys like others", () => {
    const lines = mistakes("__proto__: { port: 1 }\nconstructor: 5\n");
    expect(lines.map((line) => line.split(";")[0])).toEqual([
      "g.yaml:1:1: __proto__: unknown key",
      "g.yaml:2:1: constructor: unknown key",
    ]);
  });

  test("a long value is shortened", () => {
    expect(mistakes(`log: { level: ${"x".repeat(500)} }`)[0]?.length).toBeLessThan(200);
  });
});

describe("environment variables", () => {
  test("override the file, typed as the schema says", () => {
    const result = load("http:\n  port: 1\n", { HEMGATE_HTTP_PORT: "0", HEMGATE_COMPAT_NAME_PREFIX: "Acme" });
    expect(result.ok && result.config).toMatchObject({ http: { port: 0 }, compat: { namePrefix: "Acme" } });
  });

  test("one of an optional section switches it on", () => {
    const result = load("log: {}", { HEMGATE_MQTT_PORT: "1884" });
    expect(result.ok && result.config.mqtt).toMatchObject({ host: "127.0.0.1", port: 1884 });
  });

  test("a wrong value is told by the variable's name, after the file's mistakes", () => {
    expect(mistakes("lgo: {}\nhttp: { port: x }\n", { HEMGATE_HTTP_PORT: "99999" })).toEqual([
      'g.yaml:1:1: lgo: unknown key; expected one of site, http, https, linking, sandbox, discovery, pricing, mqtt, modbusProxy, clouds, cloud, remote, forecast, gridLimits, adapters, compat, webhooks, storage, backup, update, notifications, influx, log, devices; did you mean "log"?',
      "HEMGATE_HTTP_PORT: http.port: wrong value; expected a whole number from 0 to 65535 (TCP port; 0 takes any free one), found 99999",
    ]);
  });

  test("a variable set to nothing is a mistake", () => {
    expect(mistakes("log: {}", { HEMGATE_HTTP_PORT: "" })).toEqual([
      'HEMGATE_HTTP_PORT: http.port: wrong value; expected a whole number from 0 to 65535 (TCP port; 0 takes any free one), found ""',
    ]);
  });

  test("an unknown one is told with the nearest that exists, even beside a file that is not YAML", () => {
    expect(mistakes("log: [", { HEMGATE_HTPP_PORT: "1" }).at(-1)).toBe(
      'HEMGATE_HTPP_PORT: no such setting; did you mean "HEMGATE_HTTP_PORT"?',
    );
  });

  test("the command line's own places and other programs' variables are no settings", () => {
    expect(
      load("log: {}", {
        HEMGATE_STATE: "/s",
        HEMGATE_CONFIG: "/c",
        HEMGATE_KEY_FILE: "/k",
        PATH: "/bin",
      }).ok,
    ).toBe(true);
  });

  test("a variable that only the tests read is not a setting, and none of them is unknown to the gateway", () => {
    const root = new URL("../../", import.meta.url).pathname;
    const files = globSync("{test,bench,scripts}/**/*.{ts,mjs,sh}", { cwd: root });
    const used = files.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/process\.env(?:\.|\[")(HEMGATE_[A-Z_]+)/g)].map(
        ([, name = ""]) => name,
      ),
    );
    expect(used).toContain("HEMGATE_SEED");
    expect(mistakes("log: {}", Object.fromEntries(used.map((name) => [name, "7"])))).toEqual([]);
  });

  test("a section that is not a map stays the file's mistake", () => {
    expect(mistakes("http: 5\n", { HEMGATE_HTTP_PORT: "1" })).toEqual([
      "g.yaml:1:7: http: wrong value; expected a map, found 5",
    ]);
  });
});
