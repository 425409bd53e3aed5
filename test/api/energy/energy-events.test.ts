/** Events of the energy manager as clients get them: on the live stream, and at webhooks. */
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { chargerOptions, makeHome } from "../../engine/home.ts";
import { Receiver } from "../../sync/webhook-world.ts";
import { openRealHouse, type RealHouse } from "../support/real-house.ts";

const URL = "https://hooks.example/in";

async function openHouse() {
  const home = makeHome();
  home.add("meter", { values: { "meter.power": 1_500 } });
  home.add("charger", chargerOptions());
  const house = await openRealHouse({ home });
  const receiver = new Receiver();
  home.world.web.serve("hooks.example", "93.184.216.34", receiver.serve);
  await house.pass(10_000);
  const id = house.run.engine.assets.list("charger")[0]?.asset.id ?? "";
  return { house, receiver, device: `/local/energy/devices/${id}`, id };
}

async function subscribe(house: RealHouse, events?: readonly string[]) {
  const payload = { url: URL, secret: "a-secret-of-some-length", ...(events && { events }) };
  return await house.ask({ method: "POST", url: "/webhooks", payload });
}

/** Follows the stream; what it told of the energy manager. */
async function follow(house: RealHouse, query = "") {
  const answer = await house.ask({ url: `/local/events${query}`, payloadAsStream: true });
  const stream: Readable = answer.stream();
  let text = "";
  stream.on("data", (bytes: Buffer) => {
    text += bytes.toString("utf8");
  });
  await house.pass(0);
  return {
    local: () => [...text.matchAll(/"event":"(local:[^"]+)"/g)].map(([, name]) => name),
    end: () => stream.destroy(),
  };
}

function localOf(receiver: Receiver): readonly string[] {
  return receiver.events.map(({ event }) => event).filter((event) => event.startsWith("local:"));
}

/** A mode, a fuse, and no mode any more. */
async function change(house: RealHouse, device: string): Promise<void> {
  await house.ask({ method: "PUT", url: device, payload: { mode: "OFF" } });
  await house.ask({ method: "PATCH", url: "/local/site", payload: { fuseA: 35 } });
  await house.ask({ method: "DELETE", url: device });
  await house.pass(5_000);
}

const HAPPENED = ["local:energy:mode-changed", "local:energy:site-updated", "local:energy:mode-changed"];

describe("events of the energy manager at webhooks", () => {
  test("come where all local events are asked for, in order and with their user", async () => {
    const { house, receiver, device, id } = await openHouse();
    await using _ = house;
    expect((await subscribe(house, ["local:*"])).json().events).toEqual(["local:*"]);
    await change(house, device);
    expect(localOf(receiver)).toEqual(HAPPENED);
    expect(receiver.events[0]).toMatchObject({
      user: { id: "home" },
      energyDevice: { id, deviceType: "charger" },
      mode: "OFF",
    });
  });

  test("come by name, and only those that are named", async () => {
    const { house, receiver, device } = await openHouse();
    await using _ = house;
    await subscribe(house, ["local:energy:site-updated"]);
    await change(house, device);
    expect(localOf(receiver)).toEqual(["local:energy:site-updated"]);
  });

  test("are not among those that * stands for, which clients of the mirrored service know", async () => {
    const { house, receiver, device } = await openHouse();
    await using _ = house;
    await subscribe(house);
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    await change(house, device);
    expect(localOf(receiver)).toEqual([]);
    expect(receiver.events.map(({ event }) => event)).toContain("user:charger:updated");
  });

  test("are refused under a name that there is not", async () => {
    const { house } = await openHouse();
    await using _ = house;
    const answer = await subscribe(house, ["local:energy:*"]);
    expect([answer.statusCode, answer.json().issues]).toEqual([
      400,
      [expect.objectContaining({ path: ["events", 0] })],
    ]);
  });

  test("stop with the user's authorization", async () => {
    const { house, receiver, device } = await openHouse();
    await using _ = house;
    await subscribe(house, ["local:*"]);
    await house.ask({ method: "DELETE", url: "/users/home/authorization" });
    await change(house, device);
    expect(receiver.events.filter((event) => "energyDevice" in event)).toEqual([]);
  });
});

describe("events of the energy manager on the live stream", () => {
  test("come to who follows all, the owner, or the kind of the device", async () => {
    const { house, device } = await openHouse();
    await using _ = house;
    const streams = [await follow(house), await follow(house, "?userId=home"), await follow(house, "?kind=charger")];
    await change(house, device);
    for (const stream of streams) {
      expect(stream.local()).toEqual(HAPPENED);
      stream.end();
    }
  });

  test("about a device do not come to who follows another kind", async () => {
    const { house, device } = await openHouse();
    await using _ = house;
    const stream = await follow(house, "?kind=battery");
    await change(house, device);
    expect(stream.local()).toEqual(["local:energy:site-updated"]);
    stream.end();
  });
});
