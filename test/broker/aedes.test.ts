import mqtt, { type MqttClient } from "mqtt";
import { afterEach, describe, expect, it } from "vitest";
import { openAedesBroker } from "../../src/broker/aedes.ts";
import type { Broker } from "../../src/platform/ports.ts";

const quiet = { info: () => undefined, warn: () => undefined };
const access = {
  authenticate: (name: string, secret: string) => Promise.resolve(name === "app" && secret === "right"),
};
const bytes = (text: string) => new TextEncoder().encode(text);

let broker: Broker;
const clients: MqttClient[] = [];

async function open(): Promise<void> {
  broker = await openAedesBroker({ host: "127.0.0.1", port: 0 }, access, quiet);
}

function connect(password: string): MqttClient {
  const client = mqtt.connect({
    host: "127.0.0.1",
    port: broker.address.port,
    username: "app",
    password,
    reconnectPeriod: 0,
    protocolVersion: 4,
  });
  clients.push(client);
  return client;
}

const next = (client: MqttClient, event: string) =>
  new Promise<unknown[]>((resolve) => client.once(event as "message", (...all: unknown[]) => resolve(all)));

describe("the embedded MQTT broker", () => {
  afterEach(async () => {
    for (const client of clients.splice(0)) client.end(true);
    await broker[Symbol.asyncDispose]();
  });

  it("gives a later subscriber the retained state", async () => {
    await open();
    await broker.publish({ topic: "hemgate/meter/1", payload: bytes("4.2"), isRetained: true });
    const client = connect("right");
    const message = next(client, "message");
    client.subscribe("hemgate/#");
    const [topic, payload] = await message;
    expect([topic, String(payload)]).toEqual(["hemgate/meter/1", "4.2"]);
  });

  it("refuses a wrong secret", async () => {
    await open();
    const [error] = await next(connect("wrong"), "error");
    expect(error).toMatchObject({ code: 4 });
  });

  it("cuts off a client that publishes", async () => {
    await open();
    const client = connect("right");
    await next(client, "connect");
    const gone = next(client, "close");
    client.publish("hemgate/meter/1", "0");
    await gone;
  });

  it("does not let clients read the broker's own topics", async () => {
    await open();
    const client = connect("right");
    await next(client, "connect");
    await expect(client.subscribeAsync("$SYS/#")).rejects.toThrow();
  });

  it("says which address is taken", async () => {
    await open();
    await expect(openAedesBroker(broker.address, access, quiet)).rejects.toThrow(
      `the MQTT broker cannot listen on 127.0.0.1:${broker.address.port}`,
    );
  });
});
