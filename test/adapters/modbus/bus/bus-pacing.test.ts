import { serveModbus } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { findFraming } from "../../../../adapters/modbus/bus/find-framing.ts";
import type { LineAddress } from "../../../../adapters/modbus/bus/line-address.ts";
import { calm, outcome } from "./bus-world.ts";
import { HOST, lineBed, PACING } from "./line-harness.ts";

type Bed = ReturnType<typeof lineBed>;

async function tcpBed(pacing: { readonly maxClients?: number; readonly idleCloseMs?: number } = {}) {
  const bed = lineBed("tcp");
  const net = bed.world.net.host();
  const server = await serveModbus({ clock: bed.world.clock, net }, bed.image, HOST, pacing);
  return { ...bed, server };
}

describe("what is known of a device", () => {
  test("the pause after connecting is kept", async () => {
    const { bus, read, world, image } = await tcpBed();
    const unit = bus.unit(1, { ...PACING, connectDelayMs: 1_000 });
    const reading = read(unit, 5);
    expect(await reading).toEqual([105]);
    expect(world.clock.monotonicMs()).toBeGreaterThanOrEqual(1_000);
    const again = world.clock.monotonicMs();
    await read(unit, 5);
    expect(world.clock.monotonicMs() - again).toBeLessThan(100);
    expect(image.asked).toHaveLength(2);
  });

  test("a connection that the device closed for idleness is opened anew, quietly", async () => {
    for (const known of [undefined, 120_000]) {
      const { bus, read, world } = await tcpBed({ idleCloseMs: 120_000 });
      const unit = bus.unit(1, { ...PACING, idleCloseMs: known });
      for (let round = 0; round < 5; round++) {
        expect(await read(unit, round)).toEqual([100 + round]);
        await world.clock.advance(119_990 + 5 * round);
      }
    }
  });

  test("a request that crosses the device's good-bye goes out once more", async () => {
    const { bus, read, world, server } = await tcpBed();
    const unit = bus.unit(1, PACING);
    await read(unit, 1);
    await world.clock.advance(60_000);
    const reading = read(unit, 2);
    await server[Symbol.asyncDispose]();
    await serveModbus({ clock: world.clock, net: world.net.host() }, { ...imageOf(), writeHolding: noWrite }, HOST);
    expect(await reading).toEqual([7]);
  });

  test("one that serves few clients and hangs up says who is probably in the way", async () => {
    const { bus, world } = await tcpBed({ maxClients: 1 });
    await world.clock.resolve(
      world.net.host().connect(HOST, { data: () => undefined, closed: () => undefined }, calm),
      1_000,
    );
    const unit = bus.unit(1, { ...PACING, maxClients: 1 });
    const failure = await world.clock.resolve(outcome(unit.read("holding", 0, 1, calm)), 10_000);
    expect(failure).toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("serves one client at a time; another program is probably connected"),
    });
  });

  test("who hangs up, refuses, or answers nothing may serve another program; who is gone does not", async () => {
    const failureOf = async (kind: LineAddress["kind"], prepare: (bed: Bed) => unknown) => {
      const bed = lineBed(kind);
      await prepare(bed);
      const { bus, world } = bed;
      return await world.clock.resolve(outcome(bus.unit(1, PACING).read("holding", 0, 1, calm)), 10_000);
    };
    const served = async ({ world, image }: Bed, maxClients: number): Promise<void> => {
      await serveModbus({ clock: world.clock, net: world.net.host() }, image, HOST, { maxClients });
    };
    for (const kind of ["tcp", "rtu-over-tcp"] as const) {
      expect(await failureOf(kind, (bed) => served(bed, 0))).toMatchObject({ mayBeInUse: true });
      expect(await failureOf(kind, () => undefined)).toMatchObject({ mayBeInUse: true, reason: "connection-refused" });
      const gone = await failureOf(kind, ({ world }) =>
        world.net.faults.begin({ kind: "unreachable", host: HOST.host, share: 1 }),
      );
      expect(gone).toMatchObject({ mayBeInUse: false, reason: "no-such-host" });
    }
    const silence = ({ image }: Bed): void => {
      image.behave = () => ({ kind: "silence" });
    };
    const mute = async (bed: Bed): Promise<void> => {
      silence(bed);
      await served(bed, 1);
    };
    expect(await failureOf("tcp", mute)).toMatchObject({ mayBeInUse: true });
    expect(await failureOf("rtu", silence)).toMatchObject({ mayBeInUse: false });
  });

  test("a unit that is silent while another one answers serves no other program", async () => {
    const { bus, read, world, image } = await tcpBed();
    image.behave = (unit) => (unit === 2 ? { kind: "silence" } : null);
    const dead = bus.unit(2, PACING);
    const ask = () => world.clock.resolve(outcome(dead.read("holding", 0, 1, calm)), 20_000);
    expect(await read(bus.unit(1, PACING), 5)).toEqual([105]);
    expect(await ask()).toMatchObject({ kind: "unreachable", mayBeInUse: false });
    await world.clock.advance(120_000);
    expect(await ask()).toMatchObject({ kind: "unreachable", mayBeInUse: true });
  });

  test("how long an answer may take is waited for", async () => {
    const { bus, image, read, world } = await tcpBed();
    image.behave = () => ({ kind: "values", values: [1], delayMs: 4_500 });
    expect(await read(bus.unit(1, { ...PACING, timeoutMs: 5_000 }), 0)).toEqual([1]);
    const hasty = bus.unit(2, PACING);
    const failure = await world.clock.resolve(outcome(hasty.read("holding", 0, 1, calm)), 20_000);
    expect(failure).toMatchObject({ message: expect.stringContaining("no answer in 3000 ms") });
  });
});

describe("the framing of a host", () => {
  const READ = { unit: 1, table: "holding", address: 5, count: 2, connectDelayMs: 0 } as const;

  test("is found out: Modbus TCP first, RTU second, with one connection each", async () => {
    const tcp = await tcpBed();
    const found = findFraming(tcp.process.platform, HOST, READ, calm);
    expect(await tcp.world.clock.resolve(found, 20_000)).toBe("tcp");
    const rtu = lineBed("rtu-over-tcp");
    let accepted = 0;
    await rtu.world.net.host().listen(HOST, (stream) => {
      accepted += 1;
      return rtu.serve(stream);
    });
    const other = findFraming(rtu.process.platform, HOST, READ, calm);
    expect(await rtu.world.clock.resolve(other, 20_000)).toBe("rtu-over-tcp");
    expect(accepted).toBe(2);
    expect(rtu.process.resources.streams).toBe(0);
  });

  test("of a host where nobody answers is none, and where nobody listens it is asked once", async () => {
    const { process, world } = lineBed("rtu");
    await world.net.host().listen(HOST, () => ({ data: () => undefined, closed: () => undefined }));
    const silent = findFraming(process.platform, HOST, READ, calm);
    await expect(world.clock.resolve(silent, 30_000)).rejects.toThrow("answers neither to Modbus TCP nor to RTU");
    const nobody = findFraming(process.platform, { ...HOST, port: 503 }, READ, calm);
    await expect(world.clock.resolve(nobody, 30_000)).rejects.toThrow("ECONNREFUSED");
  });
});

function imageOf() {
  const values = () => ({ kind: "values", values: [7] }) as const;
  return { readHolding: values, readInput: values };
}

function noWrite() {
  return { kind: "exception", code: 1 } as const;
}
