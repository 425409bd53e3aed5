/** How the devices of an account share budgets that each site or vehicle has of its own. */
import { expect, test } from "vitest";
import type { PollBudget } from "../../../../adapters/clouds/kit/budget/poll-budget.ts";
import type { CloudDevice } from "../../../../adapters/clouds/kit/connector.ts";
import { Accounts } from "../../../../adapters/clouds/kit/session/accounts.ts";
import { openCloudWire } from "../../../../adapters/clouds/kit/session/cloud-wire.ts";
import type { WireParts } from "../../../../adapters/clouds/kit/session/open-account.ts";
import { vendorOf } from "../../../../adapters/clouds/kit/vendor.ts";
import { MemoryDisk } from "../../../../src/testing/memory-disk.ts";
import { World } from "../../../../src/testing/world.ts";
import { APP } from "../fake-session.ts";
import { DAY_MS, HOUR_MS, makeRule } from "./budget-world.ts";
import { sunny } from "./sunny.ts";

const PER_SITE = makeRule({ name: "site-day", limit: 100, scope: "subject" });

async function makeAccount() {
  const context = new World({ seed: 1 }).boot("gateway", new MemoryDisk()).adapterContext();
  const connector = sunny("form", { budgets: [PER_SITE], pace: { active: 1, usual: 1, idle: 1 } });
  const budgets: PollBudget[] = [];
  const openWire = (parts: WireParts) => {
    budgets.push(parts.budget);
    return openCloudWire(parts);
  };
  const accounts = new Accounts({ context, vendors: [vendorOf(connector)], apps: { sunny: APP }, openWire });
  const share = await accounts.share("sunny", "anna");
  const join = (key: string, subject?: string) => share.pace(device(subject), key);
  const status = () => accounts.status()[0];
  return { context, budget: budgets[0]!, join, status };
}

/** Later by chance by a tenth at most. */
function expectPeriod(periodMs: number, evenMs: number): void {
  expect(periodMs).toBeGreaterThanOrEqual(evenMs);
  expect(periodMs).toBeLessThan(evenMs * 1.1);
}

function device(subject?: string): CloudDevice {
  return {
    identity: { manufacturer: "Sunny", model: null, serial: null, version: null },
    points: [],
    controls: [],
    cost: {},
    ...(subject === undefined ? {} : { subject }),
    read: async () => [],
    write: async () => undefined,
    tempo: () => "active",
  };
}

test("a device has its key's budget to itself", async () => {
  const { join } = await makeAccount();
  const one = join("site 1");
  join("site 2");
  expectPeriod(one.nextMs(), DAY_MS / 100);
});

test("devices that name one subject share its budget, whatever their keys", async () => {
  const { join } = await makeAccount();
  const [inverter, battery] = [join("inverter", "site 1"), join("battery", "site 1")];
  join("other", "site 2");
  expectPeriod(inverter.nextMs(), (2 * DAY_MS) / 100);
  battery[Symbol.dispose]();
  expectPeriod(inverter.nextMs(), DAY_MS / 100);
});

test("an account is asked next when the first of its devices may be", async () => {
  const { context, budget, join, status } = await makeAccount();
  join("inverter", "site 1");
  expect(status()?.nextPollMs).toBeNull();
  const taken = await budget.take({ cost: { "site-day": 100 }, subject: "site 1" });
  if (taken.isTaken) taken.settle(true);
  expect(status()?.nextPollMs).toBeGreaterThan(context.clock.nowMs() + 23 * HOUR_MS);
  join("other", "site 2");
  expect(status()?.nextPollMs).toBeNull();
});
