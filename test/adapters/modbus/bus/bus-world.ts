import type { AdapterContext, Clock, Net } from "hemgate/sdk";
import { MemoryDisk, SeededRandom, TestLog, VirtualClock, World } from "hemgate/testing";
import type { BusWorld } from "../../../../adapters/modbus/bus/bus-world.ts";
import { ModbusBus } from "../../../../adapters/modbus/bus/modbus-bus.ts";
import { nodeNet } from "../../../../src/platform/node/node-net.ts";

/** Never aborts. */
export const calm = new AbortController().signal;

/** A bus over real loopback sockets whose time stands still until the test moves it. */
export function busTo(port: number): { readonly bus: ModbusBus; readonly clock: VirtualClock } {
  const clock = new VirtualClock();
  return {
    bus: new ModbusBus(busWorld(clock, nodeNet(new TestLog())), { kind: "tcp", host: "127.0.0.1", port }),
    clock,
  };
}

/** A world for a bus on a net, without serial ports and datagrams. */
export function busWorld(clock: Clock, net: Net): BusWorld {
  const { serial, udp } = new World({ seed: 1 }).boot("gateway", new MemoryDisk()).platform;
  return { clock, net, serial, udp, random: new SeededRandom(1) };
}

/** How a promise ended: its value, or what it was rejected with. */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return await promise.catch((error: unknown) => error);
}

/** What an adapter is given, on a clock, with simulated ports where none are named. */
export function adapterContext(clock: Clock, parts: Partial<AdapterContext> = {}): AdapterContext {
  const context = new World({ seed: 1 }).boot("gateway", new MemoryDisk()).adapterContext();
  return { ...context, random: new SeededRandom(1), ...parts, clock };
}
