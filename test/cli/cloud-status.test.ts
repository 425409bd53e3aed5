/** What `hemgate cloud …` says: of a gateway that runs by its view, and of one that does not by what lies on its disk. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cloudCut, cloudEnroll, cloudStatus, cloudText } from "../../src/cli/cloud/cloud.ts";
import { EXIT } from "../../src/cli/exit-code.ts";
import type { CloudLinkView } from "../../src/domain/cloud/cloud-link-view.ts";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom as random } from "../../src/platform/node/node-random.ts";
import { SigningKey } from "../../src/platform/signing-key.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { CloudIdentityRecord } from "../../src/store/records/cloud/cloud.ts";
import { routesOf } from "../../src/sync/cloud/routes.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { Authority } from "../platform/authority.ts";
import { temporaryFolder } from "./hemgate-process.ts";

const AT = "2026-06-21T00:00:00.000Z";
const LATER = "2026-09-21T00:00:00.000Z";
const KEY = "ab".repeat(32);

const NOT_ENROLLED: CloudLinkView = {
  ...{ state: "NOT_ENROLLED", reason: "not enrolled", remedy: null, identity: null, uplink: null, ways: [] },
  ...{ lastContactAt: null, streams: [], oldestWaitingAt: null, isFull: false, recordsPerSecond: null },
  ...{ remainingSeconds: null, replays: 0, refused: null, commands: [], farewells: 0 },
  configuration: { revision: null, sections: [], trialRevision: null, trialSince: null, last: null },
};

const CONNECTED: CloudLinkView = {
  ...NOT_ENROLLED,
  ...{ state: "CONNECTED", reason: null, uplink: "https", lastContactAt: AT },
  identity: {
    ...{ gateway: "gw-1", service: "https://cloud.example/", fingerprint: KEY },
    ...{ givenAt: AT, expiresAt: LATER, isRenewing: false },
  },
  ways: [
    {
      ...{ uplink: "mqtt", servers: ["mqtts://a.example", "mqtts://b.example"] },
      ...{ isInUse: false, failedAt: AT, failure: "the port is closed" },
    },
    { uplink: "https", servers: ["https://cloud.example/"], isInUse: true, failedAt: null, failure: null },
  ],
};

const SIGNING_KEY = SigningKey.make(random);

const IDENTITY: CloudIdentityRecord = {
  ...{ gateway: "gw-1", service: "https://cloud.example/", fingerprint: SIGNING_KEY.fingerprint },
  privateKeyPem: SIGNING_KEY.privateKeyPem,
  uplinks: [{ kind: "https", urls: ["https://cloud.example/"], topicPrefix: null }],
  credentials: { kind: "password", username: "gw-1", password: "a-password" },
  verificationKeyPem: "",
  ...{ givenAtMs: 0, expiresAtMs: null },
};

/** The lines by their names. */
function linesOf(view: CloudLinkView, isRunning = true): Readonly<Record<string, string>> {
  return parsed(cloudText({ view, isRunning, provision: null }));
}

function parsed(text: string): Readonly<Record<string, string>> {
  const lines = text.split("\n").map((line) => /^(\S.*?) {2,}(.*)$/.exec(line));
  return Object.fromEntries(lines.map((match) => [match?.[1], match?.[2]]));
}

describe("of a gateway that runs", () => {
  test("one that is connected tells by which way, and why not by the others", () => {
    expect(linesOf(CONNECTED)).toEqual({
      state: "connected by https",
      gateway: "gw-1",
      service: "https://cloud.example/",
      key: KEY,
      expires: LATER,
      "by mqtt": `not in use, failed ${AT}: the port is closed (mqtts://a.example, mqtts://b.example)`,
      "by https": "in use (https://cloud.example/)",
      "last contact": AT,
    });
  });

  test("one that its owner cut tells of the end that the service does not know yet", () => {
    expect(linesOf(NOT_ENROLLED)).toEqual({ state: "not enrolled" });
    expect(linesOf({ ...NOT_ENROLLED, farewells: 1 })).toEqual({
      state: "not enrolled",
      "to deregister": "1 key, when the service can be reached",
    });
  });

  test("one that was revoked tells why, and what its owner can do", () => {
    const told = linesOf({ ...CONNECTED, state: "REFUSED", uplink: null, reason: "revoked", remedy: "Ask them." });
    expect(told).toMatchObject({ state: "refused", reason: "revoked", "to do": "Ask them." });
  });

  test("one whose files provision it is provisioned, not enrolled", () => {
    const identity = { ...CONNECTED.identity!, service: null, fingerprint: null, expiresAt: null, givenAt: null };
    const told = linesOf({ ...CONNECTED, state: "ENROLLED", uplink: null, reason: "not connected yet", identity });
    expect(told).toMatchObject({
      ...{ state: "provisioned", reason: "not connected yet", service: "as the configuration says", expires: "never" },
    });
    expect(told).not.toHaveProperty("key");
  });
});

describe("of a gateway that does not run", () => {
  /** A house's folders, with a configuration that provisions the gateway, and files that may be there. */
  function house() {
    const folder = temporaryFolder();
    const [state, config, cert, key, ca] = ["state", "g.yaml", "c.pem", "k.pem", "ca.pem"].map((name) =>
      join(folder.path, name),
    ) as [string, string, string, string, string];
    const text = `cloud:
  gateway: gw-7
  uplinks:
    - { kind: mqtt, servers: ["mqtts://mqtt.cloud.example"], caFile: ${ca} }
    - { kind: https, url: "https://cloud.example/", caFile: ${ca} }
  credentials: { certFile: ${cert}, keyFile: ${key} }
devices: []
`;
    writeFileSync(config, text);
    const authority = new Authority();
    const issued = authority.issue("gw-7");
    writeFileSync(cert, issued.pem);
    writeFileSync(key, issued.keyPem);
    writeFileSync(ca, authority.pem);
    const told: string[] = [];
    const complained: string[] = [];
    const context = {
      environment: { HEMGATE_CONFIG: join(folder.path, "none.yaml") },
      stop: new AbortController().signal,
      out: (line: string) => told.push(line),
      err: (line: string) => complained.push(line),
    };
    const keys = { path: `${folder.path}.key`, kind: "default" } as const;
    const options = (named?: string) => ({ folder: state, config: named, keys, isJson: false });
    const gather = async (): Promise<void> => {
      const [clock, disk] = [nodeClock(() => "unset"), nodeDisk({ stateFolder: state })];
      await using store = await openStore({ clock, disk, random, log: new TestLog(), routes: routesOf });
      await store.outbox.open(() => []);
      await store.commit([], [{ event: "system:store:recovered", payload: { details: [] } }]);
    };
    const enrol = async (): Promise<void> => {
      const [clock, disk] = [nodeClock(() => "unset"), nodeDisk({ stateFolder: state })];
      await using store = await openStore({ clock, disk, random, log: new TestLog() });
      await store.commit([{ table: "cloud-identity", key: "current", put: IDENTITY }], []);
    };
    const status = async (named?: string) => {
      const code = await cloudStatus(options(named), context);
      return { code, lines: parsed(told.at(-1) ?? "") };
    };
    const files = { config, cert, key, ca };
    return { ...files, context, options, gather, enrol, status, complained, [Symbol.dispose]: folder[Symbol.dispose] };
  }

  test("one that its configuration provisions says so, by which files, and what waits", async () => {
    using at = house();
    expect(await at.status()).toEqual({ code: EXIT.ok, lines: { state: "not enrolled" } });
    await at.gather();
    const { code, lines } = await at.status(at.config);
    expect(code).toBe(EXIT.ok);
    expect(lines).toMatchObject({
      state: "provisioned",
      reason: "the gateway does not run",
      gateway: "gw-7",
      service: "as the configuration says",
      files: `${at.config}, certificate ${at.cert}, key ${at.key}, authorities ${at.ca}`,
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires: expect.stringMatching(/Z$/),
      "by mqtt": "not in use (mqtts://mqtt.cloud.example)",
    });
    expect(lines["waiting event"]).toBe("1");
  });

  test("and is not enrolled or cut, for its configuration would win", async () => {
    using at = house();
    const failed = { exitCode: EXIT.failed, message: expect.stringContaining("cloud.gateway") };
    await expect(cloudEnroll("https://a.example/#12345678", at.options(at.config), at.context)).rejects.toMatchObject(
      failed,
    );
    await expect(cloudCut(at.options(at.config), at.context)).rejects.toMatchObject(failed);
  });

  test("a link that is cut takes along what waits", async () => {
    using at = house();
    await at.gather();
    await at.enrol();
    expect((await at.status()).lines).toMatchObject({ state: "enrolled", reason: "the gateway does not run" });
    expect(await cloudCut(at.options(), at.context)).toBe(EXIT.ok);
    expect((await at.status()).lines).toEqual({
      state: "not enrolled",
      "to deregister": "1 key, when the service can be reached",
    });
  });

  test("a file that is missing or does not fit is told with what to do", async () => {
    using at = house();
    writeFileSync(at.key, new Authority().issue("gw-7").keyPem);
    const { code, lines } = await at.status(at.config);
    expect(code).toBe(EXIT.failed);
    expect(lines["reason"]).toBe(`the certificate of cloud.credentials.certFile (${at.cert}) is for another key`);
    expect(lines["to do"]).toContain("Correct the file");
  });

  test("what waits for a service that nobody named is said to be somebody's", async () => {
    using at = house();
    await at.gather();
    const { code, lines } = await at.status();
    expect(code).toBe(EXIT.ok);
    expect(lines).toMatchObject({ state: "not enrolled", reason: expect.stringContaining("--config") });
  });

  test("a configuration that is named must be usable; one that is only there is noted", async () => {
    using at = house();
    writeFileSync(at.config, "cloud: { gateway: gw-7 }\n");
    await expect(at.status(at.config)).rejects.toMatchObject({ exitCode: EXIT.config });
    expect(at.complained).toEqual([]);
    at.context.environment.HEMGATE_CONFIG = at.config;
    expect(await at.status()).toMatchObject({ code: EXIT.ok, lines: { state: "not enrolled" } });
    expect(at.complained).toEqual([expect.stringContaining(`what ${at.config} says of a cloud service is not known`)]);
  });
});
