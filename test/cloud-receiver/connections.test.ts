/** What a copy asks of its connections: they may break at any moment, and what is small leaves at once. */
import { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { inTransaction, openPool } from "../../examples/cloud-receiver/src/database.ts";
import { openSite, spawnCopy, startCopy } from "./copies.ts";
import { batch, boot, EPOCH, hello, records } from "./messages.ts";
import { testDatabase } from "./test-database.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";
/** Longer than a socket of a server that ended its process takes to say so. */
const NOTICE_MS = 200;

test("a connection to PostgreSQL that goes between two statements of a transaction rejects it, and nothing else", async () => {
  await using database = await testDatabase();
  const pool = openPool(database.url, 2);
  const broken = inTransaction(pool, async (client) => {
    await database.endConnections();
    await pause(NOTICE_MS);
    await client.query("SELECT 1");
  });
  await expect(broken).rejects.toThrow();
  await inTransaction(pool, (client) => client.query("SELECT 1"));
  await pool.end();
});

test("a copy whose connections to PostgreSQL go again and again lives, and takes all", async () => {
  await using site = await openSite();
  const copy = await spawnCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  for (let last = 3; last <= 60; last += 3) {
    await gateway.send(batch(last - 2, last, records(last - 2, last)));
    await site.database.endConnections();
  }
  const all = Array.from({ length: 20 }, (_, index) =>
    batch(index * 3 + 1, index * 3 + 3, records(index * 3 + 1, index * 3 + 3)),
  );
  await gateway.deliver(...all);
  expect(gateway.acked("event", EPOCH)).toBe(60);
  expect(copy.isRunning()).toBe(true);
  await copy.kill();
});

test("each connection of a copy to its broker sends what is small at once (Nagle's algorithm is off)", async () => {
  await using site = await openSite();
  const remote = new Set<Socket>();
  const setNoDelay = Socket.prototype.setNoDelay;
  const spy = vi.spyOn(Socket.prototype, "setNoDelay").mockImplementation(function (this: Socket, isOff) {
    if (isOff !== false) remote.add(this);
    return setNoDelay.call(this, isOff);
  });
  await using _copy = await startCopy(site);
  const ofBroker = (): number => [...remote].filter(({ remotePort }) => remotePort === site.brokerPort).length;
  // Two workers and the one that sends.
  await until(() => ofBroker() === 3);
  spy.mockRestore();
});
