/** Eclipse Paho asks our broker what brokers are asked for interoperability, over real TCP and TLS. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openTestBroker, selfSigned } from "./our-broker.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("paho-conformance.py", import.meta.url));
const LIMIT_MS = 120_000;

const CASES = [
  "basic",
  "basic over TLS",
  "retained messages",
  "zero-length client id",
  "will",
  "offline queue",
  "overlapping subscriptions",
  "keepalive",
  "redelivery on reconnect",
  "subscribe failure",
  "dollar topics",
  "unsubscribe",
  "version 5 is refused",
];

test("Paho finds each case of MQTT 3.1.1 as it is written", async () => {
  const { certFile, keyFile } = selfSigned();
  await using broker = await openTestBroker({ tls: { port: 0, certFile, keyFile } });
  const ports = [String(broker.address.port), String(broker.tlsPort)];
  const { stdout } = await run("/usr/bin/python3", [SCRIPT, ...ports, certFile], { timeout: LIMIT_MS });
  const results: unknown[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(results).toEqual(CASES.map((name) => ({ case: name, wrong: null })));
});

test("mosquitto_sub of MQTT 5 is told that this broker does not speak it", async () => {
  await using broker = await openTestBroker();
  const at = ["-h", "127.0.0.1", "-p", String(broker.address.port), "-u", "plug", "-P", "right", "-t", "tele/#"];
  const five = await run("mosquitto_sub", ["-V", "5", ...at, "-W", "5"]).catch((error: unknown) => error);
  expect(five).toMatchObject({ stderr: expect.stringMatching(/unsupported protocol version/i) });
});
