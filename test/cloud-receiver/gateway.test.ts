/** A gateway's own code at one end, the receiver at the other. */
import { expect, test } from "vitest";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { freePort } from "../free-ports.ts";
import { ask, openSite, type Site, spawnCopy, startCopy } from "./copies.ts";
import { startGateway } from "./real-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";

/** What events tell, in order. */
async function told({ database }: Site): Promise<readonly number[]> {
  const rows = await database.rows<{ payload: { n: number } }>(
    "SELECT payload FROM record WHERE event = 'user:intervention:told' ORDER BY turn, seq",
  );
  return rows.map(({ payload }) => payload.n);
}

/** Resolves when the event and the state of this number are here. */
async function arrived(site: Site, last: number): Promise<void> {
  await until(async () => (await told(site)).includes(last));
  const sql = "SELECT payload FROM entity WHERE entity = 'meter/m'";
  await until(async () => {
    const [state] = await site.database.rows<{ payload: { meter: { n: number } } }>(sql);
    return state?.payload.meter.n === last;
  });
}

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

function copyOf(disk: MemoryDisk): MemoryDisk {
  const copy = new MemoryDisk();
  for (const name of ["critical", "telemetry"] as const) {
    for (const [key, value] of disk.contents(name)) copy.contents(name).set(key, value);
  }
  return copy;
}

test("all that a gateway commits arrives once and in order, over a dead copy, a lost broker and a restart", async () => {
  await using site = await openSite();
  const mortal = await spawnCopy(site);
  await using copy = await startCopy(site);
  const disk = new MemoryDisk();
  {
    await using gateway = await startGateway(site.brokerUrl, NAME, disk);
    await gateway.tell(1, 1_200);
    await until(async () => (await told(site)).length > 0);
    await mortal.kill();
    await gateway.tell(1_201, 1_300);
    await site.restartBroker();
    await gateway.tell(1_301, 1_400);
    await arrived(site, 1_400);
    await gateway.tell(1_401, 1_500);
  }
  await using _again = await startGateway(site.brokerUrl, NAME, disk);
  await arrived(site, 1_500);
  expect(await told(site)).toEqual(upTo(1_500));
  expect((await ask(copy, `/gateways/${NAME}/meters`)).body).toMatchObject({ data: [{ id: "m", n: 1_500 }] });
  expect((await ask(copy, `/gateways/${NAME}`)).body).toMatchObject({ forkedAt: null, isOnline: true });
});

test("a card from a backup begins another epoch, and what both histories told is here once", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  const disk = new MemoryDisk();
  {
    await using gateway = await startGateway(site.brokerUrl, NAME, disk);
    await gateway.tell(1, 40);
    await arrived(site, 40);
  }
  const backup = copyOf(disk);
  {
    await using gateway = await startGateway(site.brokerUrl, NAME, disk);
    await gateway.tell(41, 60);
    await arrived(site, 60);
  }
  await using gateway = await startGateway(site.brokerUrl, NAME, backup);
  await gateway.tell(61, 80);
  await arrived(site, 80);
  expect(await told(site)).toEqual(upTo(80));
  expect(await site.database.rows("SELECT turn FROM stream_position WHERE stream = 'event' ORDER BY turn")).toEqual([
    { turn: 1 },
    { turn: 2 },
  ]);
  const { body } = await ask(copy, `/gateways/${NAME}`);
  expect(body).toMatchObject({ forkedAt: expect.any(String), clonedAt: null });
});

test("what waited on a backup is here once, whatever number each of two cards made of it gives", async () => {
  await using site = await openSite();
  await using _copy = await startCopy(site);
  const disk = new MemoryDisk();
  {
    await using gateway = await startGateway(site.brokerUrl, NAME, disk);
    await gateway.tell(1, 10);
    await arrived(site, 10);
  }
  const original = copyOf(disk);
  {
    await using unheard = await startGateway(`mqtt://127.0.0.1:${await freePort()}`, NAME, disk);
    await unheard.tell(11, 20);
  }
  const cards = [original, copyOf(disk), copyOf(disk)];
  for (const [index, card] of cards.entries()) {
    const from = 21 + index * 10;
    await using gateway = await startGateway(site.brokerUrl, NAME, card);
    await gateway.tell(from, from + 9);
    await arrived(site, from + 9);
  }
  expect((await told(site)).toSorted((one, other) => one - other)).toEqual(upTo(50));
  expect(await site.database.rows("SELECT count(DISTINCT epoch) FROM record")).toEqual([{ count: cards.length }]);
});

test("a body that is JSON's null reaches the gateway's API as one, and another command without a body is another one", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await startGateway(site.brokerUrl, NAME, new MemoryDisk());
  await gateway.tell(1, 1);
  await arrived(site, 1);
  const commands = `/gateways/${NAME}/commands`;
  const request = { method: "PUT", path: "/batteries/b/note" };
  for (const command of [
    { ...request, id: "null", body: null },
    { ...request, id: "none" },
  ]) {
    const { status, body } = await ask(copy, commands, command);
    expect([status, Object.hasOwn(Object(body), "body")]).toEqual([202, "body" in command]);
  }
  expect((await ask(copy, commands, { ...request, id: "null" })).status).toBe(409);
  expect((await ask(copy, commands, { ...request, id: "none", body: null })).status).toBe(409);
  const answerOf = async (id: string): Promise<unknown> =>
    Reflect.get(Object((await ask(copy, `${commands}/${id}`)).body), "answer");
  for (const id of ["null", "none"]) {
    expect(await until(() => answerOf(id))).toMatchObject({ outcome: "executed", status: 200 });
  }
  const sent = { ...request, version: "2024-10-01" };
  expect(gateway.asked).toEqual([{ ...sent, body: null }, sent]);
});

test("a command runs in the gateway once, for the user whom it names, and its answer comes back", async () => {
  await using site = await openSite();
  await using copy = await startCopy(site);
  await using gateway = await startGateway(site.brokerUrl, NAME, new MemoryDisk());
  await gateway.tell(1, 1);
  await arrived(site, 1);
  const commands = `/gateways/${NAME}/commands`;
  const request = { method: "POST", path: "/batteries/b/operation-mode", body: { mode: "IDLE" }, userId: "home" };
  for (const id of ["c-1", "c-1", "c-2"]) {
    expect(await ask(copy, commands, { ...request, id })).toMatchObject({ status: 202 });
  }
  const answered = (id: string): Promise<unknown> =>
    until(async () => {
      const { body } = await ask(copy, `${commands}/${id}`);
      return Reflect.get(Object(body), "answer");
    });
  const answer = { outcome: "executed", status: 200, contentType: "application/json", detail: null };
  expect(await answered("c-2")).toMatchObject({ ...answer, body: { times: 2 } });
  expect(await answered("c-1")).toMatchObject({ ...answer, body: { times: 1 } });
  const sent = { ...request, version: "2024-10-01" };
  expect(gateway.asked).toEqual([sent, sent]);
});
