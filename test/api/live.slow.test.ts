import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { batteryOptions, chargerOptions, makeHome } from "../engine/home.ts";
import { openRealHouse, type RealHouse } from "./support/real-house.ts";

const SECOND = 1_000;

async function openHouse(devices = 2): Promise<RealHouse> {
  const home = makeHome();
  home.add("charger", chargerOptions());
  for (let at = 1; at < devices; at += 1) home.add(`battery-${at}`, batteryOptions());
  const house = await openRealHouse({ home });
  await house.pass(3 * SECOND);
  return house;
}

/** Opens a stream without a socket. */
async function follow(house: RealHouse, url = "/local/events", headers: Readonly<Record<string, string>> = {}) {
  const answer = await house.ask({ url, headers, payloadAsStream: true });
  const stream: Readable = answer.stream();
  let text = "";
  stream.on("data", (bytes: Buffer) => {
    text += bytes.toString("utf8");
  });
  let isEnded = false;
  stream.on("end", () => {
    isEnded = true;
  });
  await house.pass(0);
  return { answer, stream, text: () => text, isEnded: () => isEnded };
}

/** What was told of devices; the house as a whole moves along with them. */
function events(text: string): readonly string[] {
  const names = [...text.matchAll(/"event":"([^"]+)"/g)].map(([, name]) => name ?? "");
  return names.filter((name) => name !== "user:hem-system:power");
}

describe("GET /local/events", () => {
  test("needs a token", async () => {
    await using house = await openHouse();
    expect((await house.ask({ url: "/local/events", headers: { authorization: "" } })).statusCode).toBe(401);
  });

  test("streams through proxies, in the version asked for", async () => {
    await using house = await openHouse();
    const { answer, text, stream } = await follow(house);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "service-version": "2024-10-01",
    });
    expect(text()).toContain('event: snapshot\ndata: {"reason":"start","version":"2024-10-01","assets":2}\n\n');
    expect(events(text()).toSorted()).toEqual([
      "user:battery:current",
      "user:charger:current",
      "user:hem-system:current",
    ]);
    stream.destroy();

    const older = await follow(house, "/local/events?kind=battery", { "service-version": "2024-01-01" });
    expect(older.text()).toContain('"version":"2024-01-01"');
    expect(older.text()).toContain('"locationId":null');
    expect(older.text()).not.toContain("hemSystemId");
    older.stream.destroy();
  });

  test("goes on as the house changes, and from the last place of an earlier stream", async () => {
    await using house = await openHouse();
    const first = await follow(house);
    const lastId = [...first.text().matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    await house.pass(2 * SECOND);
    expect(events(first.text()).at(-1)).toBe("user:charger:updated");
    first.stream.destroy();
    const second = await follow(house, "/local/events", { "last-event-id": lastId });
    expect(second.text()).not.toContain("event: snapshot");
    expect(events(second.text())).toContain("user:charger:current");
    second.stream.destroy();
  });

  test("filters by kind and user, and refuses what is neither", async () => {
    await using house = await openHouse();
    const { text, stream } = await follow(house, "/local/events?kind=charger,meter&userId=home");
    expect(events(text())).toEqual(["user:charger:current"]);
    stream.destroy();
    expect((await house.ask({ url: "/local/events?kind=toaster" })).statusCode).toBe(400);
    expect((await house.ask({ url: "/local/events?userId=nobody" })).json()).toMatchObject({
      title: "User does not exist",
    });
  });

  test("serves so many readers and no more", async () => {
    await using house = await openHouse();
    const streams = [];
    for (let at = 0; at < 32; at += 1) streams.push(await follow(house));
    expect((await house.ask({ url: "/local/events" })).statusCode).toBe(429);
    for (const { stream } of streams) stream.destroy();
  });

  test("ends at once when the gateway stops", async () => {
    const house = await openHouse();
    const { isEnded } = await follow(house);
    await house.api.close();
    await house.pass(0);
    expect(isEnded()).toBe(true);
    await house[Symbol.asyncDispose]();
  });
});

describe("over a real socket", () => {
  async function request(house: RealHouse): Promise<{ readonly socket: Socket; readonly server: Socket }> {
    const accepted = once(house.api.server, "connection");
    await house.api.listen({ host: "127.0.0.1", port: 0 });
    const { port } = house.api.server.address() as AddressInfo;
    const socket = connect({ host: "127.0.0.1", port });
    await once(socket, "connect");
    const lines = [
      "GET /local/events HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${house.token}`,
      "",
      "",
    ];
    socket.write(lines.join("\r\n"));
    const [server] = (await accepted) as [Socket];
    return { socket, server };
  }

  test("arrives as it happens, and the socket is closed when the gateway stops", async () => {
    const house = await openHouse();
    const { socket } = await request(house);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString("utf8");
    });
    await expect.poll(() => text).toContain("event: live");
    house.home.devices["charger"]?.show("charger.state", "UNPLUGGED");
    await house.pass(2 * SECOND);
    await expect.poll(() => text).toContain("user:charger:updated");
    const ended = once(socket, "close");
    await house.api.close();
    await ended;
    await house[Symbol.asyncDispose]();
  });

  test("a reader that does not read costs no memory, and then gets the newest state", async () => {
    const house = await openHouse(20);
    const { socket, server } = await request(house);
    socket.pause();
    let text = "";
    for (let step = 0; step < 600; step += 1) {
      for (const [name, device] of Object.entries(house.home.devices)) {
        if (name !== "charger") device.show("battery.soc", (step % 100) + 0.25);
      }
      await house.pass(SECOND);
    }
    // What the kernel and one read-ahead hold; 600 changes of 19 devices would be 20 MB.
    expect(server.writableLength).toBeLessThan(256 * 1024);
    socket.on("data", (bytes) => {
      text += bytes.toString("utf8");
    });
    socket.resume();
    const newest = `"batteryLevel":${(599 % 100) + 0.25}`;
    await expect.poll(() => text.split(newest).length - 1, { timeout: 30_000 }).toBeGreaterThanOrEqual(19);
    expect(events(text).length).toBeLessThan(600 * 19);
    socket.destroy();
    await house[Symbol.asyncDispose]();
  });
});
