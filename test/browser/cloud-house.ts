/** A gateway with the connectors of vendors' clouds, their twins on the loopback address, and people who link accounts. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { cloudAdapter } from "../../adapters/clouds/cloud-adapter.ts";
import { easee } from "../../adapters/clouds/easee/easee.ts";
import { ecobee } from "../../adapters/clouds/ecobee/ecobee.ts";
import { huawei } from "../../adapters/clouds/huawei/huawei.ts";
import type { CloudConnector } from "../../adapters/clouds/kit/connector.ts";
import { vendorOf } from "../../adapters/clouds/kit/vendor.ts";
import { solaredge } from "../../adapters/clouds/solaredge/solaredge.ts";
import { tado } from "../../adapters/clouds/tado/tado.ts";
import { tesla } from "../../adapters/clouds/tesla/tesla.ts";
import type { AssetKind } from "../../src/domain/assets/asset.ts";
import { SCOPES } from "../../src/domain/users/scope.ts";
import { clockQuality } from "../../src/platform/node/clock-quality.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import type { Adapter } from "../../src/sdk/driver.ts";
import { APP } from "../adapters/clouds/fake-session.ts";
import { SunnyTwin, sunny } from "../adapters/clouds/kit/sunny.ts";
import { makeSite, makeVehicle } from "../adapters/clouds/tesla-houses.ts";
import { EaseeTwin } from "../twins/clouds/easee-twin.ts";
import { EcobeeTwin } from "../twins/clouds/ecobee-twin.ts";
import { HuaweiPlantTruth, HuaweiTwin } from "../twins/clouds/huawei-twin.ts";
import { SolarEdgeTwin } from "../twins/clouds/solaredge-twin.ts";
import { TadoTwin } from "../twins/clouds/tado-twin.ts";
import { TeslaTwin } from "../twins/clouds/tesla-twin.ts";
import { openPageHouse, type PageHouse } from "./page-house.ts";
import { openVendorFront, type VendorFront } from "./vendor-front.ts";
import { TESLA_PAGES, vendorPages } from "./vendor-pages.ts";

/** Devices are looked at often, so that nobody waits for a change. */
const PACE = { active: 1_000, usual: 1_000, idle: 1_000 } as const;
const AMPLE = 100_000;
const SOON = { timeout: 20_000, interval: 200 } as const;

export type Twins = ReturnType<typeof makeTwins>;

export interface CloudHouse extends PageHouse {
  readonly twins: Twins;
  readonly front: VendorFront;
  /** A link page of a vendor, past the introduction and the consent, on a phone. */
  begin(vendor: string, kinds: readonly AssetKind[], change?: object): Promise<Page>;
  /** What the API shows of a kind of assets, once it is as it should be. */
  expectAssets(kind: string, like: readonly object[]): Promise<void>;
}

export async function openCloudHouse(): Promise<CloudHouse> {
  const twins = makeTwins();
  const front = await openVendorFront(Object.values(twins), vendorPages(twins), [TESLA_PAGES]);
  const house = await openPageHouse(() => [adapter()], front);
  return {
    ...house,
    twins,
    front,
    async begin(vendor, kinds, change = {}) {
      const scopes = kinds.flatMap((kind) => SCOPES[kind]);
      const { page } = await house.open("small", "light");
      await page.goto(await house.link({ vendor, scopes, ...change }));
      await page.locator("button.button-main").click();
      await page.locator("button.button-main").click();
      return page;
    },
    async expectAssets(kind, like) {
      const shown = async () => ((await (await house.ask("GET", `/${kind}`)).json()) as { data: unknown }).data;
      await expect.poll(shown, SOON).toMatchObject(like);
    },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
    },
  };
}

function adapter(): Adapter {
  const quick = (connector: CloudConnector): CloudConnector => {
    const budgets = connector.budgets.map((rule) => ({ ...rule, limit: AMPLE }));
    return { ...connector, pace: PACE, budgets };
  };
  const often = [easee, ecobee, solaredge, tado, tesla, sunny("form", { vendors: ["ZAPTEC"] })].map(quick);
  const apps = { tesla: APP, ecobee: APP };
  // FusionSolar's budget is what its tests are about. The options' type is the adapter's own business.
  return cloudAdapter({ apps, vendors: [...often, huawei].map(vendorOf) }) as unknown as Adapter;
}

function makeTwins() {
  const clock = nodeClock(clockQuality());
  const twins = {
    easee: new EaseeTwin(clock),
    ecobee: new EcobeeTwin(clock),
    huawei: new HuaweiTwin(clock),
    solaredge: new SolarEdgeTwin(clock),
    sunny: new SunnyTwin(clock),
    tado: new TadoTwin(clock),
    tesla: new TeslaTwin(clock),
  };
  const flags = { isOnline: true, isEnabled: true, isPlugged: true, needsAuthorization: false };
  const rest = { isFull: false, hasFault: false, gridType: 1, phaseMode: 2, maxA: 32, dynamicA: 16, oddMode: null };
  twins.easee.chargers = [{ id: "EH123456", name: "Garage", ...flags, ...rest, sessionKwh: 5.5, lifetimeKwh: 1_234.5 }];
  twins.tesla.sites = [makeSite()];
  twins.tesla.vehicles = [makeVehicle()];
  Object.assign(twins.solaredge.sites[0]!, { pvW: 6_000, gridW: -1_500, batteryW: 2_500, soc: 75 });
  Object.assign(twins.huawei.plants[0]!, { name: "House", pvW: 6_000, gridW: -2_500, batteryW: 3_000 });
  twins.huawei.plants.push(Object.assign(new HuaweiPlantTruth("NE=33550002"), { name: "Barn", pvW: 700 }));
  return twins;
}
