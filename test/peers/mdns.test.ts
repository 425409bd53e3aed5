/** Our mDNS against avahi, which is on most machines that the gateway shares a network with. */
import { TestLog } from "hemgate/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodeMdns } from "../../src/platform/node/node-mdns.ts";
import type { MdnsService } from "../../src/platform/ports/ports.ts";
import { type Avahi, startAvahi, until } from "./avahi.ts";

const log = new TestLog();
const mdns = nodeMdns(log);
let avahi: Avahi;

beforeAll(async () => {
  avahi = await startAvahi();
}, 120_000);
afterAll(async () => await avahi[Symbol.asyncDispose]());

test("what avahi publishes is heard with its address and text, and so is its end", async () => {
  const up: MdnsService[] = [];
  const down: MdnsService[] = [];
  using _browsing = mdns.browse("_hwenergy._tcp", { up: (one) => up.push(one), down: (one) => down.push(one) });
  const published = avahi.publish("p1.meter (cellar)", "_hwenergy._tcp", 80, [
    "serial=5c2fafaabbcc",
    "Path=/api/v1",
    "x=a=b",
  ]);
  await until(() => up.length > 0);
  expect(up[0]).toMatchObject({
    type: "_hwenergy._tcp",
    name: "p1.meter (cellar)",
    host: "peer-host.local",
    port: 80,
    txt: { serial: "5c2fafaabbcc", path: "/api/v1", x: "a=b" },
  });
  expect(up[0]?.addresses.every((address) => /^\d+(\.\d+){3}$/.test(address))).toBe(true);
  published[Symbol.dispose]();
  await until(() => down.length > 0);
  expect(down[0]?.name).toBe("p1.meter (cellar)");
}, 120_000);

test("what was published before is heard, too", async () => {
  using _published = avahi.publish("early", "_shelly._tcp", 80, []);
  await until(() => avahi.browse("_shelly._tcp").length > 0);
  const up: string[] = [];
  using _browsing = mdns.browse("_shelly._tcp", { up: ({ name }) => up.push(name), down: () => undefined });
  await until(() => up.length > 0);
  expect(up).toContain("early");
}, 120_000);

test("avahi resolves our announcement, keeps its own name, and hears our goodbye", async () => {
  const announced = await mdns.announce({
    type: "_hemgate._tcp",
    name: "hemgate Home",
    host: "hemgate",
    port: 8_080,
    txt: { id: "abc", path: "/openapi.json" },
  });
  await until(() => avahi.browse("_hemgate._tcp").length > 0);
  const [line = ""] = avahi.browse("_hemgate._tcp");
  const [, , protocol, name, , , , , port] = line.split(";");
  expect([protocol, name, port]).toEqual(["IPv4", "hemgate\\032Home", "8080"]);
  expect(line).toContain("path=/openapi.json");
  expect(avahi.hostName()).toContain("peer-host.local");
  expect(avahi.addressOf("hemgate.local")).toMatch(/^\d+(\.\d+){3}$/);
  await announced[Symbol.asyncDispose]();
  await until(() => avahi.browse("_hemgate._tcp").length === 0);
}, 120_000);

test("two gateways of one name are both found", async () => {
  const own = { type: "_hemgate._tcp", name: "hemgate Twin", host: "twin", port: 8_080, txt: {} } as const;
  using _other = avahi.publish("hemgate Twin", "_hemgate._tcp", 8_081, []);
  await until(() => avahi.browse("_hemgate._tcp").length > 0);
  const announced = await mdns.announce(own);
  await until(() => new Set(avahi.browse("_hemgate._tcp").map((line) => line.split(";")[3])).size === 2);
  expect(log.lines.some(({ text }) => text === "another machine in the house has this name")).toBe(true);
  await announced[Symbol.asyncDispose]();
}, 120_000);

test("a second gateway takes the next name", async () => {
  const taken = "192.0.2.77";
  using _other = avahi.publishAddress("hemgate.local", taken);
  await until(() => avahi.addressOf("hemgate.local") === taken);
  const own = { type: "_hemgate._tcp", name: "hemgate Second", host: "hemgate", port: 8_080, txt: {} } as const;
  const announced = await mdns.announce(own);
  await until(() => avahi.addressOf("hemgate-2.local") !== null);
  expect(avahi.addressOf("hemgate.local")).toBe(taken);
  expect(log.lines.at(-1)).toMatchObject({ fields: { host: "hemgate-2.local" } });
  await announced[Symbol.asyncDispose]();
}, 120_000);
