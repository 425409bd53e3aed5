/** Strangers on MQTT: Mosquitto's clients at our broker, and our link and states at Mosquitto. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { publishRetainedStates } from "../../src/broker/retained-states.ts";
import { nodeMqtt } from "../../src/platform/node/mqtt/node-mqtt.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import type { MqttLink } from "../../src/platform/ports/ports.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { newAsset } from "../broker/new-asset.ts";
import { freePort } from "../free-ports.ts";
import { openTestBroker, selfSigned } from "./our-broker.ts";

const run = promisify(execFile);
const clock = nodeClock(() => "synced");
const SIGN_IN = ["-u", "plug", "-P", "right", "-k", "60"];

async function mosquitto(port: number): Promise<ChildProcess> {
  const config = join(mkdtempSync(join(tmpdir(), "hemgate-mosquitto-")), "mosquitto.conf");
  writeFileSync(config, `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const child = spawn("mosquitto", ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    child.stderr?.on("data", (text) => {
      said += String(text);
      if (said.includes("running")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`mosquitto ended with ${code}: ${said}`)));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

function connected(link: MqttLink): Promise<void> {
  if (link.isConnected) return Promise.resolve();
  return new Promise((resolve) => {
    const observation = link.observe((isConnected) => {
      if (!isConnected) return;
      observation[Symbol.dispose]();
      resolve();
    });
  });
}

test("mosquitto_pub and mosquitto_sub talk to our broker at every QoS", async () => {
  await using broker = await openTestBroker();
  const at = ["-h", "127.0.0.1", "-p", String(broker.address.port), ...SIGN_IN];
  for (const qos of ["0", "1", "2"]) {
    await run("mosquitto_pub", [...at, "-t", `tele/${qos}`, "-m", `value ${qos}`, "-q", qos, "-r"]);
  }
  const { stdout } = await run("mosquitto_sub", [...at, "-t", "tele/#", "-q", "2", "-C", "3", "-v", "-W", "10"]);
  expect(stdout.trim().split("\n").toSorted()).toEqual(["tele/0 value 0", "tele/1 value 1", "tele/2 value 2"]);
});

test("mosquitto_sub is told why it may not", async () => {
  await using broker = await openTestBroker();
  const at = ["-h", "127.0.0.1", "-p", String(broker.address.port), "-k", "60"];
  const wrong = await run("mosquitto_sub", [...at, "-u", "plug", "-P", "wrong", "-t", "tele/#"]).catch(
    (e: unknown) => e,
  );
  expect(wrong).toMatchObject({ stderr: expect.stringMatching(/user name or password|not authorised/i) });
  const other = await run("mosquitto_sub", [...at, "-u", "plug", "-P", "right", "-t", "secret/#", "-W", "2"]).catch(
    (e: unknown) => e,
  );
  expect(other).toMatchObject({ stderr: expect.stringMatching(/denied|rejected/i) });
});

test("mosquitto_pub speaks TLS to our broker, and refuses another's certificate", async () => {
  const { certFile, keyFile } = selfSigned();
  await using broker = await openTestBroker({ tls: { port: 0, certFile, keyFile } });
  const at = ["-h", "localhost", "-p", String(broker.tlsPort), ...SIGN_IN];
  await run("mosquitto_pub", [...at, "--cafile", certFile, "-t", "tele/1", "-m", "x", "-q", "1"]);
  const stranger = run("mosquitto_pub", [...at, "--capath", "/etc/ssl/certs", "-t", "tele/1", "-m", "x"]);
  await expect(stranger).rejects.toThrow();
  const parts = { clock, random: nodeRandom, log: new TestLog() };
  using link = nodeMqtt(parts).connect({
    url: `mqtts://localhost:${broker.tlsPort}`,
    username: "plug",
    password: "right",
    caFile: certFile,
  });
  await connected(link);
  await link.publish({ topic: "tele/2", payload: new Uint8Array([1]), isRetained: false });
});

test("states come back when Mosquitto is killed and started again; dying leaves offline", async () => {
  const port = await freePort();
  let server = await mosquitto(port);
  const log = new TestLog();
  const url = `mqtt://127.0.0.1:${port}`;
  const will = { topic: "hemgate/status", payload: new TextEncoder().encode("offline"), isRetained: true };
  const link = nodeMqtt({ clock, random: nodeRandom, log }).connect({ url, will });
  await connected(link);
  const meter = newAsset("meter");
  const states = await publishRetainedStates({
    assets: {
      get: () => null,
      list: (kind) => (kind === "meter" ? [{ asset: meter, createdAtMs: 0 }] : []) as never,
      observe: () => ({ [Symbol.dispose]: () => undefined }),
    },
    energy: null,
    hemSystems: { list: () => [] },
    link,
    clock,
    log,
    homeAssistant: { isEnabled: true, prefix: "homeassistant" },
  });
  const kept = async (): Promise<readonly string[]> => {
    const at = ["-h", "127.0.0.1", "-p", String(port)];
    const topics = ["-t", "hemgate/#", "-t", "homeassistant/#"];
    const { stdout } = await run("mosquitto_sub", [...at, ...topics, "-C", "3", "-W", "10", "-F", "%t"]);
    return stdout.trim().split("\n").toSorted();
  };
  const all = [`hemgate/meter/${meter.id}`, "hemgate/status", `homeassistant/device/hemgate_${meter.id}/config`];
  expect(await kept()).toEqual(all);
  await kill(server);
  server = await mosquitto(port);
  await connected(link);
  expect(await kept()).toEqual(all);
  await states[Symbol.asyncDispose]();
  link[Symbol.dispose]();
  await kill(server);
});

test("a link that dies without a goodbye leaves its will at Mosquitto", async () => {
  const port = await freePort();
  const server = await mosquitto(port);
  const script = `
    import { nodeClock } from "./src/platform/node/node-clock.ts";
    import { nodeMqtt } from "./src/platform/node/mqtt/node-mqtt.ts";
    import { nodeRandom } from "./src/platform/node/node-random.ts";
    const log = { info() {}, warn() {}, error() {}, debug() {}, child: () => log };
    const will = { topic: "hemgate/status", payload: new TextEncoder().encode("offline"), isRetained: true };
    const link = nodeMqtt({ clock: nodeClock(() => "synced"), random: nodeRandom, log }).connect({ url: "mqtt://127.0.0.1:${port}", will });
    link.observe(() => link.publish({ topic: "hemgate/status", payload: new TextEncoder().encode("online"), isRetained: true }).then(() => console.log("here")));
  `;
  const child = spawn(process.execPath, ["--conditions=source", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  await kill(child);
  const at = ["-h", "127.0.0.1", "-p", String(port)];
  const { stdout } = await run("mosquitto_sub", [...at, "-t", "hemgate/status", "-C", "1", "-W", "10"]);
  expect(stdout.trim()).toBe("offline");
  await kill(server);
});
