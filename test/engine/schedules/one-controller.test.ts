import { expect, test } from "vitest";
import { openRealHouse } from "../../api/support/real-house.ts";
import { chargerOptions, makeHome } from "../home.ts";

test("a schedule and smart charging that are switched on at the same time never both stay on", async () => {
  const home = makeHome();
  home.add("charger", chargerOptions());
  await using house = await openRealHouse({ home });
  await house.pass(2_000);
  const page = await house.ask({ url: "/chargers" });
  const id = page.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
  const policy = { isEnabled: true, deadline: "07:00", chargingDuration: "02:00" };
  const schedule = {
    targetType: "charger",
    targetId: id,
    locationId: null,
    isEnabled: true,
    defaultShouldCharge: true,
    rules: [],
  };
  const made = await house.ask({ method: "POST", url: "/users/home/schedules", payload: schedule });
  const scheduleId = made.json<{ id: string }>().id;
  const headers = { authorization: `Bearer ${house.token}` };
  for (let round = 0; round < 10; round += 1) {
    const both = [
      house.api.inject({ method: "PUT", url: `/schedules/${scheduleId}`, payload: { isEnabled: true }, headers }),
      house.api.inject({ method: "PUT", url: `/chargers/${id}/smart-charging-policy`, payload: policy, headers }),
    ].map(async (answer) => (await answer).statusCode);
    expect(await house.home.world.clock.resolve(Promise.all(both), 10_000)).toEqual([200, 200]);
    const { store } = house.run;
    const isScheduled = store.get("schedule", scheduleId)?.schedule.isEnabled === true;
    const isSmart = store.get("charger-smart", id)?.policy.isEnabled === true;
    expect([isScheduled, isSmart].filter(Boolean)).toHaveLength(1);
  }
});
