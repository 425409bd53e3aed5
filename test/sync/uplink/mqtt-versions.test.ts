/** Which version of MQTT the uplink speaks, with servers that know one of them. */
import { expect, test } from "vitest";
import type { MqttVersion } from "../../../src/platform/ports/mqtt5-port.ts";
import { MqttUplink, type MqttUplinkOptions } from "../../../src/sync/uplink/mqtt-uplink.ts";
import type { UplinkConnection } from "../../../src/sync/uplink/uplink.ts";
import { MemoryDisk } from "../../../src/testing/memory-disk.ts";
import { World } from "../../../src/testing/world.ts";
import { heard } from "./recorded-events.ts";

const URL = "mqtts://broker.example";

function bed(versions: readonly MqttVersion[], more: Partial<MqttUplinkOptions> = {}) {
  const world = new World({ seed: 1 });
  const behaviour = world.mqtt5.behaviour(URL);
  behaviour.versions = versions;
  world.mqtt.broker(URL);
  const uplink = new MqttUplink({
    ...world.boot("gateway", new MemoryDisk()).platform,
    gateway: "gw-1",
    servers: [URL],
    topicPrefix: "hemgate",
    sessionExpirySeconds: 3_600,
    credentials: async () => ({}),
    ...more,
  });
  const connect = async (): Promise<UplinkConnection> =>
    await world.clock.resolve(uplink.connect(heard().events, new AbortController().signal), 60_000);
  const spoken = (): readonly unknown[] => behaviour.connects.splice(0).map(({ version }) => version);
  return { behaviour, connect, spoken };
}

test.each([false, true])("a server of 3.1.1 is found, and spoken to as such from then on", async (isWordless) => {
  const { behaviour, connect, spoken } = bed(["3.1.1"]);
  behaviour.isWordlessToOthers = isWordless;
  for (const expected of [["5", "3.1.1"], ["3.1.1"]]) {
    using connection = await connect();
    expect(connection.credits).toBeGreaterThan(0);
    expect(spoken()).toEqual(expected);
  }
});

test("a server that knows both is spoken to by 5", async () => {
  const { connect, spoken } = bed(["3.1.1", "5"]);
  using _connection = await connect();
  expect(spoken()).toEqual(["5"]);
});

test("a server that learned 5 and forgot 3.1.1 is found again", async () => {
  const { behaviour, connect, spoken } = bed(["3.1.1"]);
  (await connect())[Symbol.dispose]();
  spoken();
  behaviour.versions = ["5"];
  (await connect())[Symbol.dispose]();
  expect(spoken()).toEqual(["3.1.1", "5"]);
});

test.each(["5", "3.1.1"] as const)("where %s is told, nothing else is tried", async (version) => {
  const { connect, spoken } = bed(version === "5" ? ["3.1.1"] : ["5"], { version });
  await expect(connect()).rejects.toMatchObject({ end: { kind: "refused" } });
  expect(spoken()).toEqual([version]);
});

test("a server that says nothing to either is lost, and does not count as one of 3.1.1", async () => {
  const { behaviour, connect, spoken } = bed([]);
  behaviour.isWordlessToOthers = true;
  await expect(connect()).rejects.toMatchObject({ end: { kind: "lost" } });
  behaviour.versions = ["5"];
  using _connection = await connect();
  expect(spoken()).toEqual(["5", "3.1.1", "5"]);
});

test("a sign-in that is refused for another reason is not tried by the other version", async () => {
  const { behaviour, connect, spoken } = bed(["5"]);
  behaviour.refusal = { reasonCode: 0x86 };
  await expect(connect()).rejects.toMatchObject({ end: { kind: "refused" } });
  expect(spoken()).toEqual(["5"]);
});
