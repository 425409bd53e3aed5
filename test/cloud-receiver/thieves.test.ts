/** The brokers by the configuration of the example, and a gateway with a valid certificate of its own that steals. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { IClientOptions, MqttClient } from "mqtt";
import { describe, expect, test } from "vitest";
import { NewToken } from "../../examples/cloud-receiver/src/enrolment.ts";
import { type BrokerKind, SOME_BROKERS } from "./brokers.ts";
import { type Certified, EXAMPLE, type Fleet, openFleet } from "./fleet-folder.ts";
import { until } from "./until.ts";

const LIMIT_MS = 240_000;
/** What a broker does wrongly it does within this. */
const WRONG_MS = 500;
const NUMBERS = Array.from({ length: 30 }, (_, index) => index);

const FILTERS = [
  "#",
  "+/+/+/+",
  "hemgate/#",
  "hemgate/+/up/#",
  "hemgate/house-1/up/#",
  "hemgate/house-1/down/+",
  "hemgate/+/down/+",
  "hemgate.house-1.down.*",
  "gateways/hemgate/+/up/#",
  "gateways/hemgate/house-1/down/+",
  "$MQTT/#",
  "$JS/#",
];
const TOPICS = [
  "hemgate/house-1/up/batch/event",
  "hemgate/house-1/down/ack",
  "hemgate.house-1.up.batch.event",
  "gateways/hemgate/house-1/up/batch/event",
  "gateways/hemgate/house-1/down/ack",
  "hemgate/thief/down/ack",
];

interface Listening {
  readonly client: MqttClient;
  readonly heard: string[];
  readonly isClosed: () => boolean;
}

function listening(client: MqttClient): Listening {
  const heard: string[] = [];
  let isClosed = false;
  client.on("message", (topic, payload) => heard.push(`${topic.replace(/^gateways\//, "")} ${payload}`));
  client.once("close", () => {
    isClosed = true;
  });
  // A broker may end the connection for what it does not allow.
  client.on("error", () => undefined);
  return { client, heard, isClosed: () => isClosed };
}

async function enrolled(fleet: Fleet, name: string): Promise<Certified> {
  await fleet.gateways("add", name);
  return await fleet.enrol(name);
}

/** A gateway as ours is: at its own topic, where it hears what is sent to it. */
async function openHouse(fleet: Fleet, gateway: Certified): Promise<Listening> {
  const house = listening(await fleet.connect(gateway));
  await house.client.subscribeAsync(`hemgate/${gateway.name}/down/+`, { qos: 1 });
  return house;
}

async function refused(connecting: Promise<MqttClient>): Promise<boolean> {
  try {
    await (await connecting).endAsync(true);
    return false;
  } catch {
    return true;
  }
}

async function closing({ client }: Listening): Promise<void> {
  await new Promise<void>((resolve) => client.once("close", () => resolve()));
}

/** NATS refuses a client id for a second after one connection took it from another. Null: it is refused for longer. */
async function connected(fleet: Fleet, thief: Certified, options: IClientOptions = {}): Promise<Listening | null> {
  const client = await until(() => fleet.connect(thief, options).catch(() => null), 3_000).catch(() => null);
  return client === null ? null : listening(client);
}

/** The libraries that the example has. */
const library = createRequire(join(EXAMPLE, "package.json"));

const AT_THE_RECEIVERS_PORT: Readonly<Record<BrokerKind, (fleet: Fleet, thief: Certified) => Promise<unknown>>> = {
  mosquitto: async ({ env, connectWith }, { key, cert }) => {
    const { port } = new URL(env["MQTT_URL"] ?? "");
    return await connectWith({ host: "localhost", port: Number(port), key, cert, username: "receiver", password: "" });
  },
  rabbitmq: async ({ env, folder }, { name, key, cert }) => {
    const { host } = new URL(env["AMQP_URL"] ?? "");
    const ca = readFileSync(join(folder, "servers-ca.pem"));
    return await library("amqplib").connect(`amqps://${name}:@${host}`, { ca, key, cert });
  },
  nats: async ({ env, folder }, { name, key, cert }) => {
    const { host } = new URL(env["NATS_URL"] ?? "");
    const tls = { caFile: join(folder, "servers-ca.pem"), key, cert };
    return await library("@nats-io/transport-node").connect({
      servers: host,
      user: `CN=${name}`,
      pass: "",
      tls,
      reconnect: false,
    });
  },
};

describe.each(SOME_BROKERS)("at %s", (kind) => {
  test(
    "a gateway with a certificate of its own reaches only its own topics, and ends no other one's connection",
    async () => {
      await using fleet = await openFleet(kind);
      const [house1, thief] = [await enrolled(fleet, "house-1"), await enrolled(fleet, "thief")];
      const house = await openHouse(fleet, house1);

      // Its certificate is good for its own topics.
      const own = await openHouse(fleet, thief);
      await own.client.publishAsync("hemgate/thief/up/hello", "mine", { qos: 1 });
      await fleet.send("hemgate/thief/down/ack", "yours");
      expect(await until(() => own.heard[0])).toBe("hemgate/thief/down/ack yours");
      expect(await until(() => fleet.received[0])).toBe("hemgate/thief/up/hello mine");
      await own.client.endAsync(true);

      // What it writes elsewhere arrives nowhere, a will neither.
      for (const topic of TOPICS) {
        const will = { topic, payload: Buffer.from("forged will"), qos: 1 } as const;
        const options: readonly IClientOptions[] = [{}, { will }];
        for (const option of options) {
          const writer = await connected(fleet, thief, option);
          if (option.will === undefined) {
            if (writer === null) throw new Error("it cannot connect at all");
            const written = writer.client.publishAsync(topic, "forged", { qos: 1 }).catch(() => undefined);
            await Promise.race([written, closing(writer)]);
            await writer.client.endAsync(true);
          } else writer?.client.stream.destroy();
        }
      }

      // Under another one's client id, or what a receiver could have.
      const others: Listening[] = [];
      for (const clientId of ["house-1", "~receiver", "receiver", "", ".*"]) {
        const other = await fleet.connect(thief, { clientId }).catch(() => null);
        if (other !== null) others.push(listening(other));
      }
      expect(NewToken.safeParse({ gateway: "~receiver" }).success).toBe(false);

      // What it asks to hear, while house-1 speaks.
      const shared = FILTERS.map((filter) => `$share/receiver/${filter}`);
      const filters = [...FILTERS, ...shared, "$queue/hemgate/+/up/#"];
      for (const filter of filters) {
        const reader = await connected(fleet, thief);
        if (reader === null) throw new Error("it cannot connect at all");
        others.push(reader);
        await Promise.race([reader.client.subscribeAsync(filter, { qos: 1 }).catch(() => undefined), closing(reader)]);
        const at = fleet.received.length;
        await house.client.publishAsync("hemgate/house-1/up/batch/event", filter, { qos: 1 });
        await fleet.send("hemgate/house-1/down/ack", filter);
        await until(() => fleet.received.length > at && house.heard.at(-1)?.endsWith(` ${filter}`));
        await reader.client.endAsync(true);
      }
      const expected = filters.map((filter) => `hemgate/house-1/up/batch/event ${filter}`);
      expect(fleet.received.slice(1)).toEqual(expected);
      await pause(WRONG_MS);
      expect(house.heard).toEqual(filters.map((filter) => `hemgate/house-1/down/ack ${filter}`));
      expect(others.flatMap(({ heard }) => heard)).toEqual([]);
      expect(fleet.received).toHaveLength(1 + filters.length);
      expect(house.isClosed()).toBe(false);
      for (const { client } of [house, ...others]) await client.endAsync(true);
    },
    LIMIT_MS,
  );

  test(
    "nobody connects without a gateway's certificate, and none of these opens the receivers' port",
    async () => {
      await using fleet = await openFleet(kind);
      const thief = await enrolled(fleet, "thief");
      const file = (name: string): string => readFileSync(join(fleet.folder, name), "utf8");
      const foreign = { key: file("server.key"), cert: file("server.pem") };
      const names = [{}, { username: "house-1", password: "" }, { username: "CN=thief", password: "x" }];
      for (const credentials of names) {
        const options = { ...credentials, clientId: "thief" };
        expect(await refused(fleet.connectWith(options))).toBe(true);
        expect(await refused(fleet.connectWith({ ...options, ...foreign }))).toBe(true);
      }
      await expect(AT_THE_RECEIVERS_PORT[kind](fleet, thief)).rejects.toThrow();
      expect(await refused(fleet.connect(thief))).toBe(false);
    },
    LIMIT_MS,
  );

  test(
    "a gateway that is revoked is cut off and comes back neither by its certificate nor by a renewal, and the others stay",
    async () => {
      await using fleet = await openFleet(kind);
      const gateways = [];
      for (const name of ["house-1", "house-2", "house-3"]) gateways.push(await enrolled(fleet, name));
      const [first, second, third] = gateways as [Certified, Certified, Certified];
      const [house1, house2, house3] = [
        await openHouse(fleet, first),
        await openHouse(fleet, second),
        await openHouse(fleet, third),
      ];
      expect(await fleet.renew(third)).toBe(200);
      await fleet.gateways("revoke", "house-1");
      await until(house1.isClosed);
      await until(() => refused(fleet.connect(first)));
      await fleet.gateways("revoke", "house-3");
      await until(house3.isClosed);
      await until(() => refused(fleet.connect(third)));
      expect(await refused(fleet.connect(first))).toBe(true);
      expect(await fleet.renew(first)).toBe(403);
      const at = fleet.received.length;
      for (const number of NUMBERS) {
        await house2.client.publishAsync("hemgate/house-2/up/batch/event", String(number), { qos: 1 });
      }
      await until(() => fleet.received.length >= at + NUMBERS.length);
      expect(fleet.received.slice(at)).toEqual(NUMBERS.map((number) => `hemgate/house-2/up/batch/event ${number}`));
      await fleet.send("hemgate/house-2/down/ack", "yes");
      expect(await until(() => house2.heard[0])).toBe("hemgate/house-2/down/ack yes");
      expect(house2.isClosed()).toBe(false);
      expect(await refused(fleet.connect(await enrolled(fleet, "house-4")))).toBe(false);
      await house2.client.endAsync(true);
    },
    LIMIT_MS,
  );
});
