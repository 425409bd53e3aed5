import { describe, expect, it } from "vitest";
import type { BrokerMessage } from "../../../src/platform/ports/ports.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";

const URL = "mqtt://10.0.0.9";
const message = (topic: string, text: string, isRetained = false): BrokerMessage => ({
  topic,
  payload: new TextEncoder().encode(text),
  isRetained,
});
const shown = ({ topic, payload, isRetained }: BrokerMessage) =>
  `${topic}=${Buffer.from(payload)}${isRetained ? " kept" : ""}`;

function start() {
  const world = new World({ seed: 3 });
  const broker = world.mqtt.broker(URL);
  const process = world.boot("gateway", new MemoryDisk());
  const connect = (more = {}) => process.platform.mqtt.connect({ url: URL, ...more });
  return { world, broker, process, connect };
}

describe("a link", () => {
  it("hears what is kept, marked so, and then what is published", async () => {
    const { world, broker, connect } = start();
    await broker.publish(message("a/1", "old", true));
    const heard: string[] = [];
    using link = connect();
    link.subscribe("a/+", (given) => heard.push(shown(given)));
    await world.clock.advance(100);
    await broker.publish(message("a/1", "new", true));
    await broker.publish(message("b", "other"));
    await world.clock.advance(100);
    expect(heard).toEqual(["a/1=old kept", "a/1=new"]);
  });

  it("finds its way back with growing pauses, and listens again", async () => {
    const { world, broker, connect } = start();
    const heard: string[] = [];
    const seen: boolean[] = [];
    using link = connect();
    link.observe((isConnected) => seen.push(isConnected));
    link.subscribe("a", (given) => heard.push(shown(given)));
    await world.clock.advance(100);
    broker.stop();
    await world.clock.advance(600_000);
    expect(link.isConnected).toBe(false);
    expect(link.failure?.message).toContain("ECONNREFUSED");
    broker.start();
    await broker.publish(message("a", "meanwhile", true));
    await world.clock.advance(61_000);
    expect(seen).toEqual([true, false, true]);
    expect(heard).toEqual(["a=meanwhile kept"]);
  });

  it("sends nothing later that could not be sent now", async () => {
    const { world, broker, connect } = start();
    broker.stop();
    using link = connect();
    await world.clock.advance(100);
    await expect(link.publish(message("a", "on"))).rejects.toMatchObject({ kind: "unreachable" });
    broker.start();
    await world.clock.advance(61_000);
    expect(link.isConnected).toBe(true);
    expect(broker.published).toEqual([]);
  });

  it("says that nobody acknowledged after five seconds", async () => {
    const { world, broker, connect } = start();
    using link = connect();
    await world.clock.advance(100);
    broker.loseNext(1);
    const sent = link.publish(message("a", "on")).catch((error: unknown) => error);
    await world.clock.advance(5_100);
    expect(await sent).toMatchObject({ kind: "unreachable", message: "publish a: not finished within 5000 ms" });
    await world.clock.resolve(link.publish(message("a", "on")), 1_000);
    expect(broker.published.map(shown)).toEqual(["a=on"]);
  });

  it("rejects what waits for its acknowledgement when the connection ends", async () => {
    const { world, broker, connect } = start();
    using link = connect();
    await world.clock.advance(100);
    broker.loseNext(1);
    const sent = link.publish(message("a", "on")).catch((error: unknown) => error);
    await world.clock.advance(10);
    broker.disconnectAll();
    await world.clock.advance(10);
    expect(await sent).toMatchObject({ kind: "unreachable", message: "publish a: the broker closed the connection" });
  });

  it("leaves its will when its process dies, and none when it is closed", async () => {
    const { world, broker, process, connect } = start();
    connect({ will: message("status", "dead", true) });
    using gone = connect({ will: message("other", "dead", true) });
    await world.clock.advance(100);
    gone[Symbol.dispose]();
    process.kill();
    expect([...broker.retained]).toEqual([["status", "dead"]]);
  });

  it("goes on when a listener throws", async () => {
    const { world, broker, connect } = start();
    const heard: string[] = [];
    using link = connect();
    link.subscribe("a", () => {
      throw new Error("no such field");
    });
    link.subscribe("a", (given) => heard.push(shown(given)));
    await world.clock.advance(100);
    await broker.publish(message("a", "1"));
    await world.clock.advance(100);
    expect(heard).toEqual(["a=1"]);
  });

  it("shows which credentials the server does not take", async () => {
    const { world, process } = start();
    world.mqtt.broker("mqtt://guarded", { signIn: async () => null, rightsOf: () => null });
    using link = process.platform.mqtt.connect({ url: "mqtt://guarded", username: "x" });
    await world.clock.advance(100);
    expect(link.failure).toMatchObject({ kind: "unauthorized" });
  });

  it("refuses what is no filter, no topic, or no server", async () => {
    const { connect, process } = start();
    using link = connect();
    expect(() => link.subscribe("a/#/b", () => undefined)).toThrow(RangeError);
    await expect(link.publish(message("a/+", ""))).rejects.toThrow(RangeError);
    for (const url of ["http://x", "mqtt://", "mqtt://u:p@x", "mqtt://x/path", "x"]) {
      expect(() => process.platform.mqtt.connect({ url })).toThrow("not the URL of an MQTT server");
    }
  });

  it("holds nothing once it is closed", async () => {
    const { world, broker, process, connect } = start();
    const link = connect();
    link.subscribe("a", () => undefined);
    await world.clock.advance(100);
    await broker.publish(message("a", "1"));
    link[Symbol.dispose]();
    await world.clock.advance(0);
    expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
    expect(broker.clients).toBe(0);
  });
});
