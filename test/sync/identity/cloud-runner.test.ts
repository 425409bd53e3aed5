import { describe, expect, test } from "vitest";
import { type Mqtt5, Mqtt5Error, type Mqtt5Request } from "../../../src/platform/mqtt5-port.ts";
import { OwnersCloudLink } from "../../../src/sync/identity/cloud-link.ts";
import { CloudRunner } from "../../../src/sync/identity/cloud-runner.ts";
import { uplinkOf } from "../../../src/sync/identity/transports.ts";
import { type Uplink, type UplinkConnection, UplinkError, type UplinkEvents } from "../../../src/sync/uplink/uplink.ts";
import { EnrolledHouse, type Running } from "./enrolled-house.ts";

const never = new AbortController().signal;
const QUIET: UplinkEvents = { frame: () => undefined, drained: () => undefined, closed: () => undefined };

/** A transport whose other end takes the keys that the enrolment service knows. */
class Front {
  readonly house: EnrolledHouse;
  readonly sent: string[] = [];
  events: UplinkEvents = QUIET;
  opened = 0;

  constructor(house: EnrolledHouse) {
    this.house = house;
  }

  open(gateway: string, fingerprint: string): Uplink {
    this.opened += 1;
    return {
      connect: async (events) => {
        if (!this.house.twin.signIn(gateway, fingerprint)) {
          throw new UplinkError({ kind: "refused", reason: "not authorized", retryAfterMs: null });
        }
        this.events = events;
        const connection: UplinkConnection = {
          name: "mqtt",
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
    identities: running.identities,
    gathered: async () => undefined,
    open: ({ gateway, fingerprint }) => front.open(gateway, fingerprint),
    start: (gateway, uplink) => {
      lives.push(`+${gateway}`);
      uplinks.push(uplink);
      return {
        isConnected: false,
        progress: async () => ({
          isConnected: false,
          uplink: null,
          reason: "goodbye",
          isRefused: false,
          isCloned: false,
          isFull: true,
          streams: [{ stream: "event", waiting: 3 }],
          oldestAtMs: 5,
          ratePerS: 2,
          remainingMs: 1_500,
          replays: 1,
        }),
        async [Symbol.asyncDispose]() {
          lives.push(`-${gateway}`);
        },
      };
    },
  });
  const { store, identities, process } = running;
  const link = new OwnersCloudLink({ ...process.platform, store, identities, session: () => runner.session });
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

  test("goes on with the old key when the renewed one is not taken", async () => {
    const house = new EnrolledHouse();
    const running = await house.open();
    const { connect } = run(running, new Front(house));
    const old = await house.enroll(running);
    await house.drive(running.identities.renew(never));
    house.twin.signIn = (_gateway, fingerprint) => fingerprint === old.fingerprint;
    await expect(house.drive(connect())).rejects.toThrow("not authorized");
    await house.drive(connect());
    expect(running.identities.current).toEqual(old);
    expect(running.identities.next).toBeNull();
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
      streams: [{ stream: "event", waiting: 3, sentThrough: 7, sentAt: now }],
      oldestWaitingAt: "1970-01-01T00:00:00.005Z",
      isFull: true,
      recordsPerSecond: 2,
      remainingSeconds: 2,
      replays: 1,
    });
  });
});

describe("the transport of an identity", () => {
  test("is MQTT with its certificate and key", async () => {
    const house = new EnrolledHouse();
    const identity = await house.enroll(await house.open());
    const asked: Mqtt5Request[] = [];
    const mqtt5: Mqtt5 = {
      open: (request) => {
        asked.push(request);
        return Promise.reject(new Mqtt5Error("bad certificate", { reasonCode: 0x87 }));
      },
    };
    const uplink = uplinkOf(identity, { mqtt5, clock: house.world.clock });
    await expect(house.drive(uplink.connect(QUIET, never))).rejects.toMatchObject({ end: { kind: "refused" } });
    expect(asked).toMatchObject([
      {
        url: "mqtts://mqtt.cloud.example",
        clientId: "gw-1",
        credentials: { certificate: { keyPem: identity.privateKeyPem } },
      },
    ]);
  });

  test("is none for a service without MQTT, which is told in words", async () => {
    const house = new EnrolledHouse({ hasPasswords: true });
    const identity = await house.enroll(await house.open());
    const mqtt5: Mqtt5 = { open: () => Promise.reject(new Error("not to be asked")) };
    const uplinks = identity.uplinks.filter(({ kind }) => kind === "https");
    const uplink = uplinkOf({ ...identity, uplinks }, { mqtt5, clock: house.world.clock });
    await expect(uplink.connect(QUIET, never)).rejects.toThrow("named no MQTT server");
  });
});
