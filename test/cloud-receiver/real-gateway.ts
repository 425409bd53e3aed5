/** A gateway's own outbox, session, commands and uplink, in real time. */

import { nodeMqtt5 } from "../../src/platform/node/mqtt/node-mqtt5.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { zstd } from "../../src/platform/node/zstd.ts";
import type { Disk, Log } from "../../src/platform/ports/ports.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { CloudRequest } from "../../src/store/records/cloud/cloud-command.ts";
import type { NewJournalEntry, OpenedStore } from "../../src/store/store.ts";
import { type Cloud, type CloudOptions, createCloud } from "../../src/sync/cloud/create-cloud.ts";
import { routesOf } from "../../src/sync/cloud/routes.ts";
import { MqttUplink } from "../../src/sync/uplink/mqtt-uplink.ts";
import type { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { TestLog } from "../../src/testing/test-log.ts";

const EVENT = "user:intervention:told";
/** Room for all that waits while a broker starts again and again: with less, commands are refused. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
const clock = nodeClock(() => "synced");

export async function openGatewayStore(disk: Disk, log: Log): Promise<OpenedStore> {
  const store = await openStore({ disk, clock, random: nodeRandom, log, routes: routesOf });
  await store.outbox.open(() => []);
  return store;
}

export interface CloudParts extends Pick<CloudOptions, "snapshot" | "api" | "log"> {
  readonly store: OpenedStore;
  readonly brokerUrl: string;
  readonly gateway: string;
  readonly keepaliveSeconds?: number;
}

/** Tells the cloud service what is in the store, by whichever version of MQTT the broker speaks. */
export function connectGateway({ brokerUrl, gateway, keepaliveSeconds, ...parts }: CloudParts): Cloud {
  const uplink = new MqttUplink({
    mqtt5: nodeMqtt5({ clock }),
    clock,
    gateway,
    servers: [brokerUrl],
    topicPrefix: "hemgate",
    sessionExpirySeconds: 0,
    keepaliveSeconds,
    credentials: async () => ({}),
  });
  return createCloud({
    ...parts,
    clock,
    // The shortest pauses: nobody else comes back at the same time.
    random: { ...nodeRandom, next: () => 0 },
    uplink,
    zstd,
    gateway,
    software: "hemgate/test",
    maxEventBytes: MAX_EVENT_BYTES,
    devices: () => [],
  });
}

export interface RealGateway extends AsyncDisposable {
  /** What its API was asked. */
  readonly asked: readonly CloudRequest[];
  /** Commits so many events in one batch, numbered from one, with a state of a meter that has the last of them. */
  tell(from: number, through: number): Promise<void>;
}

export async function startGateway(brokerUrl: string, gateway: string, disk: MemoryDisk): Promise<RealGateway> {
  const log = new TestLog();
  const store = await openGatewayStore(disk, log);
  let state: NewJournalEntry | null = null;
  const asked: CloudRequest[] = [];
  const cloud = connectGateway({
    store,
    brokerUrl,
    gateway,
    log,
    snapshot: () => (state === null ? [] : [state]),
    api: {
      async ask(request) {
        asked.push(request);
        return { status: 200, contentType: "application/json", body: JSON.stringify({ times: asked.length }) };
      },
      isRepeatable: () => false,
    },
  });
  return {
    asked,
    async tell(from, through) {
      const numbers = Array.from({ length: through - from + 1 }, (_, index) => from + index);
      const events = numbers.map((n): NewJournalEntry => ({ event: EVENT, payload: { n } }));
      state = { event: "user:meter:updated", payload: { meter: { id: "m", n: through } } };
      await store.commit([], [...events, state]);
    },
    async [Symbol.asyncDispose]() {
      await cloud[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}
