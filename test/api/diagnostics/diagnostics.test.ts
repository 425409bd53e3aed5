import { expect, test } from "vitest";
import { createClient } from "../../../src/api/clients/clients.ts";
import { configSchema } from "../../../src/config/config.ts";
import type { LogLine } from "../../../src/platform/ports/recent-log-port.ts";
import { batteryOptions, makeHome } from "../../engine/home.ts";
import { ownerOf, personOf } from "../people/browser.ts";
import { getToken, openHouse } from "../support/api-house.ts";
import { openRealHouse } from "../support/real-house.ts";

/** Each stands at one place of the configuration, as people write it there. */
const CANARIES = [
  "canary-mqtt-user-password",
  "canary-broker-password",
  "canary-client-secret",
  "canary-api-key",
  "canary-cloud-password",
  "canary-in-a-url",
] as const;

const CONFIG = configSchema([]).parse({
  site: { owner: "canary-owner", place: { latitude: 52.520_08, longitude: 13.404_95 } },
  mqtt: {
    users: [{ username: "canary-plug", password: CANARIES[0] }],
    broker: { url: "mqtt://broker.local", username: "canary-user", password: CANARIES[1] },
  },
  clouds: { apps: { tesla: { clientId: "an-id", clientSecret: CANARIES[2], apiKey: CANARIES[3] } } },
  cloud: {
    gateway: "gw-1",
    uplinks: [{ kind: "mqtt", servers: ["mqtts://mqtt.cloud.example"] }],
    credentials: { password: CANARIES[4] },
  },
  notifications: {
    channels: [
      { id: "phone", type: "ntfy", topic: "canary-topic-7f3a", token: "tk_canary-of-ntfy" },
      { id: "mail", type: "email", to: ["canary@example.com"] },
      { id: "hook", type: "webhook", url: "https://hooks.example/canary-path", secret: "canary-of-hook" },
    ],
    mailServer: {
      host: "smtp.example.com",
      username: "canary-sender",
      password: "canary-mail",
      from: "canary-from@example.com",
    },
  },
  linking: { url: `https://me:${CANARIES[5]}@home.example` },
});

function line(level: LogLine["level"], text: string, fields: LogLine["fields"] = {}): LogLine {
  return { atMs: Date.parse("2026-06-10T14:40:00Z"), level, text, fields };
}

test("the diagnostics have what helps and no secret of the configuration, even if a log line repeats one", async () => {
  const lines = [
    ...CANARIES.map((canary) => line("warn", `the broker refuses ${canary}`, { detail: { sent: [canary] } })),
    line("info", "starting"),
  ];
  await using house = await openRealHouse({ config: CONFIG, recentLog: { lines: () => lines } });
  const owner = await ownerOf(house);
  const answer = await owner.get("/local/diagnostics");
  expect(answer.statusCode).toBe(200);
  for (const canary of ["canary", "52.52", "13.404"]) expect(answer.body).not.toContain(canary);
  expect(answer.json()).toMatchObject({
    versions: { gateway: null, api: "2024-10-01" },
    configuration: {
      mqtt: { users: [{ username: "[redacted]", password: "[redacted]" }] },
      clouds: { apps: { tesla: { clientId: "an-id", clientSecret: "[redacted]" } } },
      site: { timezone: "UTC" },
    },
  });
  expect(answer.json().log[0]).toMatchObject({ level: "warn", text: "the broker refuses [redacted]" });
  for (const url of ["/local/logs", "/local/configuration"]) {
    const { body } = await owner.get(url);
    const channels = ["canary-topic", "canary-path", "canary@example.com"];
    for (const canary of [...CANARIES, ...channels]) expect(body).not.toContain(canary);
  }
});

test("the log is filtered by level, text and device", async () => {
  const lines = [
    line("debug", "bytes", { deviceId: "meter" }),
    line("error", "it broke", { deviceId: "meter" }),
    line("warn", "Silent", { deviceId: "battery" }),
  ];
  await using house = await openHouse({ recentLog: { lines: () => lines } });
  const { store, clock, random, api } = house;
  const manager = await createClient({ store, clock, random }, "manager", undefined, ["people:manage"]);
  const headers = { authorization: `Bearer ${await getToken(api, manager)}` };
  const texts = async (query: string): Promise<string[]> =>
    (await house.ask({ url: `/local/logs?${query}`, headers })).json().map(({ text }: { text: string }) => text);
  expect(await texts("level=warn")).toEqual(["Silent", "it broke"]);
  expect(await texts("text=SILENT")).toEqual(["Silent"]);
  expect(await texts("text=battery")).toEqual(["Silent"]);
  expect(await texts("deviceId=meter&level=info")).toEqual(["it broke"]);
});

test("owners and installers see logs, diagnostics and configuration; members, guests and plain clients do not", async () => {
  const home = makeHome();
  home.add("battery", batteryOptions());
  await using house = await openRealHouse({ home, recentLog: { lines: () => [line("info", "starting")] } });
  await house.pass(5_000);
  const owner = await ownerOf(house);
  const people = {
    owner,
    installer: await personOf(house, owner, "installer"),
    member: await personOf(house, owner, "member"),
    guest: await personOf(house, owner, "guest"),
  };
  for (const url of [
    "/local/logs",
    "/local/diagnostics",
    "/local/configuration",
    "/local/webhooks",
    "/local/notifications",
  ]) {
    const statuses = [];
    for (const person of Object.values(people)) statuses.push((await person.get(url)).statusCode);
    expect([url, ...statuses]).toEqual([url, 200, 200, 403, 403]);
    expect((await house.ask({ url })).statusCode).toBe(403);
  }
  const { devices, health } = (await owner.get("/local/diagnostics")).json();
  expect(health).toEqual({ isReady: true, failures: [] });
  expect(devices).toMatchObject([{ id: "battery", isReachable: true, lastError: null }]);
  expect(devices[0].points.length).toBeGreaterThan(0);
});
