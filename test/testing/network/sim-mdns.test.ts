import { MemoryDisk, World } from "hemgate/testing";
import { expect, test } from "vitest";
import type { MdnsService } from "../../../src/platform/ports/ports.ts";

const PLUG: MdnsService = {
  type: "_http._tcp",
  name: "plug",
  host: "plug.local",
  addresses: ["192.168.1.30"],
  port: 80,
  txt: {},
};

function listen(world: World, type: string) {
  const process = world.boot("gateway", new MemoryDisk());
  const heard: string[] = [];
  const browsing = process.platform.mdns.browse(type, {
    up: ({ name, addresses }) => heard.push(`up ${name} ${addresses}`),
    down: ({ name }) => heard.push(`down ${name}`),
  });
  return { process, heard, browsing };
}

test("who browses hears what is there, what comes, what changes and what goes", async () => {
  const world = new World({ seed: 1 });
  world.mdns.announce(PLUG);
  const { heard } = listen(world, "_http._tcp");
  await world.clock.advance(10);
  world.mdns.announce({ ...PLUG, addresses: ["192.168.1.31"] });
  world.mdns.announce({ ...PLUG, type: "_other._tcp", name: "other" });
  await world.clock.advance(10);
  world.mdns.withdraw(PLUG);
  await world.clock.advance(10);
  expect(heard).toEqual(["up plug 192.168.1.30", "up plug 192.168.1.31", "down plug"]);
});

test("nothing is heard after the browser is disposed, or its process killed", async () => {
  const world = new World({ seed: 1 });
  const one = listen(world, "_http._tcp");
  const two = listen(world, "_http._tcp");
  one.browsing[Symbol.dispose]();
  two.process.kill();
  world.mdns.announce(PLUG);
  await world.clock.advance(10);
  expect([...one.heard, ...two.heard]).toEqual([]);
  expect(one.process.resources.listeners + two.process.resources.listeners).toBe(0);
});

test("what a process announces others hear, until it takes it back", async () => {
  const world = new World({ seed: 1 });
  const { heard } = listen(world, "_hemgate._tcp");
  const other = world.boot("other", new MemoryDisk());
  const announced = await other.platform.mdns.announce({
    type: "_hemgate._tcp",
    name: "Home",
    host: "hemgate",
    port: 8080,
    txt: {},
  });
  await world.clock.advance(10);
  await announced[Symbol.asyncDispose]();
  await world.clock.advance(10);
  expect(heard).toEqual(["up Home 192.168.1.2", "down Home"]);
});
