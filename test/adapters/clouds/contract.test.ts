/** Devices behind clouds keep the contract of all adapters: one that is only polled, and one whose cloud has a stream. */
import type { Adapter } from "hemgate/sdk";
import { adapterContract, type ContractDevice, MemoryAccountNotes, type World } from "hemgate/testing";
import { describe, expect, test } from "vitest";
import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { easee } from "../../../adapters/clouds/easee/easee.ts";
import type { CloudConnector } from "../../../adapters/clouds/kit/connector.ts";
import { freshLogin, keepLogin } from "../../../adapters/clouds/kit/login/kept-login.ts";
import { newAccountStore } from "../../../adapters/clouds/kit/session/account-store.ts";
import { vendorOf } from "../../../adapters/clouds/kit/vendor.ts";
import { zaptec } from "../../../adapters/clouds/zaptec/zaptec.ts";
import type { CloudTwin } from "../../twins/clouds/cloud-twin.ts";
import { EaseeTwin } from "../../twins/clouds/easee-twin.ts";
import type { TokenDesk } from "../../twins/clouds/token-desk.ts";
import { ZaptecTwin } from "../../twins/clouds/zaptec-twin.ts";
import { easeeCharger } from "./easee-charger.ts";
import { zaptecCharger } from "./zaptec-charger.ts";

const ACCOUNT = "ada";

interface Behind {
  readonly connector: CloudConnector;
  readonly twin: CloudTwin & { readonly desk: TokenDesk };
  /** As the vendor knows it. */
  readonly device: string;
}

/** A device behind its cloud, with an account that was signed in to. */
async function behindCloud(world: World, { connector, twin, device }: Behind): Promise<ContractDevice> {
  twin.join(world.web, "93.184.216.10");
  const { access_token: access, refresh_token: refresh, expires_in: lifeS } = twin.desk.issue();
  const grant = { access, refresh, expiresAtMs: world.clock.nowMs() + lifeS * 1_000 };
  const accounts = new MemoryAccountNotes();
  await keepLogin(newAccountStore(accounts, ACCOUNT), freshLogin({ grant, form: null }, null));
  const stop = (): void => {
    twin.trouble = "hang";
    for (const host of twin.hosts) world.webSockets.silent.add(host);
  };
  return { options: { vendor: connector.id, account: ACCOUNT, device, confirmUnverified: true }, accounts, stop };
}

function easeeIn(world: World): Promise<ContractDevice> {
  const twin = new EaseeTwin(world.clock);
  const charger = easeeCharger();
  twin.chargers = [charger];
  return behindCloud(world, { connector: easee, twin, device: charger.id });
}

function zaptecIn(world: World): Promise<ContractDevice> {
  const twin = new ZaptecTwin(world.clock);
  const charger = zaptecCharger();
  twin.chargers = [charger];
  return behindCloud(world, { connector: zaptec, twin, device: charger.id });
}

describe.each([
  ["that is polled", zaptec, zaptecIn],
  ["with a stream", easee, easeeIn],
])("a cloud %s keeps the contract", (_how, connector, device) => {
  const adapter = cloudAdapter({ apps: {}, vendors: [vendorOf(connector)] }) as unknown as Adapter;
  test.each(adapterContract({ adapter, device }).map((each) => [each.name, each] as const))(
    "%s",
    async (_name, { run }) => {
      await expect(run()).resolves.toBeUndefined();
    },
  );
});
