import fc from "fast-check";
import { MemoryDisk, World } from "hemgate/testing";
import { expect, test } from "vitest";
import { SeenServices } from "../../../src/engine/discovery/seen-services.ts";
import { readSsdp } from "../../../src/engine/discovery/ssdp.ts";

const NOTIFY = [
  "NOTIFY * HTTP/1.1",
  "HOST: 239.255.255.250:1900",
  "LOCATION: http://192.168.1.9:49000/desc.xml",
  "NT: upnp:rootdevice",
  "NTS: ssdp:alive",
  "SERVER: Linux UPnP/1.0 GX/3.2",
  "USN: uuid:12::upnp:rootdevice",
  "",
  "",
].join("\r\n");

test("An SSDP announcement is read with its name, address, port and headers", () => {
  expect(readSsdp(Buffer.from(NOTIFY), "192.168.1.9")).toMatchObject({
    source: "ssdp",
    type: "upnp:rootdevice",
    name: "uuid:12::upnp:rootdevice",
    address: "192.168.1.9",
    port: 49_000,
    txt: { server: "Linux UPnP/1.0 GX/3.2" },
  });
});

test("An SSDP announcement with a description on another host has no port", () => {
  expect(readSsdp(Buffer.from(NOTIFY), "192.168.1.66")?.port).toBe(0);
});

test.each([
  ["the search of another host", "M-SEARCH * HTTP/1.1\r\nST: ssdp:all\r\n\r\n"],
  ["a byebye message", NOTIFY.replace("ssdp:alive", "ssdp:byebye")],
  ["an announcement without a name", NOTIFY.replace("USN", "USM")],
])("SSDP discovery ignores %s", (_what, text) => {
  expect(readSsdp(Buffer.from(text), "192.168.1.9")).toBeNull();
});

test("SSDP discovery reads or ignores any bytes without throwing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), fc.boolean(), (bytes, isNotify) => {
      const datagram = isNotify ? Buffer.concat([Buffer.from(NOTIFY.slice(0, 60)), bytes]) : bytes;
      const seen = readSsdp(datagram, "192.168.1.9");
      expect(seen === null || seen.source === "ssdp").toBe(true);
    }),
  );
});

test("SSDP discovery keeps at most 500 of the devices that answer a search", async () => {
  const world = new World({ seed: 1 });
  const { platform } = world.boot("gateway", new MemoryDisk());
  const device = world.udp.host("192.168.1.9");
  const socket = await device.open(
    { port: 1_900, groups: ["239.255.255.250"] },
    {
      datagram: (bytes, from) => {
        if (!Buffer.from(bytes).toString().startsWith("M-SEARCH")) return;
        const answer = NOTIFY.replace("NOTIFY * HTTP/1.1", "HTTP/1.1 200 OK").replace("NT:", "ST:");
        for (let copy = 0; copy < 600; copy++) {
          socket.send(Buffer.from(answer.replace("uuid:12", `uuid:${copy}`)), from);
        }
      },
      closed: () => undefined,
    },
  );
  using services = new SeenServices(platform.mdns, []);
  await services.listenToSsdp(platform);
  services.sendSearch();
  await world.clock.advance(3_000);
  expect(services.services()).toHaveLength(500);
});
