import { describe, expect, test } from "vitest";
import { modbusAdapter } from "../../../adapters/modbus/modbus-adapter.ts";
import { adapterContext, calm } from "./bus/bus-world.ts";
import { HOST, LINE, lineBed } from "./bus/line-harness.ts";

function started(kind: "rtu" | "rtu-over-tcp") {
  const bed = lineBed(kind);
  const adapter = modbusAdapter.start(adapterContext(bed.world.clock, bed.process.adapterContext()));
  const connect = (options: object) => {
    const parsed = modbusAdapter.options.parse({ profile: "eastron-sdm630", ...options });
    return bed.world.clock.resolve(adapter.connect("meter", parsed, calm), 60_000);
  };
  return { ...bed, adapter, connect };
}

describe("devices on a serial line", () => {
  test("share the port, however many units they are, and give it back", async () => {
    const { connect, world, image, process } = started("rtu");
    const drivers = [await connect({ serialPort: LINE.path }), await connect({ serialPort: LINE.path, unit: 7 })];
    for (const driver of drivers) {
      expect(await world.clock.resolve(driver.read("all", calm), 60_000)).not.toHaveLength(0);
    }
    expect(new Set(image.asked.map((asked) => asked.split(" ")[0]))).toEqual(new Set(["1", "7"]));
    expect(process.resources.streams).toBe(1);
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
    await world.clock.advance(1);
    expect(process.resources.streams).toBe(0);
  });

  test("that are set otherwise than their neighbour are refused with both settings", async () => {
    const { connect } = started("rtu");
    await using _first = await connect({ serialPort: LINE.path });
    await expect(connect({ serialPort: LINE.path, unit: 2, baudRate: 2_400 })).rejects.toThrow(
      "/dev/ttyUSB0: this device wants rtu, 2400 8N1, another one there rtu, 9600 8N1",
    );
  });

  test("and behind a host whose framing nobody named are found out once, and share the connection", async () => {
    const { connect, world, serve, process } = started("rtu-over-tcp");
    let accepted = 0;
    await world.net.host().listen(HOST, (stream) => {
      accepted += 1;
      return serve(stream);
    });
    const options = { host: HOST.host, framing: "auto" };
    await using first = await connect(options);
    await using second = await connect({ ...options, unit: 2 });
    for (const driver of [first, second]) {
      expect(await world.clock.resolve(driver.read("all", calm), 60_000)).not.toHaveLength(0);
    }
    expect(accepted).toBe(3);
    expect(process.resources.streams).toBe(1);
  });
});
