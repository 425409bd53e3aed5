/** The receiver between real programs: Mosquitto, PostgreSQL and, where it dies, a process of its own. */
import { expect, test } from "vitest";
import type { Batch } from "../../src/sync/protocol/index.ts";
import { openSite, openWire, type Site, spawnCopy, startCopy } from "./copies.ts";
import { batch, boot, EPOCH, hello, NEXT_EPOCH, record, records } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

/** The first byte of a SUBSCRIBE packet (MQTT 5, 3.8.1). */
const MQTT_SUBSCRIBE = 0x82;

function batches(count: number, size: number, stream = "event"): readonly Batch[] {
  return Array.from({ length: count }, (_, index) => {
    const from = index * size + 1;
    return batch(from, from + size - 1, records(from, from + size - 1), { stream });
  });
}

async function kept({ database }: Site, gateway: string): Promise<readonly number[]> {
  const sql = "SELECT seq FROM record WHERE gateway = $1 ORDER BY turn, seq";
  const rows = await database.rows<{ seq: number }>(sql, [gateway]);
  return rows.map(({ seq }) => seq);
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

test("what three gateways send through two copies at once, twice and out of order, is kept once and in order", async () => {
  await using site = await openSite();
  await using _one = await startCopy(site);
  await using _two = await startCopy(site);
  const deliver = async (name: string): Promise<void> => {
    await using gateway = await TestGateway.connect(site.brokerUrl, name);
    expect(await gateway.meet(hello(name, [boot(1)]))).toMatchObject({ isFork: false, window: 8 });
    const all = batches(24, 10);
    for (let at = 0; at < all.length; at += 8) {
      const window = all.slice(at, at + 8);
      await gateway.deliver(...window.toReversed(), ...window.slice(0, 3));
    }
    expect(gateway.acked("event", EPOCH)).toBe(240);
  };
  const names = ["house-1", "house-2", "house-3"];
  await Promise.all(names.map(deliver));
  for (const name of names) expect(await kept(site, name)).toEqual(upTo(240));
});

test("a batch whose predecessor never comes is answered with what is missing", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.send(batch(4, 6, records(4, 6)));
  const ack = await until(() => gateway.heard.find(({ kind }) => kind === "ack"));
  const missing = [{ from: 1, through: 3 }];
  expect(ack).toEqual({ v: 1, kind: "ack", stream: "event", epoch: EPOCH, through: 0, missing });
  expect(await kept(site, "house-1")).toEqual([]);
  await gateway.deliver(batch(1, 3, records(1, 3)), batch(4, 6, records(4, 6)));
  expect(await kept(site, "house-1")).toEqual(upTo(6));
});

test("a copy that dies between its commit and its acknowledgement leaves nothing to be kept twice", async () => {
  await using site = await openSite();
  await using wire = await openWire(site.brokerPort);
  const dying = await spawnCopy(site, { MQTT_URL: wire.url });
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  wire.cutUpwards();
  await gateway.send(batch(1, 3, records(1, 3)));
  await until(async () => (await kept(site, "house-1")).length === 3);
  await dying.kill();
  expect(gateway.acked("event", EPOCH)).toBe(0);
  const next = await spawnCopy(site);
  await gateway.deliver(batch(1, 3, records(1, 3)), batch(4, 5, records(4, 5)));
  expect(await kept(site, "house-1")).toEqual(upTo(5));
  await next.kill();
});

test("a new epoch goes on after the one before, with what had arrived not kept again", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.deliver(batch(1, 3, records(1, 3)));
  const restored = [boot(1, "gone"), boot(2, "restored")];
  expect(await gateway.meet(hello("house-1", restored))).toMatchObject({ isFork: true });
  expect(await gateway.meet(hello("house-1", restored, NEXT_EPOCH))).toMatchObject({ isFork: false });
  const again = record(1, { ...record(3), seq: 1, was: [{ epoch: EPOCH, seq: 3 }] });
  await gateway.deliver(batch(1, 2, [again, record(2, { boot: 2 })], { epoch: NEXT_EPOCH }));
  await gateway.send(batch(4, 4, records(4, 4)));
  await gateway.deliver(batch(3, 3, records(3, 3), { epoch: NEXT_EPOCH }));
  const rows = await site.database.rows("SELECT epoch, seq FROM record ORDER BY turn, seq");
  const places = [1, 2, 3].map((seq) => ({ epoch: EPOCH, seq }));
  expect(rows).toEqual([...places, { epoch: NEXT_EPOCH, seq: 2 }, { epoch: NEXT_EPOCH, seq: 3 }]);
});

test("a database that is away for a while costs no message", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  const giveBack = await site.database.takeAway();
  await gateway.send(batch(1, 3, records(1, 3)));
  await until(() => copy.warnings.some((line) => line.includes('"isTriedAgain":true')));
  await giveBack();
  await until(() => gateway.acked("event", EPOCH) === 3);
  expect(await kept(site, "house-1")).toEqual(upTo(3));
});

test("a broker that comes back without its sessions is subscribed to again", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using before = await TestGateway.connect(site.brokerUrl, "house-1");
  await before.meet(hello("house-1", [boot(1)]));
  await site.restartBroker();
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.deliver(batch(1, 3, records(1, 3)));
  expect(await kept(site, "house-1")).toEqual(upTo(3));
});

test("a broker that goes away while it is subscribed to is subscribed to when it is back", async () => {
  await using site = await openSite();
  let subscribed = 0;
  await using wire = await openWire(site.brokerPort, (sent) => {
    if (sent[0] !== MQTT_SUBSCRIBE) return false;
    subscribed += 1;
    return subscribed === 1;
  });
  await using _copy = await startCopy({ ...site, brokerSettings: { MQTT_URL: wire.url } });
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.deliver(batch(1, 3, records(1, 3)));
  expect(await kept(site, "house-1")).toEqual(upTo(3));
});

test("what is no message, breaks the contract or speaks in another's name is refused, and nothing waits for it", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.publish("hello", "no JSON");
  await gateway.publish("hello", JSON.stringify(hello("house-2", [boot(1)])));
  await gateway.meet(hello("house-1", [boot(1)]));
  await gateway.publish("batch/event", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]));
  await gateway.publish("batch/dreams", JSON.stringify(batch(1, 1, records(1, 1), { stream: "dreams" })));
  await gateway.publish("batch/event", JSON.stringify(batch(1, 2, records(1, 1))));
  await gateway.deliver(batch(1, 1, records(1, 1)));
  await until(() => gateway.heard.filter(({ kind }) => kind === "ack").length === 2);
  expect(await site.database.rows("SELECT gateway FROM gateway")).toEqual([{ gateway: "house-1" }]);
  // A frame that is refused is kept before it is answered, so that one after it may be answered first.
  const sorted = (kind: string, by: string) =>
    gateway.heard.filter((each) => each.kind === kind).toSorted((one, other) => compare(one, other, by));
  expect(sorted("refusal", "reason")).toMatchObject([
    { of: null, reason: "a frame cannot be unpacked" },
    { of: null, reason: "a frame is no JSON" },
    { of: "hello", reason: "hello: house-2 wrote as house-1" },
  ]);
  const untold = [{ from: 2, through: 2, reason: "neither a record nor in a gap" }];
  const acks = sorted("ack", "through");
  expect(acks.filter((ack) => "refused" in ack && Array.isArray(ack.refused) && ack.refused.length > 0)).toMatchObject([
    { through: 2, refused: untold },
  ]);
  // The record that came again is acknowledged with what was refused, where that was answered first.
  expect([1, 2]).toContain(acks.map((ack) => ("through" in ack ? ack.through : null))[0]);
  expect(copy.warnings.filter((line) => line.includes('"isTriedAgain":true'))).toEqual([]);
});

test("a gateway that speaks no version that is known is told so", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, "house-1");
  await gateway.publish("hello", JSON.stringify({ ...hello("house-1", [boot(1)]), versions: [2, 3] }));
  const goodbye = await until(() => gateway.heard.find(({ kind }) => kind === "goodbye"));
  expect(goodbye).toMatchObject({ reason: "version" });
});

function compare(one: object, other: object, key: string): number {
  const text = (value: object): string => String(Object.entries(value).find(([name]) => name === key)?.[1]);
  return text(one).localeCompare(text(other));
}
