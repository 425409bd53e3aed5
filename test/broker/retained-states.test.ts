import { describe, expect, it } from "vitest";
import { publishRetainedStates } from "../../src/broker/retained-states.ts";
import type { Asset, AssetKind } from "../../src/domain/assets/asset.ts";
import type { Assets } from "../../src/engine/contracts/engine.ts";
import type { HemEntry } from "../../src/engine/contracts/hem.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { World } from "../../src/testing/world.ts";

const URL = "mqtt://10.0.0.9";
const ID = "6f1c2f5e-8c0a-4a53-9d6b-0d8e8f0c9a11";
const GONE = "0d8e8f0c-8c0a-4a53-9d6b-6f1c2f5e9a11";
const STATE = `hemgate/meter/${ID}`;
const CONFIG = `homeassistant/device/hemgate_${ID}/config`;

type Listener = Parameters<Assets["observe"]>[0];
const meter = (power: number) =>
  ({ id: ID, energyState: { power }, information: { brand: "Eastron", model: "SDM630" } }) as unknown as Asset;

function fakeAssets(first: Asset): Assets & { change(asset: Asset | null): void } {
  let listener: Listener | null = null;
  return {
    get: () => null,
    list: (kind: AssetKind) => (kind === "meter" ? [{ asset: first, createdAtMs: 0 }] : []) as never,
    observe: (given) => {
      listener = given;
      return {
        [Symbol.dispose]: () => {
          listener = null;
        },
      };
    },
    change: (asset) => listener?.("meter", ID, asset),
  };
}

async function start(homeAssistant = { isEnabled: true, prefix: "homeassistant" }) {
  const world = new World({ seed: 5 });
  const broker = world.mqtt.broker(URL);
  const process = world.boot("gateway", new MemoryDisk());
  const { clock, log, mqtt } = process.platform;
  const will = { topic: "hemgate/status", payload: new TextEncoder().encode("offline"), isRetained: true };
  const link = mqtt.connect({ url: URL, will });
  const assets = fakeAssets(meter(1));
  const systems: HemEntry[] = [];
  const hemSystems = { list: () => systems };
  const energy = null;
  const keep = (topic: string, text: string) =>
    broker.publish({ topic, payload: new TextEncoder().encode(text), isRetained: true });
  const open = async () =>
    await world.clock.resolve(
      publishRetainedStates({ assets, hemSystems, energy, link, clock, log, homeAssistant }),
      60_000,
    );
  const shown = () => JSON.parse(broker.retained.get(STATE) ?? "null");
  return { world, broker, process, assets, systems, keep, open, shown };
}

describe("retained states", () => {
  it("hold every asset, and follow its changes", async () => {
    const { world, broker, assets, open, shown } = await start();
    await open();
    await world.clock.advance(1_000);
    expect(broker.retained.get("hemgate/status")).toBe("online");
    assets.change(meter(-2));
    await world.clock.advance(100);
    expect(shown()).toMatchObject({ energyState: { power: -2 } });
  });

  it("forget an asset that is gone, with its announcement", async () => {
    const { world, broker, assets, open } = await start();
    await open();
    await world.clock.advance(1_000);
    expect(broker.retained.has(CONFIG)).toBe(true);
    assets.change(null);
    await world.clock.advance(100);
    expect([...broker.retained.keys()]).toEqual(["hemgate/status"]);
  });

  it("say offline after an orderly stop, and nothing after that", async () => {
    const { world, broker, assets, open, shown } = await start();
    const states = await open();
    await world.clock.advance(1_000);
    await world.clock.resolve(Promise.resolve(states[Symbol.asyncDispose]()), 1_000);
    assets.change(meter(7));
    await world.clock.advance(1_000);
    expect(broker.retained.get("hemgate/status")).toBe("offline");
    expect(shown()).toMatchObject({ energyState: { power: 1 } });
  });

  it("leave offline as the last will when the process dies", async () => {
    const { world, broker, process, open } = await start();
    await open();
    await world.clock.advance(1_000);
    process.kill();
    expect(broker.retained.get("hemgate/status")).toBe("offline");
  });

  it("come back with the broker, the newest of each", async () => {
    const { world, broker, assets, open, shown } = await start();
    await open();
    await world.clock.advance(1_000);
    broker.stop();
    await world.clock.advance(1_000);
    for (const power of [2, 3, 4]) assets.change(meter(power));
    broker.start();
    await world.clock.advance(120_000);
    expect(shown()).toMatchObject({ energyState: { power: 4 } });
    expect(broker.retained.get("hemgate/status")).toBe("online");
  });

  it("are published again when the broker did not acknowledge", async () => {
    const { world, broker, assets, open, shown } = await start();
    await open();
    await world.clock.advance(1_000);
    broker.loseNext(1);
    assets.change(meter(9));
    await world.clock.advance(6_000);
    expect(shown()).toMatchObject({ energyState: { power: 9 } });
  });

  it("clear away what an earlier run left, and nothing of others", async () => {
    const { world, broker, keep, open } = await start();
    await keep(`hemgate/battery/${GONE}`, "{}");
    await keep(`homeassistant/device/hemgate_${GONE}/config`, "{}");
    await keep("homeassistant/device/shelly/config", "{}");
    await keep("hemgate/notes/mine", "x");
    await open();
    await world.clock.advance(1_000);
    expect([...broker.retained.keys()].toSorted()).toEqual(
      [CONFIG, "hemgate/notes/mine", "homeassistant/device/shelly/config", STATE, "hemgate/status"].toSorted(),
    );
  });

  it("hold the houses as systems, a minute old at most", async () => {
    const { world, broker, systems, open } = await start();
    const system = (kwh: number) =>
      ({
        system: {
          id: GONE,
          information: { name: "Home", vendor: "HEMGATE" },
          status: { energy: { today: { import: kwh } } },
        },
        createdAtMs: 0,
      }) as unknown as HemEntry;
    systems.push(system(1));
    await open();
    await world.clock.advance(1_000);
    systems[0] = system(2);
    await world.clock.advance(61_000);
    expect(broker.retained.get(`hemgate/hem/${GONE}`)).toContain('"import":2');
    expect(broker.retained.has(`homeassistant/device/hemgate_${GONE}/config`)).toBe(true);
    systems.pop();
    await world.clock.advance(61_000);
    expect(broker.retained.has(`hemgate/hem/${GONE}`)).toBe(false);
    expect(broker.retained.has(`homeassistant/device/hemgate_${GONE}/config`)).toBe(false);
  });

  it("announce themselves again when Home Assistant has started", async () => {
    const { world, broker, open } = await start();
    await open();
    await world.clock.advance(1_000);
    const before = broker.published.length;
    await broker.publish({
      topic: "homeassistant/status",
      payload: new TextEncoder().encode("online"),
      isRetained: false,
    });
    await world.clock.advance(1_000);
    expect(broker.published.slice(before + 1).map(({ topic }) => topic)).toEqual([CONFIG]);
  });

  it("do not announce themselves where that is switched off, and take back what was announced", async () => {
    const { world, broker, keep, open } = await start({ isEnabled: false, prefix: "homeassistant" });
    await keep(CONFIG, "{}");
    await open();
    await world.clock.advance(1_000);
    expect([...broker.retained.keys()].toSorted()).toEqual([STATE, "hemgate/status"].toSorted());
  });
});
