import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  brokerChecks,
  type Check,
  clockCheck,
  deviceCheck,
  diskCheck,
  dnsChecks,
  gatewayCheck,
  portCheck,
  serialChecks,
  storeCheck,
  versionCheck,
} from "../../../src/cli/house/doctor-checks.ts";
import { ControlCheck, ControlDevice, ControlState } from "../../../src/cli-socket/messages.ts";
import { packageFacts } from "../../../src/platform/node/package-root.ts";
import { freePort } from "../../free-ports.ts";

const STATE = ControlState.parse({
  ...{ version: packageFacts().version, address: null, isReady: true, failures: [], upMs: 600_000, devices: [] },
});
const DEVICE = ControlDevice.parse({
  ...{
    id: "garage",
    adapter: "modbus",
    vendor: null,
    identity: null,
    isReachable: false,
    lastError: null,
    ageMs: null,
  },
  ...{ assets: [], points: [], takenOver: [] },
});
const FINDING = ControlCheck.parse({
  ...{ id: "1", check: "storage", deviceId: null, assetKind: null, againstDeviceId: null, state: "OPEN", fix: null },
  ...{ measured: "12 records were lost", firstSeenAt: "2026-06-21T00:00:00.000Z", confirm: null, dismiss: null },
  ...{ lastSeenAt: "2026-06-21T00:00:00.000Z", ageMs: 1_000 },
});
const stop = new AbortController().signal;

/** What is wrong says what, where, and what to do. */
function expectWrong(check: Check | undefined, found: RegExp, advice: RegExp): void {
  expect(check).toMatchObject({
    isGood: false,
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  });
}

test("a device that has not answered since a start a moment ago is not known yet, and wrong two minutes later", () => {
  const early = deviceCheck(DEVICE, { ...STATE, upMs: 20_000 }, "Garage");
  expect(early).toEqual({
    name: "device garage (Garage)",
    isGood: null,
    found: "not known yet: the gateway has just started, and the device has not answered since",
    advice: "ask again in a minute",
  });
  for (const upMs of [120_000, null]) {
    expectWrong(
      deviceCheck(DEVICE, { ...STATE, upMs }, null),
      /^was not reached since the gateway started$/u,
      /power, cable/u,
    );
  }
  const refused = { ...DEVICE, lastError: "192.168.1.7:502 refuses the connection" };
  expectWrong(
    deviceCheck(refused, { ...STATE, upMs: 20_000 }, null),
    /not reached .*: 192\.168\.1\.7:502 refuses/u,
    /address/u,
  );
});

test("a device that fell silent, and one that contradicts the others, say since when and what to do", () => {
  const silent = { ...DEVICE, ageMs: 3_600_000, lastError: "no answer" };
  expectWrong(
    deviceCheck(silent, STATE, null),
    /^is silent \(last answer .*\): no answer$/u,
    /hemgate discover --active/u,
  );
  const finding = { ...FINDING, check: "sign", deviceId: "garage", measured: "exports at night" };
  const found = deviceCheck({ ...DEVICE, isReachable: true, ageMs: 1_000 }, { ...STATE, checks: [finding] }, null);
  expectWrong(found, /exports at night/u, /hemgate checks/u);
  const fixed = deviceCheck(
    { ...DEVICE, isReachable: true, ageMs: 1_000 },
    { ...STATE, checks: [{ ...finding, fix: "Turn the sign" }] },
    null,
  );
  expectWrong(fixed, /exports/u, /^Turn the sign$/u);
  expect(deviceCheck({ ...DEVICE, isReachable: true, ageMs: 1_000 }, STATE, null).isGood).toBe(true);
});

test("no gateway, another version, a clock that nothing sets and a store that lost records say so", () => {
  expectWrong(
    gatewayCheck("/var/lib/hemgate", null),
    /no gateway runs on \/var\/lib\/hemgate/u,
    /systemctl start hemgate/u,
  );
  expectWrong(versionCheck({ ...STATE, version: "0.0.1" }), /^0\.0\.1 runs, .* is installed$/u, /systemctl restart/u);
  expectWrong(clockCheck("unset"), /^was never set$/u, /timedatectl set-ntp true/u);
  expectWrong(clockCheck("restored"), /^is not synchronized$/u, /timedatectl/u);
  expectWrong(storeCheck({ ...STATE, checks: [FINDING] }), /^12 records were lost$/u, /hemgate backup create/u);
  expect([gatewayCheck("/a", STATE), versionCheck(STATE), clockCheck("synced"), storeCheck(STATE)]).toEqual(
    Array(4).fill(expect.objectContaining({ isGood: true, advice: null })),
  );
});

test("an API that does not listen or does not answer, and a folder that is not there, say so", async () => {
  expectWrong(await portCheck(STATE, stop), /^the API does not listen$/u, /http\.port/u);
  const port = await freePort();
  const address = `http://0.0.0.0:${port}`;
  expectWrong(await portCheck({ ...STATE, address }, stop), new RegExp(`127\\.0\\.0\\.1:${port}`, "u"), /ss -ltnp/u);
  expectWrong(await diskCheck("/no/such/folder"), /no folder \/no\/such\/folder/u, /--state/u);
});

test("a broker that does not answer is named with its port, and none is asked where none is set", async () => {
  expect(await brokerChecks(null)).toEqual([]);
  const port = await freePort();
  const [other] = await brokerChecks({ broker: { url: `mqtt://127.0.0.1:${port}` } });
  expectWrong(other, new RegExp(`^127\\.0\\.0\\.1:${port}: ECONNREFUSED$`, "u"), /section mqtt/u);
  const server = createServer().listen(port, "127.0.0.1");
  const [own] = await brokerChecks({ host: "0.0.0.0", port, broker: null });
  expect(own).toMatchObject({ isGood: true, found: `127.0.0.1:${port} answers` });
  server.close();
});

test("a name that no server knows, and a serial port that is not there, are named", async () => {
  const [name] = await dnsChecks({ pricing: { url: "https://prices.invalid/x" }, http: { host: "localhost" } });
  expectWrong(name, /^prices\.invalid has no address$/u, /router's DNS/u);
  const folder = mkdtempSync(join(tmpdir(), "hg-"));
  const [serial] = await serialChecks([{ port: "/dev/no-such-adapter" }], folder);
  rmSync(folder, { recursive: true });
  expectWrong(serial, /^there is no \/dev\/no-such-adapter$/u, /\/dev\/serial\/by-id/u);
});
