/** A cloud service for a gateway on virtual time: an identity on its disk, and a broker with a service behind it. */
import { type Mqtt5, type Mqtt5Connection, Mqtt5Error, type Mqtt5Message } from "../src/platform/ports/mqtt5-port.ts";
import type { Clock, Disk, Random } from "../src/platform/ports/ports.ts";
import { SigningKey } from "../src/platform/signing-key.ts";
import { openStore } from "../src/store/open-store.ts";
import { fromFrame, toFrame } from "../src/sync/protocol/frame.ts";
import { parseToCloud } from "../src/sync/protocol/messages.ts";
import { TestLog } from "../src/testing/test-log.ts";
import { CloudTwin } from "../test/twins/cloud/cloud-twin.ts";
import { memoryZstd } from "../test/twins/cloud/memory-zstd.ts";

const GATEWAY = "gw-1";
const BROKER = "mqtts://broker.example";
/** To the broker and back. */
const ROUND_TRIP_MS = 40;
const RECEIVE_MAXIMUM = 32;
const MAX_PACKET_BYTES = 4 * 1024 * 1024;

export interface EnrolParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly random: Random;
}

/** Leaves a gateway's store as an enrolment with a password that never expires does. */
export async function enrol({ disk, clock, random }: EnrolParts): Promise<void> {
  const store = await openStore({ disk, clock, random, log: new TestLog() });
  const key = SigningKey.make(random);
  const identity = {
    gateway: GATEWAY,
    service: "https://cloud.example/",
    privateKeyPem: key.privateKeyPem,
    fingerprint: key.fingerprint,
    uplinks: [{ kind: "mqtt", urls: [BROKER], topicPrefix: "hemgate" }],
    credentials: { kind: "password", username: GATEWAY, password: "a password for the bench" },
    verificationKeyPem: SigningKey.make(random).publicKeyPem,
    givenAtMs: clock.nowMs(),
    expiresAtMs: null,
  } as const;
  await store.commit([{ table: "cloud-identity", key: "current", put: identity }], []);
  await store[Symbol.asyncDispose]();
}

/** What a cloud service has of the gateway. */
export interface CloudEnd {
  readonly mqtt5: Mqtt5;
  /** Batches that it took. */
  readonly batches: number;
  /** Bytes of the frames that it was sent. */
  readonly bytes: number;
  readonly events: number;
  readonly quarters: number;
}

/** One that acknowledges what it is sent; `isOffline`: nobody is reached. */
export function cloudEnd(clock: Clock, isOffline: boolean): CloudEnd {
  const twin = new CloudTwin();
  twin.nowMs = () => clock.nowMs();
  let bytes = 0;
  const answer = async ({ topic, payload }: Mqtt5Message): Promise<Mqtt5Message | null> => {
    if (topic.endsWith("/presence")) return null;
    bytes += payload.length;
    const message = parseToCloud(await fromFrame(payload, memoryZstd));
    const told = message === null ? null : twin.hear(GATEWAY, message);
    if (told === null) return null;
    return { topic: "", payload: await toFrame(told, memoryZstd), isRetained: false };
  };
  const open: Mqtt5["open"] = async (_request, events) => {
    if (isOffline) throw new Mqtt5Error("nobody is reached", { reasonCode: null });
    let isOpen = true;
    const later = (tell: () => void): void => void clock.timer(ROUND_TRIP_MS, () => isOpen && tell());
    const connection: Mqtt5Connection = {
      isSessionPresent: false,
      receiveMaximum: RECEIVE_MAXIMUM,
      maxPacketBytes: MAX_PACKET_BYTES,
      publish(message, acknowledged) {
        later(() => acknowledged(0));
        void answer(message).then((told) => told !== null && later(() => events.message(told)));
      },
      subscribe: async () => undefined,
      [Symbol.dispose]() {
        if (isOpen) events.closed(null);
        isOpen = false;
      },
    };
    return connection;
  };
  return {
    mqtt5: { open },
    get batches() {
      return twin.batches;
    },
    get bytes() {
      return bytes;
    },
    get events() {
      return twin.memory(GATEWAY).effects.length;
    },
    get quarters() {
      return twin.memory(GATEWAY).telemetry.length;
    },
  };
}
