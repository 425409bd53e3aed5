/** The adapter against twins behind real sockets and real TLS. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SeededRandom, TestLog } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { nodeHttp } from "../../../src/platform/node/http/node-http.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { MemoryAccountNotes } from "../../../src/testing/memory-account-notes.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { MemoryNotes } from "../../../src/testing/memory-notes.ts";
import { World } from "../../../src/testing/world.ts";
import { GoETwin } from "../../twins/http-devices/charger-twins.ts";
import type { HttpTwin } from "../../twins/http-devices/http-twin.ts";
import { PowerwallTwin } from "../../twins/http-devices/powerwall-twin.ts";
import { ShellyRpcTwin } from "../../twins/http-devices/shelly-twin.ts";
import { calm } from "./http-world.ts";

const TLS = new URL("../../platform/node/tls/", import.meta.url);
const KEY = readFileSync(new URL("test-only.key.pem", TLS), "utf8");
const CERT = readFileSync(new URL("test-only.cert.pem", TLS), "utf8");

function listener(twin: HttpTwin): RequestListener {
  return async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const { method = "", url = "" } = request;
    const answer = twin.serve({ method, host: headers["host"] ?? "", path: url, headers, body, atMs: 0 });
    const cookies = answer.cookies === undefined ? {} : { "set-cookie": [...answer.cookies] };
    response.writeHead(answer.status ?? 200, { ...answer.headers, ...cookies }).end(answer.body);
  };
}

async function serve(twin: HttpTwin, isTls: boolean) {
  const server = isTls ? createTlsServer({ key: KEY, cert: CERT }, listener(twin)) : createServer(listener(twin));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function start() {
  const log = new TestLog();
  // What the adapter does not use of the world is that of a simulated one.
  const { platform } = new World({ seed: 1 }).boot("gateway", new MemoryDisk());
  const clock = nodeClock(() => "synced");
  const mqtt = { link: () => assert.fail("no device here speaks MQTT") };
  const kept = { notes: new MemoryNotes(), accounts: new MemoryAccountNotes() };
  const ports = { clock, random: new SeededRandom(1), http: nodeHttp(), mqtt, ...kept, log };
  return httpJsonAdapter.start({ ...platform, ...ports });
}

function options(port: number, more: object) {
  return httpJsonAdapter.options.parse({ host: "127.0.0.1", port, ...more });
}

describe("over real sockets", () => {
  test("a charger is read and told what to do", async () => {
    const twin = new GoETwin(2);
    await using server = await serve(twin, false);
    await using adapter = start();
    await using driver = await adapter.connect("go-e", options(server.port, { profile: "go-e-http" }), calm);
    await driver.write("charger.maxCurrent", 11, calm);
    await driver.write("charger.enabled", false, calm);
    expect(twin.car).toMatchObject({ limit: 11, isCharging: false });
    expect(await driver.read("all", calm)).toContainEqual({ point: "charger.state", value: "PLUGGED_IN:STOPPED" });
  });

  test("a digest password lets in, another does not", async () => {
    await using server = await serve(new ShellyRpcTwin("triphase", "secret"), false);
    await using adapter = start();
    const given = { profile: "shelly-gen2-3em", password: "secret" };
    await using driver = await adapter.connect("shelly", options(server.port, given), calm);
    expect(await driver.read("all", calm)).toContainEqual({ point: "meter.power", value: 734 });
    const wrong = options(server.port, { ...given, password: "wrong" });
    await expect(adapter.connect("shelly", wrong, calm)).rejects.toMatchObject({ kind: "unauthorized" });
  });

  test("a certificate of the device's own is pinned, and cookies are kept", async () => {
    const twin = new PowerwallTwin("AB123");
    await using server = await serve(twin, true);
    await using adapter = start();
    const given = { profile: "tesla-powerwall", password: "AB123" };
    const fingerprint = new X509Certificate(CERT).fingerprint256;
    await using driver = await adapter.connect("home", options(server.port, { ...given, fingerprint }), calm);
    expect(await driver.read("all", calm)).toContainEqual({ point: "battery.power", value: 1_200 });
    expect(twin.signIns).toBe(1);
    const other = options(server.port, { ...given, fingerprint: "00".repeat(32) });
    await expect(adapter.connect("home", other, calm)).rejects.toMatchObject({ kind: "unauthorized" });
  });
});
