/** The receivers of examples/webhook-receiver, and `hemgate webhooks listen`, on a sandbox home in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { socketClient } from "../../src/cli/socket-client.ts";
import type { Client } from "../../src/client/index.ts";
import { signaturesOf } from "../../src/sync/webhooks/signature.ts";
import { freePorts } from "../free-ports.ts";
import { Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";

const PATIENCE = { timeout: 60_000 };
const SECRET = "0123456789abcdef";
const RECEIVERS = {
  "receiver.ts": [process.execPath, "--disable-warning=ExperimentalWarning", "--conditions=source"],
  "receiver.py": ["python3"],
} as const;
const folder = temporaryFolder();
const end = new AbortController();
let house: Hemgate;
let client: Client;

beforeAll(async () => {
  const [http = 0, ...twins] = await freePorts(6);
  const words = ["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(",")];
  house = new Hemgate(words, { environment: { HEMGATE_HTTP_PORT: String(http), HEMGATE_LOG_LEVEL: "info" } });
  await house.output(/Ctrl-C stops it\.\n/);
  await house.logged(/"deviceId":"charger"[^\n]*"device reachable"/);
  client = await socketClient(folder.path, end.signal);
}, 60_000);
afterAll(async () => {
  end.abort();
  await house[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Sets the mode of the sandbox's vehicle charger, which is an event. */
async function setMode(mode: "FAST" | "OFF"): Promise<string> {
  const id = (await client.get("/chargers")).data.at(-1)?.id ?? "";
  await client.put("/local/energy/devices/{deviceId}", { path: { deviceId: id }, body: { mode } });
  return id;
}

test.each(Object.entries(RECEIVERS))(
  "%s takes each delivery of the gateway once, and no other",
  PATIENCE,
  async (file, words) => {
    const [program, ...options] = words;
    const path = `examples/webhook-receiver/${file}`;
    const environment = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: "0" };
    const child: ChildProcess = spawn(program, [...options, path], {
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    try {
      const url = `http://127.0.0.1:${(await next()).split(" ")[1]}/`;
      const body = { url, secret: SECRET, events: ["local:energy:mode-changed"] };
      const { id } = await client.post("/webhooks", { body });
      expect(await client.post("/webhooks/{webhookId}/test", { path: { webhookId: id } })).toMatchObject({
        status: "SUCCESS",
      });
      expect(await next()).toMatch(/^\S+Z service:webhook:test -$/);
      await setMode(file === "receiver.ts" ? "FAST" : "OFF");
      expect(await next()).toMatch(/^\S+Z local:energy:mode-changed home$/);
      await client.delete("/webhooks/{webhookId}", { path: { webhookId: id } });

      const deliver = async (delivery: string, secret: string): Promise<number> => {
        const text = JSON.stringify([{ createdAt: delivery, event: "user:test", user: { id: "home" } }]);
        const { sha256 } = signaturesOf(new TextEncoder().encode(text), secret);
        const headers = { "x-service-delivery": delivery, "x-service-signature-256": sha256 };
        return (await fetch(url, { method: "POST", headers, body: text })).status;
      };
      expect(await deliver("first", "another secret")).toBe(401);
      expect([await deliver("first", SECRET), await deliver("first", SECRET)]).toEqual([204, 204]);
      expect(await deliver("second", SECRET)).toBe(204);
      expect([await next(), await next()]).toEqual(["first user:test home", "second user:test home"]);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  },
);

test("hemgate webhooks listen prints the events that it is asked for until Ctrl-C", PATIENCE, async () => {
  const words = ["webhooks", "listen", "--events", "local:energy:mode-changed", "--state", folder.path];
  await using text = new Hemgate(words);
  await using json = new Hemgate([...words, "--json", "-v"]);
  await Promise.all([text.logged(/listening/), json.logged(/listening/)]);
  const id = await setMode("FAST");
  await text.output(new RegExp(`^\\S+Z local:energy:mode-changed energyDevice=${id} mode="FAST"\n$`));
  const [line] = await json.output(/^.*\n$/);
  expect(JSON.parse(line)).toMatchObject({ event: "local:energy:mode-changed", energyDevice: { id }, mode: "FAST" });
  expect((await json.logged(/GET \/api\/local\/events/))[0]).toBe("GET /api/local/events");
  text.send("SIGINT");
  expect((await text.finished()).code).toBe(EXIT.ok);
});

test("hemgate webhooks listen names the nearest event to one that does not exist", PATIENCE, async () => {
  const { code, err } = await hemgate([
    "webhooks",
    "listen",
    "--events",
    "user:charger:update",
    "--state",
    folder.path,
  ]);
  expect(code).toBe(EXIT.usage);
  expect(err).toContain('there is no event "user:charger:update"; did you mean user:charger:updated?');
});
