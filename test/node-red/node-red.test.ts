/** The nodes of examples/node-red in a real Node-RED, beside a sandbox home in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Hemgate, hemgate, temporaryFolder } from "../cli/hemgate-process.ts";
import { freePorts } from "../free-ports.ts";

const ROOT = join(import.meta.dirname, "../..");
const PROGRAM = join(import.meta.dirname, "node_modules/node-red/red.js");
const folder = temporaryFolder();
let house: Hemgate;
let nodeRed: ChildProcess;
let output = "";
let url: string;

/** Three paths that run the nodes, and a line of the log for each event. */
const FLOW = [
  { id: "flow", type: "tab", label: "hemgate" },
  ...path("readings", "get", { type: "hemgate-readings", kind: "charger" }),
  ...path("command", "post", { type: "hemgate-command", command: "/chargers/{chargerId}/charging" }),
  { id: "failed", z: "flow", type: "catch", scope: null, wires: [["reason"]] },
  { ...change("payload", "error.message"), id: "reason", wires: [["refused"]] },
  { id: "refused", z: "flow", type: "http response", statusCode: "502", wires: [] },
  { id: "events", z: "flow", type: "hemgate-events", gateway: "gateway", events: "", wires: [["log"]] },
  { id: "log", z: "flow", type: "debug", active: true, console: true, tosidebar: false, complete: "topic", wires: [] },
];

function path(name: string, method: string, node: object): object[] {
  return [
    { id: `${name}-in`, z: "flow", type: "http in", url: `/${name}`, method, wires: [[`${name}-topic`]] },
    { ...change("topic", "req.query.id"), id: `${name}-topic`, wires: [[name]] },
    { ...node, id: name, z: "flow", gateway: "gateway", wires: [[`${name}-out`]] },
    { id: `${name}-out`, z: "flow", type: "http response", statusCode: "", wires: [] },
  ];
}

function change(to: string, from: string): object {
  return { z: "flow", type: "change", rules: [{ t: "set", p: to, pt: "msg", to: from, tot: "msg" }] };
}

async function said(pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = pattern.exec(output);
    if (found !== null) return found;
    if (nodeRed.exitCode !== null) throw new Error(`Node-RED ended without ${pattern}:\n${output}`);
    await Promise.race([once(nodeRed.stdout!, "data"), once(nodeRed, "exit")]);
  }
}

beforeAll(async () => {
  const [http = 0, uiPort = 0, ...twins] = await freePorts(7);
  const state = join(folder.path, "state");
  const words = ["start", "--sandbox", "--state", state, "--twin-ports", twins.join(",")];
  house = new Hemgate(words, { environment: { HEMGATE_HTTP_PORT: String(http), HEMGATE_LOG_LEVEL: "info" } });
  await house.output(/Ctrl-C stops it\.\n/);
  await house.logged(/"deviceId":"charger"[^\n]*"device reachable"/);
  const { out } = await hemgate(["client", "create", "--name", "node-red", "--state", state, "--json"]);
  const { id, secret } = JSON.parse(out) as { id: string; secret: string };

  const user = join(folder.path, "node-red");
  mkdirSync(join(user, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(user, "node_modules/hemgate"));
  cpSync(join(ROOT, "examples/node-red"), join(user, "nodes"), { recursive: true });
  const gateway = { id: "gateway", type: "hemgate-gateway", url: `http://127.0.0.1:${http}` };
  writeFileSync(join(user, "flows.json"), JSON.stringify([...FLOW, gateway]));
  writeFileSync(join(user, "flows_cred.json"), JSON.stringify({ gateway: { id, secret } }));
  const settings = {
    uiPort,
    uiHost: "127.0.0.1",
    flowFile: "flows.json",
    credentialSecret: false,
    nodesDir: join(user, "nodes"),
  };
  writeFileSync(join(user, "settings.cjs"), `module.exports = ${JSON.stringify(settings)};`);
  url = `http://127.0.0.1:${uiPort}`;
  const options = ["--conditions=source", "--disable-warning=ExperimentalWarning", PROGRAM];
  nodeRed = spawn(process.execPath, [...options, "--userDir", user, "--settings", join(user, "settings.cjs")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [nodeRed.stdout!, nodeRed.stderr!])
    stream.on("data", (part: Buffer) => (output += part.toString()));
  await said(/Started flows/);
}, 120_000);
afterAll(async () => {
  if (nodeRed !== undefined) {
    const end = once(nodeRed, "exit");
    nodeRed.kill();
    await end;
  }
  await house[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("readings, command and events work in a flow, and a refusal reaches the catch node", {
  timeout: 60_000,
}, async () => {
  const chargers = (await (await fetch(`${url}/readings`)).json()) as { id: string; chargeState: object }[];
  expect(chargers.length).toBeGreaterThan(0);
  const { id } = chargers[0]!;
  expect(await (await fetch(`${url}/readings?id=${id}`)).json()).toMatchObject({ id, chargeState: expect.any(Object) });

  const command = async (action: string): Promise<Response> =>
    await fetch(`${url}/command?id=${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ action }),
    });
  const refused = await command("FLY");
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining("action")]);
  const answers = [await command("START"), await command("STOP")];
  expect(answers.map(({ status }) => status)).toContain(200);
  await said(/user:vendor-action:updated/);
});
