import type { Sighting } from "hemgate/sdk";
import { MemoryDisk, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { mqttAdapter } from "../../firmware-bridges/kit/mqtt-adapter.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { BROKER, MqttBench } from "./bench.ts";

const calm = new AbortController().signal;
const SCOPE = { isActive: false, hosts: [], services: () => [], missing: null, vendorId: null };

test("what announces itself on the broker is found with options that run it", async () => {
  await using bench = new MqttBench();
  bench.board(new OpenDtuTwin("114181234567"));
  await bench.pass(2_000);
  const { discovery } = mqttAdapter.start(bench.gateway.adapterContext({ url: BROKER }));
  const seen: Sighting[] = [];
  const searching = discovery?.search(SCOPE, (sighting) => seen.push(sighting), calm);
  await bench.world.clock.resolve(Promise.resolve(searching), 30_000);
  expect(seen).toMatchObject([{ profile: "opendtu", source: "mqtt", address: null, place: {}, confidence: 0.95 }]);
  expect(mqttAdapter.options.safeParse(seen[0]?.options).success).toBe(true);
});

test("a house without a broker has nothing to hear", async () => {
  const world = new World({ seed: 1 });
  const { discovery } = mqttAdapter.start(world.boot("gateway", new MemoryDisk()).adapterContext());
  await discovery?.search(SCOPE, () => expect.fail("nothing is there"), calm);
});
