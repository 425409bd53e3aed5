import { describe, expect, it } from "vitest";
import { ahoydtu } from "../../firmware-bridges/ahoydtu/ahoydtu.ts";
import { AhoyDtuTwin } from "../twins/firmware/ahoydtu.ts";
import { MqttBench } from "./bench.ts";

const OPTIONS = { bridge: "ahoydtu", topic: "garage", channel: 1, settings: { ratedW: 400 } };

describe("an inverter behind AhoyDTU", () => {
  it("is read in W and Wh, with its limit", async () => {
    await using bench = new MqttBench();
    bench.board(new AhoyDtuTwin("garage", 1));
    const driver = await bench.connect(OPTIONS);
    await bench.pass(1_000);
    expect(driver.identity).toMatchObject({ manufacturer: "Hoymiles", name: "garage" });
    expect(await bench.read(driver)).toEqual({
      "inverter.power": 287.5,
      "inverter.energy": 812_340,
      "inverter.powerLimit": 100,
    });
  });

  it("acknowledges, refuses or ignores a limit", async () => {
    await using bench = new MqttBench();
    const twin = new AhoyDtuTwin("garage", 1);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.write(driver, "inverter.powerLimit", 30);
    expect(twin.limitPercent).toBe(30);
    twin.answer = false;
    await expect(bench.write(driver, "inverter.powerLimit", 50)).rejects.toMatchObject({ kind: "rejected" });
    twin.answer = null;
    await expect(bench.write(driver, "inverter.powerLimit", 60)).rejects.toMatchObject({
      kind: "unreachable",
      message: "inverter.powerLimit 60: no answer on inverter/garage/ack_pwr_limit within 8 s",
    });
  });

  it("takes no limit at which it would stay at 0 W, and none when nobody says which number it has", async () => {
    await using bench = new MqttBench();
    bench.board(new AhoyDtuTwin("garage", 1));
    const driver = await bench.connect(OPTIONS);
    expect(driver.controls).toMatchObject([{ point: "inverter.powerLimit", range: { min: 5, max: 100 } }]);
    const { channel: _channel, ...unnumbered } = OPTIONS;
    expect((await bench.connect(unnumbered)).controls).toEqual([]);
  });

  it("is not there when it only was there", async () => {
    await using bench = new MqttBench();
    const twin = new AhoyDtuTwin("garage", 1);
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    twin.available = 3;
    await bench.pass(16_000);
    await expect(bench.read(driver)).rejects.toThrow("the inverter produced, and is not heard any more");
  });

  it("announces itself by its state", () => {
    const heard = [
      { topic: "inverter/garage/available", text: "2", isRetained: true },
      { topic: "inverter/other/available", text: "yes", isRetained: true },
    ];
    expect(ahoydtu.announcements?.sightings(heard).map(({ key }) => key)).toEqual(["ahoydtu:garage"]);
  });
});
