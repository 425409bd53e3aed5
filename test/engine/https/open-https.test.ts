import { expect, test } from "vitest";
import { configSchema } from "../../../src/config/config.ts";
import { openHttps } from "../../../src/engine/https/open-https.ts";
import { makeCertificate } from "../../../src/platform/certificate.ts";
import { certificateFacts } from "../../../src/platform/certificate-check.ts";
import type { ServerCertificate, TlsListen } from "../../../src/platform/ports/tls-listener-port.ts";
import { SigningKey } from "../../../src/platform/signing-key.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { SimFiles } from "../../../src/testing/sim-files.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { VIRTUAL_START_MS, VirtualClock, type VirtualClockOptions } from "../../../src/testing/virtual-clock.ts";
import { FakeStore } from "../../api/support/fake-store.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CERT = "/etc/hemgate/cert.pem";
const KEY = "/etc/hemgate/key.pem";

/** A box with https, whose listener notes what it is given. */
class Box {
  readonly clock: VirtualClock;
  readonly store: FakeStore;
  readonly files = new SimFiles();
  readonly log = new TestLog();
  readonly addresses = ["192.168.1.5"];
  readonly used: ServerCertificate[] = [];
  isListening = false;
  isTaken = false;

  constructor(options: VirtualClockOptions = {}, store = new FakeStore()) {
    this.clock = new VirtualClock(options);
    this.store = store;
  }

  async start(config: object = { https: {} }) {
    const { clock, store, files, log } = this;
    const listen: TlsListen = async (_address, certificate) => {
      if (this.isTaken) throw Object.assign(new Error("taken"), { code: "EADDRINUSE" });
      this.isListening = true;
      this.used.push(certificate);
      return {
        port: 8443,
        use: (next) => void this.used.push(next),
        [Symbol.asyncDispose]: async () => {
          this.isListening = false;
        },
      };
    };
    const https = openHttps({
      ...{ clock, store, files, log, listen },
      config: configSchema([]).parse(config),
      random: new SeededRandom(7),
      net: {
        hostName: () => "Box",
        interfaces: () => this.addresses.map((address) => ({ address, prefixLength: 24, mac: "02:00:00:00:00:01" })),
      },
    });
    await https.start(() => undefined);
    return https;
  }

  namesUsed(): readonly string[] {
    return certificateFacts(this.used.at(-1)?.certificate ?? "").names;
  }
}

const ownKey = SigningKey.make(new SeededRandom("own"));

/** A certificate of one's own, of an authority that is elsewhere. */
function ownCertificate(key = ownKey, untilMs = VIRTUAL_START_MS + 90 * DAY_MS, host = "home.example.org"): string {
  return makeCertificate({
    subject: host,
    publicKeyDer: key.publicKeyDer,
    issuer: { name: "Elsewhere", key: ownKey },
    fromMs: VIRTUAL_START_MS - 10 * DAY_MS,
    untilMs,
    serial: Uint8Array.of(5),
    hosts: [host],
  });
}
const WITH_FILES = { https: { certFile: CERT, keyFile: KEY } };

test("Without the section https nothing listens, and no authority is made", async () => {
  const box = new Box();
  await using https = await box.start({});
  expect([box.isListening, https.state().source, https.authority()]).toEqual([false, "off", null]);
  expect(box.store.get("https", "authority")).toBeNull();
});

test("The authority's certificate is for the box's names and addresses, and for fewer than 398 days", async () => {
  const box = new Box();
  await using https = await box.start({ https: {}, http: { names: ["energy.example.org"] } });
  expect(box.namesUsed()).toEqual(
    expect.arrayContaining([
      "hemgate.local",
      "hemgate-2.local",
      "box.local",
      "box.fritz.box",
      "energy.example.org",
      "192.168.1.5",
    ]),
  );
  // It would permit all names below it, and `box` is a top level of the Internet.
  expect(box.namesUsed()).not.toContain("box");
  const { fromMs, untilMs } = certificateFacts(box.used[0]?.certificate ?? "");
  expect((untilMs - fromMs) / DAY_MS).toBeLessThanOrEqual(397);
  expect(https.state()).toMatchObject({ source: "authority", isListening: true, port: 8443, problem: null });
  expect(https.state().authority?.domains).toContain("energy.example.org");
});

test("Authority and certificate are the same after a restart", async () => {
  const box = new Box();
  const before = await box.start();
  const fingerprint = before.state().authority?.fingerprint;
  await before[Symbol.asyncDispose]();
  expect(box.isListening).toBe(false);
  const again = new Box({}, box.store.copy());
  await using after = await again.start();
  expect(after.state().authority?.fingerprint).toBe(fingerprint);
  expect(again.used).toEqual(box.used);
});

test("The certificate is made again within a minute when the box gets another address, and not when it loses one", async () => {
  const box = new Box();
  await using _https = await box.start();
  box.addresses.push("10.0.0.9");
  await box.clock.advance(MINUTE_MS);
  expect([box.used.length, box.namesUsed().includes("10.0.0.9")]).toEqual([2, true]);
  box.addresses.pop();
  await box.clock.advance(MINUTE_MS);
  expect(box.used.length).toBe(2);
});

test("An address that the authority is not for is left out, and the others are kept", async () => {
  const box = new Box();
  box.addresses.push("203.0.113.5");
  await using https = await box.start();
  expect(box.namesUsed()).toContain("192.168.1.5");
  expect(box.namesUsed()).not.toContain("203.0.113.5");
  await box.clock.advance(5 * MINUTE_MS);
  expect([box.used.length, https.state().problem]).toEqual([1, null]);
});

test("The certificate is renewed by itself long before its end, year after year, by the same authority", async () => {
  const box = new Box();
  const https = await box.start();
  const fingerprint = https.state().authority?.fingerprint;
  await https[Symbol.asyncDispose]();
  let atMs = VIRTUAL_START_MS;
  let { store } = box;
  let last = box.used[0];
  for (let renewals = 0; renewals < 3; renewals += 1) {
    const { untilMs } = certificateFacts(last?.certificate ?? "");
    // A box that runs on: a day before the time nothing happens, at the time it does.
    const running: Box = new Box({ startMs: untilMs - 61 * DAY_MS }, store.copy());
    await using open = await running.start();
    expect(running.used).toEqual([last]);
    running.clock.setWallMs(untilMs - 60 * DAY_MS + 1_000);
    await running.clock.advance(MINUTE_MS);
    expect(running.used.length).toBe(2);
    expect(open.state().authority?.fingerprint).toBe(fingerprint);
    expect(untilMs).toBeGreaterThan(atMs);
    atMs = untilMs;
    ({ store } = running);
    last = running.used[1];
  }
});

test("A clock that is not set makes no new certificate of one that is there, and setting it renews one of the wrong day", async () => {
  const box = new Box({ startMs: 0, quality: "unset" });
  const https = await box.start();
  expect(certificateFacts(box.used[0]?.certificate ?? "").untilMs).toBeLessThan(VIRTUAL_START_MS);
  box.clock.setWallMs(VIRTUAL_START_MS);
  box.clock.setQuality("synced");
  await box.clock.advance(MINUTE_MS);
  expect(certificateFacts(box.used[1]?.certificate ?? "").untilMs).toBeGreaterThan(VIRTUAL_START_MS);
  await https[Symbol.asyncDispose]();
  const again = new Box({ startMs: 0, quality: "unset" }, box.store.copy());
  await using after = await again.start();
  await again.clock.advance(5 * MINUTE_MS);
  expect([again.used, after.state().problem]).toEqual([[box.used[1]], null]);
});

test("A disk that takes no record leaves https off and http on, and the next minute tries again", async () => {
  const box = new Box();
  box.store.isWritable = false;
  await using https = await box.start();
  expect([box.isListening, https.state().problem]).toEqual([false, expect.stringContaining("the disk is full")]);
  box.store.isWritable = true;
  await box.clock.advance(MINUTE_MS);
  expect([box.isListening, https.state().problem]).toEqual([true, null]);
});

test("A port that another program has ends the start", async () => {
  const box = new Box();
  box.isTaken = true;
  await expect(box.start()).rejects.toThrow("taken");
});

test("Files of one's own are used, and read again when they change", async () => {
  const box = new Box();
  box.files.write(CERT, ownCertificate());
  box.files.write(KEY, ownKey.privateKeyPem);
  await using https = await box.start(WITH_FILES);
  expect(https.state()).toMatchObject({ source: "files", isListening: true, problem: null, authority: null });
  expect(https.authority()).toBeNull();
  await box.clock.advance(2 * MINUTE_MS);
  expect(box.used.length).toBe(1);
  box.files.write(CERT, ownCertificate(ownKey, VIRTUAL_START_MS + 180 * DAY_MS));
  await box.clock.advance(MINUTE_MS);
  expect(box.used.length).toBe(2);
  expect(https.state().certificate?.validUntil).toBe(new Date(VIRTUAL_START_MS + 180 * DAY_MS).toISOString());
});

test("Files that do not go together are named once in the log, and https goes on with what it has until they do", async () => {
  const box = new Box();
  box.files.write(CERT, ownCertificate());
  box.files.write(KEY, ownKey.privateKeyPem);
  await using https = await box.start(WITH_FILES);
  const nextKey = SigningKey.make(new SeededRandom("next"));
  // The certificate is written before its key.
  box.files.write(CERT, ownCertificate(nextKey));
  await box.clock.advance(3 * MINUTE_MS);
  expect(https.state()).toMatchObject({
    isListening: true,
    problem: `${CERT} with ${KEY}: the private key does not belong to the certificate`,
  });
  expect(box.log.texts("error")).toEqual([
    "https needs another certificate; https goes on with the certificate that it has",
  ]);
  box.files.write(KEY, nextKey.privateKeyPem);
  await box.clock.advance(MINUTE_MS);
  expect([box.used.length, https.state().problem]).toEqual([2, null]);
});

test("A file that is not there leaves https off and says which, and https begins when it is there", async () => {
  const box = new Box();
  box.files.write(KEY, ownKey.privateKeyPem);
  await using https = await box.start(WITH_FILES);
  expect([box.isListening, https.state().problem]).toEqual([false, `${CERT}: no such file`]);
  box.files.write(CERT, ownCertificate());
  await box.clock.advance(MINUTE_MS);
  expect([box.isListening, https.state().problem]).toEqual([true, null]);
});

test("A certificate that expires is named, and stays until there is another one", async () => {
  const box = new Box();
  box.files.write(CERT, ownCertificate(ownKey, VIRTUAL_START_MS + 2 * MINUTE_MS));
  box.files.write(KEY, ownKey.privateKeyPem);
  await using https = await box.start(WITH_FILES);
  expect(https.state().problem).toBeNull();
  await box.clock.advance(4 * MINUTE_MS);
  expect(https.state()).toMatchObject({ isListening: true, problem: expect.stringContaining("has expired on") });
  expect(box.log.texts("error").length).toBe(1);
});

test("Pages are sent to https only if that is configured, and only for a host that the certificate is for", async () => {
  const box = new Box();
  await using https = await box.start({ https: { redirectsPage: true } });
  expect(https.pageFor("hemgate.local:8080")).toBe("https://hemgate.local:8443/");
  expect(https.pageFor("hemgate-2.local:8080")).toBe("https://hemgate-2.local:8443/");
  expect(https.pageFor("192.168.1.5:8080")).toBe("https://192.168.1.5:8443/");
  expect(https.pageFor("[::1]:8080")).toBe("https://[::1]:8443/");
  expect(https.pageFor("box:8080")).toBeNull();
  expect(https.pageFor("")).toBeNull();
  const plain = new Box();
  await using off = await plain.start();
  expect(off.pageFor("hemgate.local:8080")).toBeNull();
});
