import { describe, expect, test } from "vitest";
import { CHARGER, makeModbusHome } from "../../engine/discovery/modbus-home.ts";
import { openRealHouse } from "../support/real-house.ts";

const URL = "/local/discovery";
const json = { "content-type": "application/json" };

async function openHouse() {
  const home = makeModbusHome({ isListening: false, followsAddresses: false });
  await home.place(CHARGER, "192.168.1.6");
  return await openRealHouse({ home });
}

describe("a search", () => {
  test("is begun, goes on for a while, and tells what it found", async () => {
    await using house = await openHouse();
    expect((await house.ask({ method: "GET", url: URL })).json()).toMatchObject({
      isSearching: false,
      startedAt: null,
    });
    const begun = await house.ask({ method: "POST", url: URL, headers: json, payload: { isActive: true } });
    expect([begun.statusCode, begun.json().isSearching]).toEqual([200, true]);
    const second = await house.ask({ method: "POST", url: URL, headers: json, payload: {} });
    expect([second.statusCode, second.json().title]).toEqual([409, "Conflict"]);
    await house.pass(120_000);
    const { devices, ...search } = (await house.ask({ method: "GET", url: URL })).json();
    expect(search).toMatchObject({ isSearching: false, isActive: true, hostsAsked: 13 });
    expect(devices).toMatchObject([{ serial: "19123456", kinds: ["charger"], isAddable: true, knownAs: null }]);

    const adopted = await house.ask({
      method: "POST",
      url: `${URL}/${devices[0].id}/adopt`,
      headers: json,
      payload: { userId: "anna", name: "Garage" },
    });
    expect(adopted.statusCode).toBe(200);
    await house.pass(30_000);
    const chargers = (await house.ask({ method: "GET", url: "/users/anna/chargers" })).json();
    expect(chargers.data).toMatchObject([{ vendor: "KEBA", isReachable: true }]);
    const again = await house.ask({ method: "POST", url: `${URL}/${devices[0].id}/adopt`, headers: json, payload: {} });
    expect(again.statusCode).toBe(409);
  });

  test.each([
    ["a public address", { isActive: true, hosts: ["1.1.1.1"] }, "1.1.1.1 is not an address in this house."],
    ["no address", { hosts: ["inverter.lan"] }, "hosts"],
  ])("of %s is refused", async (_what, payload, told) => {
    await using house = await openHouse();
    const answer = await house.ask({ method: "POST", url: URL, headers: json, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(told);
  });

  test("found nothing of that id", async () => {
    await using house = await openHouse();
    const answer = await house.ask({ method: "POST", url: `${URL}/nothing/adopt`, headers: json, payload: {} });
    expect(answer.statusCode).toBe(404);
  });
});
