import { describe, expect, it } from "vitest";
import { solarAssistant } from "../../firmware-bridges/solar-assistant/solar-assistant.ts";
import { Standstill } from "../../firmware-bridges/solar-assistant/standstill.ts";
import { SystemMetric } from "../../firmware-bridges/solar-assistant/system-metric.ts";
import { SolarAssistantTwin } from "../twins/firmware/solar-assistant.ts";
import { MqttBench } from "./bench.ts";

const OPTIONS = { bridge: "solar-assistant", topic: "solar_assistant" };
const MINUTE = 60_000;

describe("a SolarAssistant unit", () => {
  it("is a system: its totals, and sums of its inverters where it tells none", async () => {
    await using bench = new MqttBench();
    bench.board(new SolarAssistantTwin());
    const driver = await bench.connect(OPTIONS);
    await bench.pass(6_000);
    expect(await bench.read(driver)).toEqual({
      "battery.power": -850,
      "battery.soc": 64,
      "inverter.power": 2_950,
      "meter.power": 120,
      "hem.load": 3_920,
      "meter.voltage.l1": expect.closeTo(231.3, 0),
      "meter.frequency": 50.01,
    });
    expect(driver.controls).toEqual([]);
  });

  it("is not there when everything stands still, although messages go on, and is back with the first move", async () => {
    await using bench = new MqttBench();
    const twin = new SolarAssistantTwin();
    twin.wobbleW = 1;
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    await bench.pass(10 * MINUTE);
    const shown = (): object => ({ "battery.power": twin.values.get("total/battery_power") });
    expect(await bench.read(driver)).toMatchObject(shown());
    twin.isCableIn = false;
    await bench.pass(MINUTE);
    expect(await bench.read(driver)).toMatchObject(shown());
    await bench.pass(3 * MINUTE);
    await expect(bench.read(driver)).rejects.toThrow("the same values come again and again");
    twin.isCableIn = true;
    await bench.pass(11_000);
    expect(await bench.read(driver)).toMatchObject({ "battery.soc": 64 });
  });

  it("is gone in silence, and not there when only the broker remembers it", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new SolarAssistantTwin());
    const driver = await bench.connect(OPTIONS);
    board.pull();
    await bench.pass(31_000);
    await expect(bench.read(driver)).rejects.toThrow("nothing came for");
    await expect(bench.connect(OPTIONS)).rejects.toThrow("only old values from the broker");
  });

  it("is met by the second try when it speaks more rarely than a try lasts", async () => {
    await using bench = new MqttBench();
    const twin = new SolarAssistantTwin();
    const board = bench.board({ filters: [], ticks: [], connected: (say) => twin.connected(say), heard: () => {} });
    await bench.pass(1_000);
    const rare = { ...OPTIONS, intervalSeconds: 120 };
    await expect(bench.connect(rare)).rejects.toThrow("only old values from the broker");
    twin.connected(board.say);
    await bench.pass(50_000);
    const driver = await bench.connect(rare);
    expect(await bench.read(driver)).toMatchObject({ "battery.soc": 64 });
  });

  it("is listened to anew when its settings changed, and no longer than ten minutes without another try", async () => {
    await using bench = new MqttBench();
    const board = bench.board(new SolarAssistantTwin());
    await bench.pass(1_000);
    board.pull();
    const clients = bench.broker.clients;
    await expect(bench.connect(OPTIONS)).rejects.toThrow("only old values from the broker");
    await expect(bench.connect({ ...OPTIONS, topic: "shed" })).rejects.toThrow("nothing came on shed/+/");
    expect(bench.broker.clients).toBe(clients + 1);
    await bench.pass(11 * MINUTE);
    expect(bench.broker.clients).toBe(clients);
  });

  it("lets go of it at once when the gateway stops in the middle of a try", async () => {
    const bench = new MqttBench();
    const stop = new AbortController();
    const trying = bench.begin({ bridge: "tasmota", topic: "plug", role: "meter" }, stop.signal);
    trying.catch(() => undefined);
    await bench.pass(1_000);
    bench.broker.loseNext(9);
    await bench.pass(5_000);
    expect(bench.gateway.resources.streams).toBe(1);
    stop.abort();
    await bench[Symbol.asyncDispose]();
    expect(bench.gateway.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
    await expect(trying).rejects.toThrow();
  });

  it("comes back after a restart of the broker, with null for what is no number", async () => {
    await using bench = new MqttBench();
    const twin = new SolarAssistantTwin();
    bench.board(twin);
    const driver = await bench.connect(OPTIONS);
    bench.broker.stop();
    await bench.pass(1_000);
    await expect(bench.read(driver)).rejects.toThrow("no connection to the broker");
    twin.values.set("total/battery_power", "lots");
    bench.broker.start();
    await bench.pass(MINUTE);
    expect(await bench.read(driver)).toMatchObject({ "battery.power": null, "battery.soc": 64 });
    expect(bench.warnings()).toContain("expected a number, but 4 other characters came");
  });

  it("announces itself by its topics", () => {
    const heard = [
      { topic: "solar_assistant/total/battery_power/state", text: "1", isRetained: true },
      { topic: "solar_assistant/inverter_1/pv_power/state", text: "1", isRetained: true },
      { topic: "shed/inverter_1/pv_power/state", text: "1", isRetained: true },
    ];
    expect(solarAssistant.announcements?.sightings(heard)).toMatchObject([
      { key: "solar-assistant:solar_assistant", confidence: 0.9 },
      { options: { topic: "shed" }, confidence: 0.4 },
    ]);
  });
});

describe("a standstill", () => {
  it("needs power that flows", () => {
    const standstill = new Standstill();
    const tell = (watt: number, atMs: number): boolean =>
      standstill.tell({ topic: "s/total/load_power/state", text: String(watt), isRetained: false, atMs }, watt);
    const all = (watt: number, fromMs: number, everyMs: number): readonly boolean[] =>
      Array.from({ length: 18 }, (_, round) => tell(watt, fromMs + round * everyMs));
    expect(all(90, 0, 60_000)).not.toContain(true);
    expect(all(900, 0, 10_000)).not.toContain(true);
    expect(tell(900, 180_000)).toBe(true);
    expect(tell(901, 181_000)).toBe(false);
    expect(all(901, 182_000, 2_000)).not.toContain(true);
  });
});

describe("a metric of a system", () => {
  it("is the total, or the sum after a whole round, and null with a part that is null", () => {
    const summed = new SystemMetric();
    expect(summed.tell("inverter_1", 10)).toBeUndefined();
    expect(summed.tell("inverter_2", 20)).toBeUndefined();
    expect(summed.tell("inverter_1", 11)).toBe(31);
    expect(summed.tell("inverter_2", null)).toBeNull();
    expect(summed.tell("total", 40)).toBe(40);
    expect(summed.tell("inverter_1", 12)).toBeUndefined();
  });
});
