import { describe, expect, it } from "vitest";
import { publishRetainedStates } from "../../src/broker/retained-states.ts";
import type { Asset, AssetKind } from "../../src/domain/asset.ts";
import type { Assets } from "../../src/engine/services.ts";
import { memoryBroker } from "../../src/testing/memory-broker.ts";

type Listener = Parameters<Assets["observe"]>[0];
const quiet = { warn: () => undefined };
const meter = (power: number) => ({ id: "m1", energyState: { power } }) as unknown as Asset;

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
    change: (asset) => listener?.("meter", "m1", asset),
  };
}

describe("retained states", () => {
  it("hold every asset, and follow its changes", async () => {
    const assets = fakeAssets(meter(1));
    const broker = memoryBroker({ host: "world", port: 1883 });
    await publishRetainedStates({ assets, broker, log: quiet });
    expect(broker.retained.get("hemgate/status")).toBe("online");
    assets.change(meter(-2));
    expect(JSON.parse(broker.retained.get("hemgate/meter/m1") ?? "")).toMatchObject({ energyState: { power: -2 } });
  });

  it("forget an asset that is gone", async () => {
    const assets = fakeAssets(meter(1));
    const broker = memoryBroker({ host: "world", port: 1883 });
    await publishRetainedStates({ assets, broker, log: quiet });
    assets.change(null);
    expect(broker.retained.has("hemgate/meter/m1")).toBe(false);
  });

  it("say offline after an orderly stop, and nothing after that", async () => {
    const assets = fakeAssets(meter(1));
    const broker = memoryBroker({ host: "world", port: 1883 });
    const states = await publishRetainedStates({ assets, broker, log: quiet });
    await states[Symbol.asyncDispose]();
    assets.change(meter(7));
    expect(broker.retained.get("hemgate/status")).toBe("offline");
    expect(JSON.parse(broker.retained.get("hemgate/meter/m1") ?? "")).toMatchObject({ energyState: { power: 1 } });
  });
});
