/** What breaks the contract is refused once and for good, kept aside and shown; nobody waits for it. */
import { expect, test } from "vitest";
import { zstd } from "../../src/platform/node/zstd.ts";
import type { Ack } from "../../src/sync/protocol/index.ts";
import { ask, openSite, type Site, startCopy } from "./copies.ts";
import { batch, boot, EPOCH, hello, NEXT_EPOCH, record, records } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";
/** Much less than a gateway waits before it sends again, or a worker was held. */
const SOON_MS = 15_000;

const DEEP = `${'{"a":['.repeat(2_000)}1${"]}".repeat(2_000)}`;

/** As JSON, with a payload in the place of the one that it has: no writer of JSON goes 4,000 levels deep. */
function frameOf(message: object, payload: string): Promise<Uint8Array> {
  return zstd.pack(Buffer.from(JSON.stringify(message).replace('"payload":"here"', `"payload":${payload}`)));
}

function losses(count: number, from: number): unknown {
  const epochs = Array.from({ length: count }, (_, index) => (from + index).toString(16).padStart(16, "0"));
  return { gaps: epochs.map((epoch) => ({ epoch, stream: "event", from: 1, through: 1_000_000 })) };
}

async function kept({ database }: Site, gateway = NAME): Promise<readonly number[]> {
  const rows = await database.rows<{ seq: number }>("SELECT seq FROM record WHERE gateway = $1 ORDER BY turn, seq", [
    gateway,
  ]);
  return rows.map(({ seq }) => seq);
}

async function acked(gateway: TestGateway, through: number): Promise<Ack> {
  return await until(() => {
    const acks = gateway.heard.filter((message): message is Ack => message.kind === "ack");
    return acks.find((ack) => ack.through >= through);
  }, SOON_MS);
}

test.each([
  ["nested 4,000 deep", { payload: "here" }, DEEP, "objects and arrays"],
  ["that tells of 1,000 losses", { event: "system:outbox:gap", payload: losses(1_000, 1) }, "", "payload.gaps"],
  [
    "that tells of a loss in an epoch of 8 kB",
    {
      event: "system:outbox:gap",
      payload: { gaps: [{ epoch: "a".repeat(8_192), stream: "event", from: 1, through: 2 }] },
    },
    "",
    "payload.gaps.0.epoch",
  ],
])("a record %s is refused, and those beside it are kept", async (_what, wrong, payload, reason) => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  const sent = batch(1, 3, [record(1), record(2, wrong), record(3)]);
  await gateway.publish("batch/event", await frameOf({ ...sent, bootId: "boot-1" }, payload));
  const ack = await acked(gateway, 3);
  expect(ack).toMatchObject({ through: 3, missing: [] });
  expect(ack.refused).toEqual([{ from: 2, through: 2, reason: expect.stringContaining(reason) }]);
  expect(await kept(site)).toEqual([1, 3]);
  const { body } = await ask(copy, "/dead-letters");
  const [letter] = Reflect.get(Object(body), "data") as readonly { readonly id: number }[];
  expect(letter).toMatchObject({ gateway: NAME, stream: "event", epoch: EPOCH, times: 1, refused: ack.refused });
  expect((await ask(copy, `/gateways/${NAME}/dead-letters/${letter?.id}`)).status).toBe(200);
  expect((await ask(copy, `/gateways/${NAME}/events`)).body).toMatchObject({
    data: [{ place: { seq: 3 } }, { hole: { from: 2, through: 2, reason: "malformed" } }, { place: { seq: 1 } }],
  });
});

test("as many losses as the contract allows take no time", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  const told = Array.from({ length: 100 }, (_, index) =>
    record(index + 1, { event: "system:outbox:gap", payload: losses(100, index * 100 + 1) }),
  );
  await gateway.send(batch(1, 100, told));
  expect(await acked(gateway, 100)).not.toHaveProperty("refused");
  expect(await site.database.rows("SELECT count(*) FROM gap")).toEqual([{ count: 10_000 }]);
});

test("a message that cannot be read is answered with the reason, once kept, and counted when it comes again", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  for (let turn = 0; turn < 3; turn += 1) {
    await gateway.send(batch(1, 1, records(1, 1), { epoch: "a".repeat(8_192) }));
  }
  await until(() => gateway.heard.filter(({ kind }) => kind === "refusal").length === 3, SOON_MS);
  expect(gateway.heard.find(({ kind }) => kind === "refusal")).toMatchObject({
    of: "batch",
    reason: expect.stringContaining("epoch"),
  });
  const { body } = await ask(copy, `/gateways/${NAME}/dead-letters`);
  expect(body).toMatchObject({ data: [{ times: 3, reason: expect.stringContaining("epoch"), stream: null }] });
  await gateway.deliver(batch(1, 1, records(1, 1)));
});

test("a record that only the database refuses is found, and those beside it are kept", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await site.database.rows("ALTER TABLE record ADD CHECK (payload::text NOT LIKE '%poison%')");
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  const told = records(1, 20).map((each) => (each.seq === 13 ? { ...each, payload: "poison" } : each));
  await gateway.send(batch(1, 20, told));
  expect((await acked(gateway, 20)).refused).toMatchObject([{ from: 13, through: 13 }]);
  expect(await kept(site)).toEqual(records(1, 20).flatMap(({ seq }) => (seq === 13 ? [] : [seq])));
});

test("a gateway whose batches wait for a lock holds up no other one", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using slow = await TestGateway.connect(site.brokerUrl, NAME);
  await slow.meet(hello(NAME, [boot(1)]));
  await using other = await TestGateway.connect(site.brokerUrl, "house-2");
  await other.meet(hello("house-2", [boot(1)]));
  await site.database.transact(async (client) => {
    await client.query("SELECT FROM gateway WHERE gateway = $1 FOR UPDATE", [NAME]);
    for (let turn = 0; turn < 40; turn += 1) await slow.send(batch(1, 3, records(1, 3)));
    for (let from = 1; from <= 10; from += 1) {
      await other.send(batch(from, from, records(from, from)));
      await until(() => other.acked("event", EPOCH) >= from, SOON_MS);
    }
    expect(slow.acked("event", EPOCH)).toBe(0);
  });
  await slow.deliver(batch(1, 3, records(1, 3)));
  expect(await kept(site)).toEqual([1, 2, 3]);
});

test("a gateway that sends without end what follows nothing holds up no other one", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using odd = await TestGateway.connect(site.brokerUrl, NAME);
  await odd.meet(hello(NAME, [boot(1)], NEXT_EPOCH));
  await using other = await TestGateway.connect(site.brokerUrl, "house-2");
  await other.meet(hello("house-2", [boot(1)]));
  for (let turn = 0; turn < 100; turn += 1) await odd.send(batch(9, 9, records(9, 9), { epoch: NEXT_EPOCH }));
  await other.send(batch(1, 1, records(1, 1)));
  await until(() => other.acked("event", EPOCH) === 1, SOON_MS);
});
