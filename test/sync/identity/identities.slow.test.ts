import { describe, expect, test } from "vitest";
import { EnrolmentError } from "../../../src/sync/identity/enrolment-service.ts";
import { parseToken } from "../../../src/sync/identity/token.ts";
import { Authority } from "../../platform/authority.ts";
import { DAY, EnrolledHouse } from "./enrolled-house.ts";

const HOUR = 3_600_000;

/** How an enrolment fails, in words. */
async function failure(house: EnrolledHouse, token?: string): Promise<readonly string[]> {
  const running = await house.open();
  const error = await house.enroll(running, token).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(running.identities.current).toBeNull();
  return error instanceof EnrolmentError ? [error.kind, error.message] : ["other", String(error)];
}

describe("a token", () => {
  test.each([
    ["no words", "secret-of-mine", /not an address/],
    ["no secret", "https://cloud.example/", /no secret/],
    ["part of a secret", "https://cloud.example/#abc", /check that all of it was copied/],
    ["plain http", "http://cloud.example/#secret-of-mine", /https/],
    ["a password", "https://a:b@cloud.example/#secret-of-mine", /only a host and a path/],
    ["very much", `https://cloud.example/#${"x".repeat(2_000)}`, /not an address/],
  ])("with %s is refused in words that do not tell it", (_name, text, why) => {
    expect(() => parseToken(text)).toThrow(why);
    expect(() => parseToken(text)).not.toThrow(/secret-of-mine/);
  });

  test("says where to ask", () => {
    expect(parseToken(" https://cloud.example/a#12345678\n")).toEqual({
      service: "https://cloud.example/a/",
      secret: "12345678",
    });
  });
});

describe("enrolment", () => {
  test("gives the gateway a name, uplinks of the kinds it knows, and a certificate for its own key", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const identity = await house.enroll(running);
    expect(identity).toMatchObject({
      gateway: "gw-1",
      uplinks: [
        { kind: "mqtt", urls: ["mqtts://mqtt.cloud.example"], topicPrefix: "hemgate" },
        { kind: "https", urls: ["https://sync.cloud.example/"] },
      ],
      credentials: { kind: "certificate" },
    });
    expect(house.twin.keysOf("gw-1")).toEqual([identity.fingerprint]);
    expect(running.identities.current).toEqual(identity);
    expect(running.store.get("cloud-enrolment", "pending")).toBeNull();
  });

  test("keeps which version of MQTT the servers speak", async () => {
    const house = new EnrolledHouse();
    const servers = ["mqtts://old.cloud.example"];
    const uplinks = [{ kind: "mqtt", servers, topicPrefix: "hemgate", version: "3.1.1" }];
    house.twin.mangle = (answer) => ({ ...answer, uplinks });
    const identity = await house.enroll(await house.open());
    expect(identity.uplinks).toEqual([{ kind: "mqtt", urls: servers, topicPrefix: "hemgate", version: "3.1.1" }]);
  });

  test("keeps by which authorities the servers are checked, and takes none that is no certificate", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const caPem = new Authority().pem;
    const url = "https://sync.cloud.example/";
    house.twin.mangle = (answer) => ({ ...answer, uplinks: [{ kind: "https", url, caPem }] });
    expect((await house.enroll(running)).uplinks).toEqual([{ kind: "https", urls: [url], topicPrefix: null, caPem }]);
    house.twin.mangle = (answer) => ({ ...answer, uplinks: [{ kind: "https", url, caPem: "no certificate" }] });
    await expect(house.enroll(running)).rejects.toThrow("its uplinks.0.caPem has no certificate");
    house.twin.mangle = (answer) => ({ ...answer, uplinks: [{ kind: "https", url: `${url}?a=b` }] });
    await expect(house.enroll(running)).rejects.toThrow("uplinks.0.url: only a host and a path are allowed");
  });

  test("refuses a name that no sign-in by HTTPS can carry", async () => {
    const house = new EnrolledHouse({ hasPasswords: true });
    house.twin.mangle = (answer) => ({
      ...answer,
      credentials: { kind: "password", username: "host:gw-1", password: "secret", expiresAtMs: null },
    });
    await expect(house.enroll(await house.open())).rejects.toThrow("its user name has a colon");
  });

  test("with a token that is not known, or was used, says so", async () => {
    const house = new EnrolledHouse();
    expect(await failure(house, "https://cloud.example/hemgate/#no-such-token")).toEqual([
      "refused",
      "cloud.example answered 401: This token is not known.",
    ]);
    const other = new EnrolledHouse();
    const running = await other.open();
    const token = other.twin.issueToken();
    await other.enroll(running, token);
    await expect(other.enroll(running, token)).rejects.toThrow("410: This token was used already.");
    expect(running.identities.current?.gateway).toBe("gw-1");
  });

  test("with a service that is away or does not answer ends in time", async () => {
    const house = new EnrolledHouse();
    house.twin.fault = { fault: "hang" };
    expect((await failure(house))[0]).toBe("unreachable");
    const away = new EnrolledHouse();
    away.isOnline = false;
    expect((await failure(away))[0]).toBe("unreachable");
  });

  test.each<[string, (answer: Record<string, unknown>) => Record<string, unknown>, string]>([
    ["another version", (answer) => ({ ...answer, v: 2 }), "v:"],
    ["a name with a slash", (answer) => ({ ...answer, gateway: "a/b" }), "gateway:"],
    ["no uplink that is known", (answer) => ({ ...answer, uplinks: [{ kind: "fax" }] }), "no uplink"],
    [
      "plain MQTT",
      (answer) => ({ ...answer, uplinks: [{ kind: "mqtt", servers: ["mqtt://x"] }] }),
      "uplinks.0.servers",
    ],
    [
      "no certificate",
      (answer) => ({ ...answer, credentials: { kind: "certificate", chainPem: "" } }),
      "no certificate",
    ],
    ["a key that is none", (answer) => ({ ...answer, verificationKeyPem: "x" }), "verification key"],
    ["too much", (answer) => ({ ...answer, more: "x".repeat(100_000) }), "larger than"],
  ])("is refused for an answer with %s", async (_name, mangle, why) => {
    const house = new EnrolledHouse();
    house.twin.mangle = mangle;
    const [kind, message] = await failure(house);
    expect(kind).toBe("unusable");
    expect(message).toContain(why);
  });

  test("is refused for a certificate of another key, one that ended, and a signature that is not the service's", async () => {
    const late = new EnrolledHouse({ certificateDays: -1 });
    expect((await failure(late))[1]).toContain("its credentials have expired");
    const impostor = new EnrolledHouse();
    impostor.twin.isImpostor = true;
    expect((await failure(impostor))[1]).toContain("not signed with the service's key");
    const mixed = new EnrolledHouse();
    const running = await mixed.open();
    const first = await mixed.enroll(running);
    mixed.twin.mangle = (answer) => ({ ...answer, credentials: first.credentials });
    await expect(mixed.enroll(running)).rejects.toThrow("for another key");
    expect(running.identities.current).toEqual(first);
  });
});

describe("an enrolment that is cut off", () => {
  test("leaves the old identity or the new one, and is the same when it is asked for again", async () => {
    const seen = new Set<string>();
    for (let cutMs = 0; cutMs <= 300; cutMs += 10) {
      const house = new EnrolledHouse();
      const before = await house.open();
      const old = await house.enroll(before);
      const token = house.twin.issueToken();
      before.identities.enroll(token, new AbortController().signal).catch(() => undefined);
      await house.world.clock.advance(cutMs);
      before.process.kill();
      house.disk.crash();
      const after = await house.open();
      const { current } = after.identities;
      seen.add(String(current?.gateway));
      if (current?.gateway === "gw-1") {
        expect(current).toEqual(old);
        await house.enroll(after, token);
      }
      expect(after.identities.current?.gateway).toBe("gw-2");
      expect(house.twin.keysOf("gw-2")).toEqual([after.identities.current?.fingerprint]);
      expect(house.twin.gateways).toEqual(["gw-1", "gw-2"]);
    }
    expect([...seen].sort()).toEqual(["gw-1", "gw-2"]);
  });
});

describe("a key", () => {
  test("is renewed after two thirds of its life, and the old one holds until the new one worked", async () => {
    const house = new EnrolledHouse({ certificateDays: 90 });
    const running = await house.open();
    const old = await house.enroll(running);
    await using _care = house.maintenance(running);
    await house.world.clock.advance(59 * DAY);
    expect(running.identities.next).toBeNull();
    await house.world.clock.advance(2 * DAY);
    const { next } = running.identities;
    expect(next?.gateway).toBe("gw-1");
    expect(running.identities.current).toEqual(old);
    expect(house.twin.keysOf("gw-1")).toEqual([old.fingerprint, next?.fingerprint]);
    expect(running.identities.offered).toEqual(next);
    house.twin.signIn("gw-1", String(next?.fingerprint));
    await house.drive(running.identities.accepted(String(next?.fingerprint)));
    expect(running.identities.current).toEqual(next);
    expect(running.identities.next).toBeNull();
    expect(house.twin.keysOf("gw-1")).toEqual([next?.fingerprint]);
  });

  test("that is renewed and refused goes, and another one is asked for later", async () => {
    const house = new EnrolledHouse({ certificateDays: 90 });
    const running = await house.open();
    const old = await house.enroll(running);
    await using _care = house.maintenance(running);
    await house.world.clock.advance(61 * DAY);
    const first = running.identities.next;
    await house.drive(running.identities.refused(String(first?.fingerprint), "not known yet"));
    expect(running.identities.offered).toEqual(old);
    expect(running.identities.refusal).toBeNull();
    await house.world.clock.advance(7 * HOUR);
    expect(running.identities.next).not.toBeNull();
    expect(running.identities.next?.fingerprint).not.toBe(first?.fingerprint);
  });

  test("is asked for again and again while the service is away, after pauses, and also after it expired", async () => {
    const house = new EnrolledHouse({ certificateDays: 90 });
    const running = await house.open();
    await house.enroll(running);
    await using _care = house.maintenance(running);
    await house.world.clock.advance(59 * DAY);
    house.isOnline = false;
    await house.world.clock.advance(60 * DAY);
    expect(running.identities.next).toBeNull();
    house.isOnline = true;
    await house.world.clock.advance(7 * HOUR);
    expect(running.identities.next?.gateway).toBe("gw-1");
  });

  test("is renewed only by who signed the first answer, and only for the same gateway", async () => {
    const house = new EnrolledHouse({ certificateDays: 90 });
    const running = await house.open();
    await house.enroll(running);
    const renew = () => house.drive(running.identities.renew(new AbortController().signal));
    house.twin.isImpostor = true;
    await expect(renew()).rejects.toThrow("not signed with the service's key");
    house.twin.isImpostor = false;
    house.twin.mangle = (answer) => ({ ...answer, gateway: "gw-7" });
    await expect(renew()).rejects.toThrow("for another gateway");
    expect(running.identities.next).toBeNull();
  });
});

describe("a link that is cut", () => {
  test("has its key destroyed at once, and the service told when it can be", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { privateKeyPem } = await house.enroll(running);
    await using _care = house.maintenance(running);
    house.isOnline = false;
    expect(await house.drive(running.identities.cut())).toBe(true);
    expect(running.identities.current).toBeNull();
    await house.world.clock.advance(2 * DAY);
    expect(house.twin.gateways).toEqual(["gw-1"]);
    expect(JSON.stringify(running.store.all("cloud-farewell"))).not.toContain(privateKeyPem.split("\n")[1]);
    house.isOnline = true;
    await house.world.clock.advance(7 * HOUR);
    expect(house.twin.gateways).toEqual([]);
    expect(running.identities.deregistrations).toEqual([]);
    expect(await house.drive(running.identities.cut())).toBe(false);
  });

  test("is told over a restart, too, and given up after months", async () => {
    const house = new EnrolledHouse();
    const before = await house.open();
    await house.enroll(before);
    house.isOnline = false;
    await house.drive(before.identities.cut());
    before.process.kill();
    house.disk.crash();
    const after = await house.open();
    expect(after.identities.current).toBeNull();
    await using _care = house.maintenance(after);
    await house.world.clock.advance(89 * DAY);
    expect(after.identities.deregistrations).toHaveLength(1);
    await house.world.clock.advance(2 * DAY);
    expect(after.identities.deregistrations).toEqual([]);
  });
});

describe("a refusal of the cloud service", () => {
  test("is told once, and over when it lets the gateway in again", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { fingerprint } = await house.enroll(running);
    await house.drive(running.identities.refused(fingerprint, "bad certificate"));
    await house.drive(running.identities.refused(fingerprint, "bad certificate"));
    expect(running.identities.refusal?.reason).toBe("bad certificate");
    const journal = await house.drive(running.store.journalAfter(null, 100));
    expect(journal.filter(({ event }) => event === "system:cloud:refused")).toHaveLength(1);
    await house.drive(running.identities.accepted(fingerprint));
    expect(running.identities.refusal).toBeNull();
  });
});

describe("the private key", () => {
  test.each([
    ["sealed", [new Uint8Array(32).fill(7)], false],
    ["in clear without keys that seal", [], true],
  ])("is on disk %s, and in no line of the log", async (_how, secretKeys, isInClear) => {
    const house = new EnrolledHouse();
    const running = await house.open(secretKeys);
    const { privateKeyPem } = await house.enroll(running);
    await house.drive(running.store[Symbol.asyncDispose]());
    const kept = [...house.disk.contents("critical").values()].map((bytes) => Buffer.from(bytes).toString("latin1"));
    const secret = privateKeyPem.split("\n")[1]!;
    expect(kept.join("\n").includes(secret)).toBe(isInClear);
    expect(JSON.stringify(running.process.log.lines)).not.toContain(secret);
  });
});
