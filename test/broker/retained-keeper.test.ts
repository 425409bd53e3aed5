import { expect, test } from "vitest";
import { RetainedKeeper } from "../../src/broker/retained-keeper.ts";
import { RetainedMessages } from "../../src/broker/retained-messages.ts";
import type { KeptMessage } from "../../src/platform/ports/ports.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function open(bytesPerDay = 1_048_576) {
  const clock = new VirtualClock();
  const stored = new Map<string, string>();
  const writes: string[] = [];
  const storage = {
    load: () => [],
    write: (topic: string, message: KeptMessage | null) => {
      writes.push(topic);
      if (message === null) stored.delete(topic);
      else stored.set(topic, Buffer.from(message.payload).toString());
    },
  };
  const keeper = new RetainedKeeper({ clock, storage, bytesPerDay });
  const limits = { retainedMessages: 2_000, retainedBytes: 4_194_304 };
  const retained = new RetainedMessages(limits, (topic, message) => keeper.changed(topic, message));
  const put = (topic: string, text: string, isOwn = false) =>
    retained.put({ topic, payload: Buffer.from(text), qos: 1 }, isOwn);
  return { clock, stored, writes, keeper, put };
}

test("what clients retain is stored within minutes, what they take away is taken away", async () => {
  const { clock, stored, put } = open();
  put("plug/LWT", "online");
  put("plug/old", "x");
  await clock.advance(6 * MINUTE_MS);
  expect([...stored]).toEqual([
    ["plug/LWT", "online"],
    ["plug/old", "x"],
  ]);
  put("plug/old", "");
  await clock.advance(15 * MINUTE_MS);
  expect([...stored.keys()]).toEqual(["plug/LWT"]);
});

test("the gateway's own topics are not stored: they are published anew", async () => {
  const { clock, writes, put } = open();
  put("hemgate/meter/1", "{}", true);
  await clock.advance(DAY_MS);
  expect(writes).toEqual([]);
});

test("a topic that changes every five seconds is written a few times a day", async () => {
  const { clock, writes, put } = open();
  for (let at = 0; at < DAY_MS; at += 30_000) {
    put("meter/power", String(at));
    await clock.advance(30_000);
  }
  expect(writes.length).toBeLessThan(15);
});

test("a day's writes stay within its bytes, whatever clients do", async () => {
  const { clock, writes, put } = open(100_000);
  for (let minute = 0; minute < 1_440; minute += 1) {
    put(`topic/${minute}`, "x".repeat(1_000));
    await clock.advance(MINUTE_MS);
  }
  expect(writes.length).toBeGreaterThan(90);
  expect(writes.length * 1_060).toBeLessThan(151_000);
});

test("a stop stores what waits", () => {
  const { stored, keeper, put } = open();
  put("plug/LWT", "online");
  keeper[Symbol.dispose]();
  expect([...stored]).toEqual([["plug/LWT", "online"]]);
});
