import { describe, expect, it } from "vitest";
import { BRIDGES } from "../../firmware-bridges/kit/bridges.ts";
import { OpenDtuTwin } from "../twins/firmware/opendtu.ts";
import { MqttBench } from "./bench.ts";

const SERIAL = "114181234567";
const OPTIONS = { bridge: "opendtu", topic: SERIAL };

describe("an inverter behind OpenDTU", () => {
  it("is read in W and Wh, with its limit", async () => {
    await using bench = new MqttBench();
    bench.board(new OpenDtuTwin(SERIAL));
    const driver = await bench.connect(OPTIONS);
    expect(driver.identity).toMatchObject({ manufacturer: "Hoymiles", serial: SERIAL, name: "Roof south" });
    expect(await bench.read(driver)).toEqual({
      "inverter.power": 412.3,
      "inverter.energy": 1_234_567,
      "inverter.powerLimit": 100,
    });
  });

  it("is limited without a write to its flash, and never retained", async () => {
    await using bench = new MqttBench();
    const twin = new OpenDtuTwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.write(driver, "inverter.powerLimit", 40);
    expect(await bench.read(driver)).not.toHaveProperty("inverter.powerLimit");
    await bench.pass(12_000);
    expect(await bench.read(driver, "due")).toMatchObject({ "inverter.powerLimit": 40 });
    expect(twin).toMatchObject({ limitPercent: 40, persistentWrites: 0 });
    expect(bench.broker.retained.has(`solar/${SERIAL}/cmd/limit_nonpersistent_relative`)).toBe(false);
    await expect(bench.write(driver, "inverter.powerLimit", 1)).rejects.toThrow("does not take 1");
  });

  it("is not there at night, although the broker remembers its last values", async () => {
    await using bench = new MqttBench();
    const twin = new OpenDtuTwin(SERIAL);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.isReachable = false;
    await bench.pass(6_000);
    await expect(bench.read(driver)).rejects.toThrow("the OpenDTU does not reach the inverter");
    await expect(bench.connect(OPTIONS)).rejects.toThrow("the OpenDTU does not reach the inverter");
    twin.isReachable = true;
    await bench.pass(6_000);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": 412.3 });
  });

  it("is not there when only the broker's memory speaks of it", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new OpenDtuTwin(SERIAL));
    await bench.pass(6_000);
    bench.broker.loseNext(0);
    board.pull();
    await bench.publish("solar/dtu/status", "online", true);
    await expect(bench.connect(OPTIONS)).rejects.toThrow("only old values from the broker");
  });

  it("is lost with the DTU's power, and found again", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new OpenDtuTwin(SERIAL));
    const driver = await bench.connect(OPTIONS);
    board.pull();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("the OpenDTU is offline");
    board.start();
    await bench.pass(2_000);
    expect(await bench.read(driver)).toMatchObject({ "inverter.power": 412.3 });
  });

  it("shows no counter that begins at 0 in the morning, and no number that is none", async () => {
    await using bench = new MqttBench();
    const twin = new OpenDtuTwin(SERIAL);
    const board = bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.energyKwh = 0;
    await bench.pass(5_500);
    expect(await bench.read(driver, "due")).toMatchObject({ "inverter.energy": null });
    await bench.read(driver);
    board.pull();
    await bench.pass(500);
    await bench.publish("solar/dtu/status", "online");
    await bench.publish(`solar/${SERIAL}/0/power`, "lots");
    await bench.publish(`solar/${SERIAL}/0/power`, "plenty");
    expect(bench.warnings()).toEqual([
      "expected a number, but 4 other characters came",
      "expected a number, but 6 other characters came",
    ]);
  });

  it("is named by its serial number only", async () => {
    await using bench = new MqttBench();
    await expect(bench.connect({ ...OPTIONS, topic: "roof" })).rejects.toThrow(
      "topic roof is no inverter's serial number",
    );
  });

  it("announces itself by its topics", () => {
    const heard = [
      { topic: `solar/${SERIAL}/name`, text: "Roof south", isRetained: true },
      { topic: `solar/${SERIAL}/status/reachable`, text: "1", isRetained: true },
      { topic: "solar/ac/name", text: "x", isRetained: true },
    ];
    const bridge = BRIDGES.find(({ name }) => name === "opendtu");
    expect(bridge?.announcements?.sightings(heard)).toMatchObject([
      {
        key: `opendtu:${SERIAL}`,
        name: "Roof south",
        roles: ["inverter"],
        options: { bridge: "opendtu", topic: SERIAL },
      },
    ]);
  });
});
