/** Commands go out until they are answered, whatever else waits, and each has an outcome in the end. */
import { expect, test } from "vitest";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { ask, openSite, type Site, startCopy } from "./copies.ts";
import { batch, boot, hello, record } from "./messages.ts";
import { startGateway } from "./real-gateway.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";
const INSERT = `INSERT INTO command (gateway, id, created_ms, expires_ms, version, method, path, body)
  VALUES ($1, $2, $3, $4, '2024-10-01', 'POST', '/batteries/b/operation-mode', '{"mode":"IDLE"}')`;

async function add({ database }: Site, id: string, validMs: number): Promise<void> {
  await database.rows(INSERT, [NAME, id, Date.now(), Date.now() + validMs]);
}

async function outcomeOf({ database }: Site, id: string): Promise<string | null> {
  const [row] = await database.rows<{ outcome: string | null }>("SELECT outcome FROM command WHERE id = $1", [id]);
  return row?.outcome ?? null;
}

const sent = (gateway: TestGateway, id: string): number =>
  gateway.heard.filter((message) => message.kind === "command" && message.id === id).length;

test("a command that is a row of SQL runs in the gateway, and its answer is in the row", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await startGateway(site.brokerUrl, NAME, new MemoryDisk());
  await gateway.tell(1, 1);
  await until(async () => (await site.database.rows("SELECT FROM record")).length > 0);
  await add(site, "c-1", 60_000);
  expect(await until(() => outcomeOf(site, "c-1"))).toBe("executed");
  expect(gateway.asked).toMatchObject([{ path: "/batteries/b/operation-mode", body: { mode: "IDLE" } }]);
});

test("a command without an answer is sent again while it is valid, though the gateway's records wait", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  await site.database.transact(async (client) => {
    await client.query("SELECT FROM gateway WHERE gateway = $1 FOR UPDATE", [NAME]);
    await gateway.send(batch(1, 1, [record(1)]));
    await add(site, "c-1", 3_600_000);
    await until(() => sent(gateway, "c-1") === 1);
    for (const times of [2, 3]) {
      await until(async () => (await site.database.rows("SELECT FROM command WHERE sent_ms = tried_ms")).length === 1);
      await site.database.rows("UPDATE command SET tried_ms = tried_ms - 600000");
      await until(() => sent(gateway, "c-1") === times);
    }
  });
  expect(await outcomeOf(site, "c-1")).toBeNull();
});

test("a command that expires before it could be sent has that as its outcome", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  {
    await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
    await gateway.meet(hello(NAME, [boot(1)]));
  }
  await site.killBroker();
  await add(site, "c-1", 1_500);
  expect(await until(() => outcomeOf(site, "c-1"))).toBe("expired");
  const { body } = await ask(copy, `/gateways/${NAME}/commands/c-1`);
  expect(body).toMatchObject({ answer: { outcome: "expired", answeredAt: null } });
});

test("a command that was sent and not answered is unanswered, until an answer comes after all", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  await add(site, "c-1", 60_000);
  await until(async () => (await site.database.rows("SELECT FROM command WHERE sent_ms IS NOT NULL")).length === 1);
  await site.database.rows("UPDATE command SET expires_ms = expires_ms - 600000");
  expect(await until(() => outcomeOf(site, "c-1"))).toBe("unanswered");
  const payload = { commandId: "c-1", outcome: "executed", status: 200, contentType: null, body: null, detail: null };
  const answer = record(1, { event: "system:cloud:command-answered", payload });
  await gateway.deliver(batch(1, 1, [answer]));
  expect(await outcomeOf(site, "c-1")).toBe("executed");
});
