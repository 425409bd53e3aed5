/** People link accounts of vendors' clouds, by every kind of login. Vendors are twins behind real TLS. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CloudHouse, openCloudHouse } from "./cloud-house.ts";
import { lookAt } from "./page-house.ts";

const BAD_GATEWAY = { status: 502, headers: { "content-type": "text/html" }, body: "<html>Bad gateway</html>" };
const SOON = { timeout: 20_000, interval: 200 } as const;

let house: CloudHouse;
beforeAll(async () => {
  house = await openCloudHouse();
});
afterAll(async () => {
  await house[Symbol.asyncDispose]();
});
afterEach(() => {
  house.front.instead = null;
  // A browser notes each answer that is an error: a session that is over, and one that nobody knows.
  const trouble = house.trouble.splice(0).filter((text) => !/4(04|10) \((Not Found|Gone)\)/.test(text));
  expect(trouble).toEqual([]);
});

const press = (page: Page) => page.locator("button.button-main").click();
const told = (page: Page, text: string) => page.getByRole("alert").getByText(text).waitFor();

/** Links all devices that are shown, and leaves all that their owner may decide as it is. */
async function linkAll(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Choose your devices" }).waitFor();
  await press(page);
  const done = page.getByRole("heading", { name: "All set" });
  const settings = page.getByRole("heading", { name: /^Settings of/ });
  await done.or(settings).waitFor();
  for (let pages = 0; pages < 5 && (await settings.isVisible()); pages += 1) {
    const before = await settings.textContent();
    await press(page);
    await expect.poll(async () => (await page.locator("h1").textContent()) !== before, SOON).toBe(true);
  }
  await done.waitFor();
  await page.context().close();
}

describe("by name and password", () => {
  const fill = async (page: Page, password: string): Promise<void> => {
    await page.getByLabel("Password", { exact: true }).fill(password);
    await press(page);
  };

  it("a person cancels halfway, and nothing is linked", async () => {
    const page = await house.begin("EASEE", ["charger"]);
    await page.getByLabel("User name").fill("ada@example.com");
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.waitForURL(/error=access_denied/);
    await page.context().close();
    await house.expectAssets("chargers", []);
  });

  it("a second try works, after a wrong password and a vendor that was down, and shows live values", async () => {
    const { account, chargers } = house.twins.easee;
    const page = await house.begin("EASEE", ["charger"]);
    await page.getByLabel("User name").fill(account.userName);
    await fill(page, "wrong");
    await told(page, "not accepted");
    house.front.instead = BAD_GATEWAY;
    await fill(page, account.password);
    await told(page, "does not answer");
    await lookAt(page, "cloud-password-down");
    const password = page.getByLabel("Password", { exact: true });
    expect(await password.getAttribute("aria-invalid")).toBeNull();
    expect(await password.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.getByLabel("User name").inputValue()).toBe(account.userName);
    house.front.instead = null;
    await fill(page, account.password);
    await linkAll(page);
    await house.expectAssets("chargers", [
      { vendor: "EASEE", isReachable: true, chargeState: { isPluggedIn: true, maxCurrent: 16 } },
    ]);
    chargers[0]!.dynamicA = 10;
    await house.expectAssets("chargers", [{ chargeState: { maxCurrent: 10 } }]);
  });

  it("an account that is linked again stays one", async () => {
    const { account } = house.twins.easee;
    const page = await house.begin("EASEE", ["charger"]);
    await page.getByLabel("User name").fill(account.userName.toUpperCase());
    // Easee itself takes the name as it was given.
    house.twins.easee.account.userName = account.userName.toUpperCase();
    await fill(page, account.password);
    await page.getByText("Linked already").waitFor();
    await linkAll(page);
    await house.expectAssets("chargers", [{ vendor: "EASEE", isReachable: true }]);
    const accounts = (await (await house.ask("GET", "/local/vendors")).json()) as readonly { vendor: string }[];
    expect(accounts.filter(({ vendor }) => vendor === "EASEE")).toHaveLength(1);
  });
});

it("by an API key, at the second try", async () => {
  const { apiKey, sites } = house.twins.solaredge;
  const page = await house.begin("SOLAREDGE", ["inverter", "meter", "battery"]);
  await page.getByLabel("API key").fill("nonsense");
  await press(page);
  await told(page, "not accepted");
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  await page.getByLabel("API key").fill(apiKey);
  await press(page);
  await linkAll(page);
  await house.expectAssets("inverters", [{ vendor: "SOLAREDGE", productionState: { productionRate: 6 } }]);
  await house.expectAssets("meters", [{ vendor: "SOLAREDGE", energyState: { power: -1.5 } }]);
  await house.expectAssets("batteries", [{ chargeState: { chargeRate: 2.5, batteryLevel: 75 } }]);
  sites[0]!.soc = 80;
});

describe("on the vendor's own page", () => {
  it("a person says no, meets a vendor that is down, and says yes", async () => {
    const page = await house.begin("TESLA", ["battery", "vehicle"]);
    const go = () => page.getByRole("link", { name: "Go to Tesla" }).click();
    await page.getByRole("link", { name: "Go to Tesla" }).waitFor();
    await lookAt(page, "cloud-code-away");
    await go();
    await page.getByRole("link", { name: "Deny" }).click();
    await told(page, "not allowed");
    await lookAt(page, "cloud-code-denied");
    await press(page);
    await go();
    await page.getByRole("link", { name: "Allow" }).waitFor();
    house.front.instead = BAD_GATEWAY;
    await page.getByRole("link", { name: "Allow" }).click();
    await told(page, "does not answer");
    house.front.instead = null;
    await press(page);
    await go();
    const returned = page.waitForRequest(/\/link\/return\?/);
    await page.getByRole("link", { name: "Allow" }).click();
    const callback = (await returned).url();
    await page.getByRole("heading", { name: "Choose your devices" }).waitFor();
    const asked = house.twins.tesla.asked.length;
    // The same code again, as by the browser's history, and what somebody else made up.
    await page.goto(callback);
    await page.getByRole("heading", { name: "Choose your devices" }).waitFor();
    const { page: stranger, context } = await house.open("small", "light");
    await stranger.goto(callback.replace(/state=[^&]+/, "state=made-up"));
    await stranger.getByRole("heading", { name: "This link is not known" }).waitFor();
    await context.close();
    expect(house.twins.tesla.asked.length).toBe(asked);
    await linkAll(page);
    await house.expectAssets("vehicles", [{ vendor: "TESLA", isReachable: true, chargeState: { batteryLevel: 55 } }]);
  });
});

describe("by a code that is entered at the vendor", () => {
  it("a person comes too late, says no, and confirms", async () => {
    const { tado } = house.twins;
    tado.codeLifeS = 4;
    const page = await house.begin("TADO", ["hvac"]);
    await page.getByText("7BQ5ZQ").waitFor();
    await lookAt(page, "cloud-device-code");
    await told(page, "not entered in time");
    await lookAt(page, "cloud-device-code-late");
    tado.codeLifeS = 300;
    const answer = async (name: string): Promise<void> => {
      const opened = page.context().waitForEvent("page");
      await page.getByRole("link", { name: "Open login.tado.com" }).click();
      const tab = await opened;
      await tab.getByRole("link", { name }).click();
      await tab.close();
    };
    await press(page);
    await answer("Deny");
    await told(page, "not allowed");
    await press(page);
    await answer("Confirm");
    await linkAll(page);
    await house.expectAssets("hvacs", Array(3).fill({ vendor: "TADO", isReachable: true }));
  });

  it("a person is shown a PIN, and the page goes on by itself", async () => {
    const { ecobee } = house.twins;
    ecobee.pinIntervalS = 1;
    const page = await house.begin("ECOBEE", ["hvac"]);
    await page.getByLabel("Email address").fill("ada@example.com");
    await press(page);
    await page.getByText("PIN1").waitFor();
    await page.getByText("My Apps").waitFor();
    await lookAt(page, "cloud-pin");
    ecobee.enteredPins.push("PIN1");
    await linkAll(page);
    await expect.poll(async () => await (await house.ask("GET", "/hvacs")).text(), SOON).toContain('"vendor":"ECOBEE"');
  });
});

it("a vendor's login with a second factor, wrong and then right", async () => {
  const { sunny } = house.twins;
  sunny.secondFactor = "4711";
  const page = await house.begin("ZAPTEC", ["charger"]);
  await page.getByLabel("User name").fill("anna");
  await page.getByLabel("Password", { exact: true }).fill(sunny.password);
  await press(page);
  await page.getByLabel("Code").fill("0815");
  await press(page);
  await told(page, "not accepted");
  await page.getByLabel("Code").fill("4711");
  await press(page);
  await linkAll(page);
  await expect
    .poll(async () => (await (await house.ask("GET", "/chargers")).text()).match(/"vendor":"ZAPTEC"/g), SOON)
    .toHaveLength(2);
});

it("several plants of a vendor that may be asked once a minute are linked, and the page says that one comes later", async () => {
  const { user } = house.twins.huawei;
  const page = await house.begin("HUAWEI", ["inverter"]);
  await page.getByLabel("User name").fill(user.userName);
  await page.getByLabel("Password", { exact: true }).fill(user.systemCode);
  await press(page);
  await page.getByText("Barn").waitFor();
  await press(page);
  await page.getByRole("heading", { name: "All set" }).waitFor();
  await lookAt(page, "cloud-later");
  expect(await page.getByText("Comes in a few minutes").count()).toBe(1);
  await page.context().close();
  await expect
    .poll(async () => (await (await house.ask("GET", "/inverters")).text()).match(/"vendor":"HUAWEI"/g), SOON)
    .toHaveLength(1);
});
