import assert from "node:assert/strict";
import { test } from "node:test";
import { adapterContract, World } from "hemgate/testing";
import { adapter } from "../src/adapter.js";

const ADDRESS = { host: "10.0.0.7", port: 7_000 };

/** The meter itself, in the simulated world: what it answers, and whether it is there. */
async function meterIn(world, answer = () => '{"serial":"LM-7","watts":-1250,"importKwh":1523.4,"exportKwh":null}') {
  const streams = new Set();
  const listener = await world.net.host().listen(ADDRESS, (stream) => {
    streams.add(stream);
    return {
      data: (bytes) => {
        const text = answer(new TextDecoder().decode(bytes));
        if (text !== null) stream.write(new TextEncoder().encode(`${text}\n`));
      },
      closed: () => streams.delete(stream),
    };
  });
  return {
    options: ADDRESS,
    async stop() {
      await listener[Symbol.asyncDispose]();
      for (const stream of streams) stream[Symbol.dispose]();
    },
  };
}

for (const { name, run } of adapterContract({ adapter, device: meterIn })) test(`contract: ${name}`, run);

async function readOnce(answer) {
  const world = new World({ seed: 1 });
  const process = world.boot("test", null);
  await meterIn(world, answer);
  const running = adapter.start({ ...process.platform, mqtt: null });
  const { signal } = new AbortController();
  return await world.clock.resolve(
    (async () => {
      await using driver = await running.connect("cellar", adapter.options.parse(ADDRESS), signal);
      return { identity: driver.identity, readings: await driver.read("all", signal) };
    })(),
    60_000,
  );
}

test("kWh become Wh, import is positive, and what the meter cannot tell is null", async () => {
  const { identity, readings } = await readOnce();
  assert.equal(identity.serial, "LM-7");
  assert.deepEqual(readings, [
    { point: "meter.power", value: -1_250 },
    { point: "meter.energyImport", value: 1_523_400 },
    { point: "meter.energyExport", value: null },
  ]);
});

for (const answer of [
  "not json",
  '{"watts":1}',
  '{"serial":"x","watts":"many","importKwh":0,"exportKwh":0}',
  "x".repeat(9_000),
]) {
  test(`an answer that is none is malformed: ${answer.slice(0, 40)}`, async () => {
    await assert.rejects(
      readOnce(() => answer),
      { name: "DeviceError", kind: "malformed" },
    );
  });
}

test("a meter that says nothing is unreachable, in bounded time", async () => {
  await assert.rejects(
    readOnce(() => null),
    { name: "DeviceError", kind: "unreachable" },
  );
});
