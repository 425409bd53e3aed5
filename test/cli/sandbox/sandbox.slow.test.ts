import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import type { ControlDevice } from "../../../src/cli-socket/messages.ts";
import { freePorts } from "../../free-ports.ts";
import { Hemgate, hemgate, temporaryFolder } from "../hemgate-process.ts";

const run = promisify(execFile);
const LEAVES_WITHIN_MS = 5_000;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Each test starts processes; on a busy machine that takes its time. */
const PATIENCE = { timeout: 60_000 };

interface Client {
  readonly id: string;
  readonly secret: string;
}

const folder = temporaryFolder();
let ports: readonly number[];
let house: Hemgate;
let address: string;

function start(...more: readonly string[]): Hemgate {
  const [http, ...twins] = ports;
  const words = ["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(","), ...more];
  return new Hemgate(words, { environment: { HEMGATE_HTTP_PORT: String(http), HEMGATE_LOG_LEVEL: "info" } });
}

async function welcome(running: Hemgate): Promise<Client & { address: string; lines: readonly string[] }> {
  const text = (await running.output(/[\s\S]*Ctrl-C stops it\.\n/))[0];
  const value = (label: string) => new RegExp(`${label} +(\\S+)`).exec(text)?.[1] ?? "";
  const lines = text.split("\n").filter((line) => /^ +(TOKEN=|curl )/.test(line));
  return { address: value("API"), id: value("Client id"), secret: value("Client secret"), lines };
}

async function tokenOf({ id, secret }: Client): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  return fetch(`${address}/oauth2/token`, { method: "POST", headers: { authorization }, body });
}

async function reached(...devices: readonly string[]): Promise<void> {
  const waits = devices.map((id) => house.logged(new RegExp(`"deviceId":"${id}"[^\\n]*"device reachable"`)));
  await Promise.all(waits);
}

beforeAll(async () => {
  ports = await freePorts(6);
  house = start();
  ({ address } = await welcome(house));
}, PATIENCE.timeout);
afterAll(async () => {
  await house[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("a newcomer", PATIENCE, () => {
  test("pastes the two printed lines and sees the battery of the house", async () => {
    await reached("inverter");
    const { lines } = await welcome(house);
    const { stdout } = await run("bash", ["-c", lines.slice(0, 2).join("\n")]);
    const page = JSON.parse(stdout) as { data: readonly { isReachable: boolean }[] };
    expect(page.data).toHaveLength(1);
    expect(page.data[0]?.isReachable).toBe(true);
  });

  test("pastes the third and gets a page on which the demo account is asked for", async () => {
    const { lines } = await welcome(house);
    expect(lines).toHaveLength(3);
    const { stdout } = await run("bash", ["-c", [lines[0], lines[2]].join("\n")]);
    const { linkUrl } = JSON.parse(stdout) as { linkUrl: string };
    const page = await fetch(linkUrl);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
  });

  test("finds a made-up car and heat pump, and a car that nobody has linked", async () => {
    const client = await welcome(house);
    const { access_token: token } = (await (await tokenOf(client)).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    const names = async (path: string, nameOf: (record: never) => unknown): Promise<readonly unknown[]> => {
      const page = (await (await fetch(`${address}${path}`, { headers })).json()) as { data: readonly never[] };
      return page.data.map(nameOf);
    };
    const shown = ({ userId, isReachable }: { userId: string; isReachable: boolean }) => [userId, isReachable];
    expect(await names("/vehicles", shown)).toEqual([["home", true]]);
    await reached("heater");
    expect(await names("/hvacs", shown)).toEqual([
      ["home", true],
      ["home", true],
    ]);
    const made = ({ name, userId }: { name: string; userId: string | null }) => [name, userId];
    expect((await names("/local/simulated/vehicle", made)).toSorted()).toEqual([
      ["Family car", "home"],
      ["Guest's car", null],
    ]);
  });

  test("finds the documentation where the welcome says", async () => {
    expect((await fetch(`${address}/docs`)).status).toBe(200);
  });

  test("asks the address that is printed, on the port that was asked for", () => {
    expect(address).toBe(`http://127.0.0.1:${ports[0]}`);
  });
});

describe("the command line on a running gateway", PATIENCE, () => {
  test("lists the devices as a table and as JSON", async () => {
    await reached("inverter", "meter", "charger", "second-charger", "heater");
    const json = await hemgate(["devices", "--json", "--state", folder.path]);
    const devices = JSON.parse(json.out) as readonly ControlDevice[];
    expect(devices.map(({ id, isReachable }) => [id.replace(UUID, "…"), isReachable])).toEqual([
      ["inverter", true],
      ["meter", true],
      ["charger", true],
      ["second-charger", true],
      ["heater", true],
      ["simulated-…", true],
      ["simulated-…", true],
    ]);
    const { out, code } = await hemgate(["devices", "--state", folder.path]);
    expect(code).toBe(EXIT.ok);
    expect(out.split("\n").map((line) => line.split(/ {2,}/)[0]?.replace(UUID, "…"))).toEqual([
      "DEVICE",
      "inverter",
      "meter",
      "charger",
      "second-charger",
      "heater",
      "simulated-…",
      "simulated-…",
      "",
    ]);
    expect(out).toMatch(/^simulated-.* %, PLUGGED_IN:(CHARGING|NO_POWER)/m);
    expect(out).toMatch(/^simulated-.* °C/m);
  });

  test("reads every point of a device with unit and age, signs in words", async () => {
    await reached("inverter", "meter");
    const json = JSON.parse(
      (await hemgate(["read", "inverter", "--json", "--state", folder.path])).out,
    ) as ControlDevice;
    const soc = json.points.find(({ point }) => point === "battery.soc");
    expect(soc).toMatchObject({ unit: "%", value: expect.any(Number), ageMs: expect.any(Number) });
    const { out } = await hemgate(["read", "meter", "--state", folder.path]);
    expect(out).toMatch(/^meter \(.*\): answers, read (now|\d+ s ago)\n/);
    expect(out).toMatch(/^meter\.power +−?[\d,.]+ W( import| export)? +/m);
  });

  test("an unknown device is told with the nearest there is", async () => {
    const { code, out, err } = await hemgate(["read", "invertr", "--state", folder.path]);
    expect([code, out]).toEqual([EXIT.failed, ""]);
    expect(err.replaceAll(UUID, "…")).toBe(
      'hemgate: no device "invertr"; there are inverter, meter, charger, second-charger, heater, simulated-…, simulated-…; did you mean "inverter"?\n',
    );
  });

  test("a client that is made beside the gateway gets a token at once", async () => {
    const { out } = await hemgate(["client", "create", "--name", "app", "--json", "--state", folder.path]);
    expect((await tokenOf(JSON.parse(out) as Client)).status).toBe(200);
  });

  test("the state folder, the socket and the sandbox's secret are the owner's alone", () => {
    const mode = (name: string) => statSync(join(folder.path, name)).mode & 0o777;
    expect([mode("control.sock"), mode("sandbox-client.json")]).toEqual([0o600, 0o600]);
  });
});

describe("a second gateway", PATIENCE, () => {
  test("on the same state folder is refused in one line, and the first goes on", async () => {
    const [, ...twins] = await freePorts(6);
    const words = ["start", "--sandbox", "--state", folder.path, "--twin-ports", twins.join(",")];
    const { code, err } = await hemgate(words, { environment: { HEMGATE_HTTP_PORT: "0" } });
    expect(code).toBe(EXIT.unavailable);
    expect(err.trim().split("\n").at(-1)).toBe(
      `hemgate: another gateway runs on the state folder ${folder.path}; stop it, or give this one its own with --state`,
    );
    expect(await hemgate(["devices", "--state", folder.path])).toMatchObject({ code: EXIT.ok });
  });

  test("on a port that is taken is refused in one line that names the port", async () => {
    using other = temporaryFolder();
    const [, ...twins] = await freePorts(6);
    const words = ["start", "--sandbox", "--state", other.path, "--twin-ports", twins.join(",")];
    const { code, err } = await hemgate(words, { environment: { HEMGATE_HTTP_PORT: String(ports[0]) } });
    expect(code).toBe(EXIT.unavailable);
    expect(err.trim().split("\n").at(-1)).toBe(
      `hemgate: port ${ports[0]} on 127.0.0.1 is taken by another program; choose another port with --port or http.port in the configuration, or stop that program (\`ss -ltnp 'sport = :${ports[0]}'\` names it)`,
    );
  });

  test("whose device's port is taken is refused in one line that names the port", async () => {
    using other = temporaryFolder();
    const words = ["start", "--sandbox", "--state", other.path, "--twin-ports", ports.slice(1).join(",")];
    const { code, err } = await hemgate(words, { environment: { HEMGATE_HTTP_PORT: "0" } });
    expect(code).toBe(EXIT.unavailable);
    expect(err.trim().split("\n").at(-1)).toContain(`port ${ports[1]} on 127.0.0.1 is taken`);
  });
});

describe("an end", PATIENCE, () => {
  test("by SIGTERM comes within 5 s with 0, and the next start shows the same client", async () => {
    const before = await welcome(house);
    const startedMs = performance.now();
    house.send("SIGTERM");
    expect(await house.finished()).toMatchObject({ code: EXIT.ok });
    expect(performance.now() - startedMs).toBeLessThan(LEAVES_WITHIN_MS);
    expect(await hemgate(["devices", "--state", folder.path])).toMatchObject({ code: EXIT.notRunning });
    house = start();
    expect(await welcome(house)).toMatchObject({ id: before.id, secret: before.secret });
    expect((await tokenOf(before)).status).toBe(200);
  });

  test("by SIGKILL leaves a socket that the next start replaces", async () => {
    house.send("SIGKILL");
    await house.finished();
    expect(await hemgate(["devices", "--state", folder.path])).toMatchObject({ code: EXIT.notRunning });
    house = start("--json");
    expect(JSON.parse((await house.output(/^\{"address".*\n/m))[0])).toMatchObject({
      address,
      client: { id: expect.any(String), secret: expect.any(String) },
    });
    expect(await hemgate(["devices", "--state", folder.path])).toMatchObject({ code: EXIT.ok });
  });
});
