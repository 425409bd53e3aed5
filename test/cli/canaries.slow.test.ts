/** 45 secrets go in at every door, the gateway lives through failures and kills, and they are looked for afterwards. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePorts } from "../free-ports.ts";
import { formsOf, found, makeCanary } from "./canary.ts";
import { Canaries, configText, enrol, noteKey, openEcho, plantLegacy, visit } from "./canary-doors.ts";
import { filesBelow, heapOf, valuesIn } from "./canary-traces.ts";
import { openEnrolmentServer } from "./enrolment-server.ts";
import { Hemgate, hemgate, temporaryFolder } from "./hemgate-process.ts";

describe("the search", () => {
  test("finds a secret in every form, wherever it stands", () => {
    const secret = makeCanary("x");
    const canaries = new Map([["x", secret]]);
    const text = `user:${secret}!`;
    const forms = [text, encodeURIComponent(text), JSON.stringify({ a: text })];
    for (const encoding of ["base64", "base64url", "hex"] as const) {
      for (const before of ["", "a", "ab"]) forms.push(Buffer.from(before + text).toString(encoding));
    }
    for (const form of forms) expect(found(canaries, Buffer.from(form)), form).toEqual(["x"]);
    expect(found(canaries, Buffer.from(makeCanary("x")))).toEqual([]);
    expect(formsOf(secret).every((form) => form.length >= 16)).toBe(true);
  });
});

test("45 secrets are on no disk, in no log, in no answer and in no backup", { timeout: 480_000 }, async () => {
  using folder = temporaryFolder();
  const state = join(folder.path, "state");
  const [http = 0, mqtt = 0] = await freePorts(2);
  const { server, port } = await openEcho();
  using _echo = { [Symbol.dispose]: () => void server.close() };
  const canaries = new Canaries();
  await plantLegacy(state, canaries, port);
  expect(found(canaries, await valuesIn(state))).toHaveLength(23);
  const config = join(folder.path, "gateway.yaml");
  writeFileSync(config, configText(canaries, { http, mqtt, device: port }));

  const wrong = join(folder.path, "wrong.yaml");
  const tooLong = canaries.plant("configured-wrong").padEnd(300, ".");
  writeFileSync(wrong, JSON.stringify({ mqtt: { users: [{ username: "u", password: tooLong }] } }));
  const refused = await hemgate(["check-config", wrong]);
  expect(refused.err).toContain("mqtt.users[0].password");

  await using service = await openEnrolmentServer({ hasPasswords: true });
  const authority = join(folder.path, "ca.pem");
  writeFileSync(authority, service.authority);
  const environment = {
    NODE_EXTRA_CA_CERTS: authority,
    HEMGATE_LOG_LEVEL: "debug",
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder.path}`,
  };
  const words = ["start", "--json", "--config", config, "--state", state];
  const logs: string[] = [refused.out, refused.err];
  let heap = Buffer.alloc(0);
  for (const [round, end] of (["SIGKILL", "SIGINT", "SIGINT"] as const).entries()) {
    await using gateway = new Hemgate(words, { environment });
    await gateway.output(/"address"/);
    await gateway.logged(/"deviceId":"c-1"[^\n]*"device unreachable"/);
    if (round === 0) {
      const created = await hemgate(["client", "create", "--name", "app", "--json", "--state", state]);
      logs.push(await visit(`http://127.0.0.1:${http}`, canaries, JSON.parse(created.out)));
      logs.push(await enrol(service, canaries, state));
      await gateway.logged(/not connected to the cloud service/);
      for (const words of [["devices"], ["cloud", "status"]]) {
        logs.push((await hemgate([...words, "--json", "--state", state])).out);
      }
      heap = Buffer.from(await heapOf(gateway, folder.path));
    }
    gateway.send(end);
    const { out, err } = await gateway.finished();
    logs.push(out, err);
    if (round === 1) await hemgate(["secrets", "rotate", "--state", state]);
  }
  const backup = join(folder.path, "backup");
  cpSync(state, backup, { recursive: true });

  await noteKey(canaries, state);
  expect(canaries.size).toBe(45);
  expect(logs.join("")).toContain('"level":"debug"');
  expect(found(canaries, Buffer.from(logs.join("\n")))).toEqual([]);
  expect(found(canaries, filesBelow(state))).toEqual([]);
  expect(found(canaries, filesBelow(backup))).toEqual([]);
  expect(found(canaries, await valuesIn(backup))).toEqual([]);
  // Memory holds what is in use, the token of the open link session too; what was asked with once must be gone.
  const spent = ["client-secret", "access-token", "wrong-client-secret", "wrong-bearer", "enrolment-token"];
  const inHeap = found(canaries, heap);
  expect(inHeap).toContain("linked-password-1");
  expect(inHeap.filter((name) => spent.includes(name))).toEqual([]);
});
