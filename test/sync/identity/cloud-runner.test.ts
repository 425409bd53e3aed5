import { describe, expect, test } from "vitest";
import { type Mqtt5, Mqtt5Error, type Mqtt5Request } from "../../../src/platform/ports/mqtt5-port.ts";
import type { CloudAccount } from "../../../src/sync/identity/account.ts";
import { enrolledAccount } from "../../../src/sync/identity/account.ts";
import { OwnersCloudLink } from "../../../src/sync/identity/cloud-link.ts";
import { CloudRunner } from "../../../src/sync/identity/cloud-runner.ts";
import { EnrolledAccounts } from "../../../src/sync/identity/enrolled-accounts.ts";
import type { Transports } from "../../../src/sync/identity/identity-uplink.ts";
import { transportsOf } from "../../../src/sync/identity/transports.ts";
import { PreferredUplink } from "../../../src/sync/uplink/preferred-uplink.ts";
import {
  type Uplink,
  type UplinkConnection,
  type UplinkEnd,
  UplinkError,
  type UplinkEvents,
} from "../../../src/sync/uplink/uplink.ts";
import type { SimWebRequest } from "../../../src/testing/network/sim-web.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { Authority } from "../../platform/authority.ts";
import { EnrolledHouse, type Running } from "./enrolled-house.ts";

const never = new AbortController().signal;
const QUIET: UplinkEvents = { frame: () => undefined, drained: () => undefined, closed: () => undefined };

/** Transports whose other end takes the keys that the enrolment service knows. */
class Front {
  readonly house: EnrolledHouse;
  readonly sent: string[] = [];
  events: UplinkEvents = QUIET;
  opened = 0;
  /** Transports that let nobody in, and why. */
  readonly closed = new Map<string, UplinkEnd>();

  constructor(house: EnrolledHouse) {
    this.house = house;
  }

  open({ gateway, fingerprint, uplinks }: CloudAccount, before: Transports | null): Transports {
    this.opened += 1;
    const { world } = this.house;
    const ways = uplinks.map(({ kind: name }) => ({ name, uplink: this.#way(name, gateway, fingerprint ?? "") }));
    return new PreferredUplink(ways, { clock: world.clock, log: new TestLog(), before });
  }

  #way(name: string, gateway: string, fingerprint: string): Uplink {
    return {
      connect: async (events) => {
        const closed = this.closed.get(name);
        if (closed !== undefined) throw new UplinkError(closed);
        if (!this.house.twin.signIn(gateway, fingerprint)) {
          throw new UplinkError({ kind: "refused", reason: "not authorized", retryAfterMs: null });
        }
        this.events = events;
        const connection: UplinkConnection = {
          name,
          credits: 1,
          maxFrameBytes: 1_000,
          send: (_frame, hint) => void this.sent.push(hint.kind),
          [Symbol.dispose]: () => undefined,
        };
        return connection;
      },
    };
  }
}

/** A runner whose sessions do nothing but be there. */
function run(running: Running, front: Front) {
  const uplinks: Uplink[] = [];
  const lives: string[] = [];
  const runner = new CloudRunner({
    ...running.process.platform,
    accounts: new EnrolledAccounts(running.identities),
    whenCollecting: async () => undefined,
    open: (account, before) => front.open(account, before),
    start: (gateway, uplink) => {
      lives.push(`+${gateway}`);
      uplinks.push(uplink);
      return {
        isConnected: false,
        counts: { replays: 1, gone: [], acks: { batches: 0, ms: 0, lastMs: null } },
        progress: async () => ({
          isConnected: false,
          uplink: null,
          reason: "goodbye",
          isRefused: false,
          isCloned: false,
          isFull: true,
          streams: [{ stream: "event", epoch: "e1", waiting: 3, oldestAtMs: 5, ratePerS: 2, remainingMs: 1_500 }],
          oldestAtMs: 5,
          ratePerS: 2,
          remainingMs: 1_500,
          replays: 1,
          refusal: null,
        }),
        async [Symbol.asyncDispose]() {
          lives.push(`-${gateway}`);
        },
      };
    },
  });
  const { store, identities, process } = running;
  const link = new OwnersCloudLink({
    ...process.platform,
    store,
    identities,
    configured: null,
    session: () => runner.session,
  });
  return { runner, link, lives, connect: () => uplinks.at(-1)!.connect(front.events, never) };
}

describe("a session with the cloud service", () => {
  test("runs while the gateway has a name there, under that name", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { runner, lives } = run(running, new Front(house));
    await house.enroll(running);
    await house.enroll(running);
    await house.drive(running.identities.cut());
    await house.world.clock.advance(1_000);
    expect(lives).toEqual(["+gw-1", "-gw-1", "+gw-2", "-gw-2"]);
    await house.enroll(running);
    await runner[Symbol.asyncDispose]();
    expect(lives.at(-1)).toBe(`-${running.identities.current?.gateway}`);
  });

  test("signs in with a renewed key from the next connection on, which ends the old one", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const front = new Front(house);
    const { connect, lives } = run(running, front);
    const old = await house.enroll(running);
    await house.drive(connect());
    await house.drive(running.identities.renew(never));
    const { next } = running.identities;
    await house.drive(connect());
    await house.world.clock.advance(1_000);
    await house.drive(connect());
    expect(running.identities.current).toEqual(next);
    expect(house.twin.keysOf(old.gateway)).toEqual([next?.fingerprint]);
    expect([lives, front.opened]).toEqual([["+gw-1"], 2]);
  });

  test("goes on with the old key at once when the renewed one is not taken", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { connect } = run(running, new Front(house));
    const old = await house.enroll(running);
    await house.drive(running.identities.renew(never));
    house.twin.signIn = (_gateway, fingerprint) => fingerprint === old.fingerprint;
    await house.drive(connect());
    await house.world.clock.advance(1_000);
    expect(running.identities.current).toEqual(old);
    expect(running.identities.next).toBeNull();
    expect(running.identities.refusal).toBeNull();
  });

  test("keeps a renewed key while a service lets in neither", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { connect } = run(running, new Front(house));
    await house.enroll(running);
    await house.drive(running.identities.renew(never));
    const signIn = house.twin.signIn.bind(house.twin);
    house.twin.signIn = () => false;
    await expect(house.drive(connect())).rejects.toThrow("not authorized");
    expect(running.identities.refusal?.reason).toBe("not authorized");
    house.twin.signIn = signIn;
    const { next } = running.identities;
    await house.drive(connect());
    await house.world.clock.advance(1_000);
    expect(running.identities.current).toEqual(next);
  });

  test("renews the key by the way that is open, though another refuses everybody", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const front = new Front(house);
    front.closed.set("mqtt", { kind: "refused", reason: "topics", retryAfterMs: null });
    const { connect, link } = run(running, front);
    await house.enroll(running);
    expect((await house.drive(connect())).name).toBe("https");
    await house.drive(running.identities.renew(never));
    const { next } = running.identities;
    expect((await house.drive(connect())).name).toBe("https");
    await house.world.clock.advance(1_000);
    expect(running.identities.current).toEqual(next);
    expect(running.identities.refusal).toBeNull();
    expect((await house.drive(link.view())).ways).toMatchObject([
      { uplink: "mqtt", isInUse: false, failure: "topics", failedAt: expect.any(String) },
      { uplink: "https", isInUse: true, failure: null, servers: ["https://sync.cloud.example/"] },
    ]);
  });

  test("does not give a renewed key up because a way is lost", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const front = new Front(house);
    const { connect } = run(running, front);
    await house.enroll(running);
    await house.drive(running.identities.renew(never));
    front.closed.set("mqtt", { kind: "lost", reason: "cable", retryAfterMs: null });
    await expect(house.drive(connect())).rejects.toThrow("cable");
    expect(running.identities.next).not.toBeNull();
  });

  test("that is refused is told to the owner with what to do, until it is taken again", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { connect, link } = run(running, new Front(house));
    const { gateway } = await house.enroll(running);
    const signIn = house.twin.signIn.bind(house.twin);
    house.twin.signIn = () => false;
    await expect(house.drive(connect())).rejects.toThrow("not authorized");
    expect(await house.drive(link.view())).toMatchObject({
      state: "REFUSED",
      reason: "not authorized",
      remedy: expect.stringContaining("hemgate cloud enroll"),
    });
    expect(link.figures().isRefused).toBe(true);
    house.twin.signIn = signIn;
    await house.drive(connect());
    await house.world.clock.advance(1_000);
    expect(await house.drive(link.view())).toMatchObject({ state: "ENROLLED", identity: { gateway }, remedy: null });
  });

  test("shows what went and what waits", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const front = new Front(house);
    const { connect, link } = run(running, front);
    await house.enroll(running);
    const connection = await house.drive(connect());
    connection.send(new Uint8Array(1), { kind: "hello" });
    connection.send(new Uint8Array(1), { kind: "batch", stream: "event", epoch: "e", from: 1, through: 7 });
    front.events.frame(new Uint8Array(1));
    expect(front.sent).toEqual(["hello", "batch"]);
    const now = new Date(running.process.platform.clock.nowMs()).toISOString();
    expect(await house.drive(link.view())).toMatchObject({
      lastContactAt: now,
      streams: [
        {
          ...{ stream: "event", waiting: 3, sentThrough: 7, sentAt: now },
          ...{ oldestWaitingAt: new Date(5).toISOString(), recordsPerSecond: 2, remainingSeconds: 2 },
        },
      ],
      oldestWaitingAt: "1970-01-01T00:00:00.005Z",
      isFull: true,
      recordsPerSecond: 2,
      remainingSeconds: 2,
      replays: 1,
    });
  });
});

describe("the ways of an identity", () => {
  const CA = new Authority().pem;

  /** Transports of an identity whose service says where they are, and what they ask of the ports. */
  async function ways(hasPasswords: boolean, caPem?: string) {
    const house = new EnrolledHouse({ hasPasswords });
    house.twin.mangle = (answer) => ({
      ...answer,
      uplinks: [
        { kind: "https", url: "https://sync.cloud.example/base/", caPem },
        { kind: "mqtt", servers: ["mqtts://mqtt.cloud.example"], topicPrefix: "hemgate", caPem },
      ],
    });
    const running = await house.open();
    const identity = await house.enroll(running);
    const asked: Mqtt5Request[] = [];
    const mqtt5: Mqtt5 = {
      open: (request) => {
        asked.push(request);
        return Promise.reject(new Mqtt5Error("bad certificate", { reasonCode: 0x87 }));
      },
    };
    const requests: SimWebRequest[] = [];
    const { web } = house.world;
    web.name("sync.cloud.example", ["93.184.216.40"]);
    web.listen("93.184.216.40", 443, {
      certificate: ["sync.cloud.example"],
      ...(caPem !== undefined && { authorityPem: caPem }),
      serve: (request) => {
        requests.push(request);
        return { status: 403 };
      },
    });
    const uplink = transportsOf(enrolledAccount(identity), { ...running.process.platform, mqtt5 }, null);
    await expect(house.drive(uplink.connect(QUIET, never))).rejects.toMatchObject({ end: { kind: "refused" } });
    return { identity, requests, asked, uplink };
  }

  test("are tried in the order of the answer, each with the certificate and its authority", async () => {
    const { identity, requests, asked, uplink } = await ways(false, CA);
    const { credentials, privateKeyPem: keyPem } = identity;
    const pem = credentials.kind === "certificate" ? credentials.chainPem : "";
    expect(requests).toMatchObject([{ path: "/base/gateways/gw-1/down", certificate: pem }]);
    expect(requests[0]?.headers["authorization"]).toBeUndefined();
    expect(asked).toMatchObject([
      {
        url: "mqtts://mqtt.cloud.example",
        clientId: "gw-1",
        credentials: { certificate: { pem, keyPem }, authoritiesPem: CA },
      },
    ]);
    expect(uplink.status).toMatchObject([
      { name: "https", failure: { reason: "GET /down is answered 403" } },
      { name: "mqtt", failure: { reason: "bad certificate" } },
    ]);
  });

  test("sign in with a name and a password where there is no certificate", async () => {
    const { identity, requests, asked } = await ways(true);
    const { credentials } = identity;
    const { username, password } = credentials.kind === "password" ? credentials : { username: "", password: "" };
    expect(username).toBe("gw-1");
    const pair = Buffer.from(`${username}:${password}`).toString("base64");
    expect(requests[0]?.headers["authorization"]).toBe(`Basic ${pair}`);
    expect(requests[0]?.certificate).toBeUndefined();
    expect(asked[0]?.credentials).toEqual({ username, password });
  });
});
