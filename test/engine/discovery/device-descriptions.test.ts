import { MemoryDisk, serveModbus, World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { ModbusDiscovery } from "../../../adapters/modbus/discovery/modbus-discovery.ts";
import { describeDevices, readDescription } from "../../../src/engine/discovery/device-descriptions.ts";
import type { SeenService, Sighting } from "../../../src/sdk/discovery.ts";
import { platedImage } from "../../adapters/modbus/discovery/plated-devices.ts";
import { CHARGER } from "./modbus-home.ts";

const neverAborted = new AbortController().signal;
const HOST = "192.168.1.30";
const VICTRON = `<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><device>
  <friendlyName>Cellar &amp; roof</friendlyName><manufacturer>Victron Energy</manufacturer>
  <modelName>Cerbo GX</modelName><serialNumber>b827ebaabbcc</serialNumber></device></root>`;

function announced(location = `http://${HOST}:8080/d.xml`): SeenService {
  return { source: "ssdp", type: "upnp:rootdevice", name: "uuid:1", address: HOST, port: 8_080, txt: { location } };
}

async function describeIn(world: World, service: SeenService): Promise<SeenService> {
  const { http, clock } = world.boot("gateway", new MemoryDisk()).platform;
  const put = await world.clock.resolve(describeDevices({ http, clock }, [service, service], neverAborted), 10_000);
  return put(service);
}

function serve(world: World, body: string, status = 200): { asked: number } {
  const seen = { asked: 0 };
  const answer = () => {
    seen.asked += 1;
    return { status, body };
  };
  world.web.listen(HOST, 8_080, { certificate: null, serve: answer });
  return seen;
}

describe("SSDP device descriptions", () => {
  test("A device description is requested once from the announcing device", async () => {
    const world = new World({ seed: 1 });
    const server = serve(world, VICTRON);
    expect((await describeIn(world, announced())).description).toEqual({
      manufacturer: "Victron Energy",
      model: "Cerbo GX",
      serial: "b827ebaabbcc",
      name: "Cellar & roof",
    });
    expect(server.asked).toBe(1);
  });

  test.each([
    ["another host in the house", "http://192.168.1.1:8080/d.xml"],
    ["a host on the internet", "http://93.184.216.34/d.xml"],
    ["a host name", "http://router.lan:8080/d.xml"],
    ["an FTP server", "ftp://192.168.1.30/d.xml"],
  ])("A device description is not requested from %s", async (_where, location) => {
    const world = new World({ seed: 1 });
    const server = serve(world, VICTRON);
    expect((await describeIn(world, announced(location))).description).toBeUndefined();
    expect([server.asked, world.web.connects.length]).toEqual([0, 0]);
  });

  test.each([
    ["an error", VICTRON, 500],
    ["an HTML page", "<html></html>", 200],
    ["more than 64 KiB", `${" ".repeat(70_000)}${VICTRON}`, 200],
  ])("A device that answers with %s has no description", async (_what, body, status) => {
    const world = new World({ seed: 1 });
    serve(world, body, status);
    expect((await describeIn(world, announced())).description).toBeUndefined();
  });

  test("A device that does not answer in time has no description", async () => {
    const world = new World({ seed: 1 });
    world.web.listen(HOST, 8_080, { certificate: null, serve: () => ({ fault: "hang" }) });
    expect((await describeIn(world, announced())).description).toBeUndefined();
  });

  test("A truncated description gives a complete serial number or none", () => {
    for (let at = 0; at < VICTRON.length; at += 7) {
      const seen = readDescription(VICTRON.slice(0, at));
      expect(seen === null || seen.serial === null || seen.serial === "b827ebaabbcc").toBe(true);
    }
  });
});

describe("Modbus searches with SSDP device descriptions", () => {
  const service = (manufacturer: string, model: string): SeenService => ({
    ...announced(),
    description: { manufacturer, model, serial: "SN-1", name: "In the cellar" },
  });

  async function look(world: World, services: readonly SeenService[]): Promise<readonly Sighting[]> {
    const seen: Sighting[] = [];
    const discovery = new ModbusDiscovery(world.boot("gateway", new MemoryDisk()).platform);
    const scope = { isActive: true, hosts: [HOST], services: () => services, missing: null, vendorId: null };
    await world.clock.resolve(
      discovery.search(scope, (sighting) => seen.push(sighting), neverAborted),
      100_000,
    );
    return seen;
  }

  test("A device with a description is found with its profile although it does not answer to Modbus", async () => {
    expect(await look(new World({ seed: 1 }), [service("Victron Energy", "Cerbo GX")])).toMatchObject([
      { manufacturer: "Victron Energy", serial: "SN-1", name: "In the cellar", confidence: 0.3, source: "ssdp" },
    ]);
    expect(await look(new World({ seed: 1 }), [service("KOSTAL", "PLENTICORE plus 10")])).toMatchObject([
      { profile: "kostal-plenticore", options: { host: HOST, port: 1_502, unit: 71 } },
    ]);
  });

  test("A device with a description is ignored if no profile is for its manufacturer", async () => {
    expect(await look(new World({ seed: 1 }), [service("Sonos, Inc.", "One")])).toEqual([]);
  });

  test("A device that answers to Modbus gets the name of its description", async () => {
    const world = new World({ seed: 1 });
    const image = await platedImage(CHARGER, world.clock);
    await serveModbus({ clock: world.clock, net: world.net.host() }, image, { host: HOST, port: 502 });
    expect(await look(world, [service("KEBA", "P30")])).toMatchObject([
      { profile: "keba-p30", serial: "19123456", name: "In the cellar", source: "modbus" },
    ]);
  });
});
