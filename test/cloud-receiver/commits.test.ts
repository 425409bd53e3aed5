/** A copy that dies before its commit has acknowledged nothing: neither to the gateway, nor to the broker. */
import { expect, test } from "vitest";
import { SOME_BROKERS } from "./brokers.ts";
import { ask, openSite, openWire, type Site, spawnCopy, startCopy } from "./copies.ts";
import { withHeldCommits } from "./held-commits.ts";
import { batch, boot, EPOCH, hello, NEXT_EPOCH, records } from "./messages.ts";
import { TestGateway } from "./test-gateway.ts";
import { until } from "./until.ts";

const NAME = "house-1";
/** The type of a PUBACK packet, in the upper half of its first byte (MQTT 5, 3.4.1). */
const MQTT_PUBACK = 4;

async function kept({ database }: Site): Promise<readonly number[]> {
  const rows = await database.rows<{ seq: number }>("SELECT seq FROM record ORDER BY turn, seq");
  return rows.map(({ seq }) => seq);
}

/** What a copy sends takes one way: when a command has come, all has come that it sent before. */
async function expectNothingSent(copy: { readonly port: number }, gateway: TestGateway): Promise<void> {
  const before = gateway.heard.length;
  const command = { id: "last", method: "GET", path: "/batteries" };
  expect(await ask(copy, `/gateways/${NAME}/commands`, command)).toMatchObject({ status: 202 });
  await until(() => gateway.heard.some(({ kind }) => kind === "command"));
  expect(gateway.heard.slice(before).map(({ kind }) => kind)).toEqual(["command"]);
}

test.each(SOME_BROKERS)("a copy that dies before its commit has acknowledged nothing, by %s", async (kind) => {
  await using site = await openSite(kind);
  const dying = await spawnCopy(site);
  const version = kind === "mosquitto" ? 5 : 4;
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME, version);
  await gateway.meet(hello(NAME, [boot(1)]));
  await withHeldCommits(site.database, async (commits) => {
    await gateway.send(batch(1, 3, records(1, 3)));
    await commits.asked();
    await expectNothingSent(dying, gateway);
    await dying.kill();
    await commits.refuse();
    expect(await kept(site)).toEqual([]);
  });
  expect(gateway.acked("event", EPOCH)).toBe(0);
  await using _next = await startCopy(site);
  // What a broker of MQTT had given to the dead copy it gives to nobody; the others have it still.
  if (kind === "mosquitto") await gateway.deliver(batch(1, 3, records(1, 3)));
  await until(() => gateway.acked("event", EPOCH) === 3);
  expect(await kept(site)).toEqual([1, 2, 3]);
  await gateway.deliver(batch(1, 3, records(1, 3)), batch(4, 5, records(4, 5)));
  expect(await kept(site)).toEqual([1, 2, 3, 4, 5]);
});

test("a broker of MQTT is told that a frame was taken after the commit only, and a copy takes no more meanwhile", async () => {
  await using site = await openSite();
  let acknowledged = 0;
  await using wire = await openWire(site.brokerPort, (sent) => {
    acknowledged += packetTypes(sent).filter((type) => type === MQTT_PUBACK).length;
    return false;
  });
  await using copy = await startCopy({ ...site, brokerSettings: { MQTT_URL: wire.url } });
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  await until(() => acknowledged === 1);
  await withHeldCommits(site.database, async (commits) => {
    await gateway.send(batch(1, 3, records(1, 3)));
    await commits.asked();
    await expectNothingSent(copy, gateway);
    expect(acknowledged).toBe(1);
  });
  await until(() => acknowledged === 2);
  await until(() => gateway.acked("event", EPOCH) === 3);
});

test("a copy that dies before the commit of a hello has welcomed nobody", async () => {
  await using site = await openSite();
  const dying = await spawnCopy(site);
  await using gateway = await TestGateway.connect(site.brokerUrl, NAME);
  await gateway.meet(hello(NAME, [boot(1)]));
  const before = gateway.heard.length;
  const next = hello(NAME, [boot(1), boot(2)], NEXT_EPOCH);
  await withHeldCommits(site.database, async (commits) => {
    await gateway.publish("hello", JSON.stringify(next));
    await commits.asked();
    await expectNothingSent(dying, gateway);
    await dying.kill();
    await commits.refuse();
  });
  await using _next = await startCopy(site);
  expect(gateway.heard.slice(before).filter(({ kind }) => kind === "welcome")).toEqual([]);
  expect(await gateway.meet(next)).toMatchObject({ isFork: false, knownBoot: boot(1) });
});

/** Of whole packets: the type of each, the upper half of its first byte (MQTT 5, 2.1.1). */
function packetTypes(bytes: Buffer): readonly number[] {
  const types: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    types.push((bytes[at] ?? 0) >> 4);
    let [length, factor] = [0, 1];
    do {
      at += 1;
      length += ((bytes[at] ?? 0) & 0x7f) * factor;
      factor *= 128;
    } while (((bytes[at] ?? 0) & 0x80) !== 0);
    at += 1 + length;
  }
  return types;
}
