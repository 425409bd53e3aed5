import { z } from "hemgate/sdk";
import { expect, test } from "vitest";
import { type AccountList, entryOf } from "../../../../../adapters/clouds/kit/session/account-list.ts";
import { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";
import { fakeSession } from "../../fake-session.ts";
import { SunnyTwin, sunny } from "../sunny.ts";

const HOUR_MS = 3_600_000;
const Site = z.object({ id: z.number() });
const { signal } = new AbortController();

function bed() {
  const clock = new VirtualClock();
  const grant = { access: "a", refresh: null, expiresAtMs: null };
  const session = fakeSession({ connector: sunny("form"), twin: new SunnyTwin(clock), clock, grant });
  const vendor = { asked: 0, ids: [1] };
  const list: AccountList<z.infer<typeof Site>> = {
    brand: "Sunny",
    one: "site",
    keyOf: ({ id }) => String(id),
    entry: Site,
    fetch: async () => {
      vendor.asked += 1;
      return vendor.ids.map((id) => ({ id }));
    },
  };
  return { clock, vendor, find: (key: string) => entryOf(session, list, key, signal) };
}

test("a list that lacks what is looked for is asked for again, once an hour", async () => {
  const { clock, vendor, find } = bed();
  vendor.ids = [];
  for (let minute = 0; minute < 180; minute += 10) {
    await expect(find("1")).rejects.toMatchObject({ kind: "refused" });
    await clock.advance(HOUR_MS / 6);
  }
  expect(vendor.asked).toBe(3);
  vendor.ids = [1];
  await clock.advance(HOUR_MS);
  await expect(find("1")).rejects.toThrow();
  expect(await find("1")).toEqual({ id: 1 });
});

test("a list that has it is asked for once a day", async () => {
  const { clock, vendor, find } = bed();
  for (let hour = 0; hour < 24; hour += 1) {
    await find("1");
    await clock.advance(HOUR_MS);
  }
  expect(vendor.asked).toBe(1);
});
