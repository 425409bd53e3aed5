import { describe, expect, test } from "vitest";
import { atSignIn, CREDENTIALS, openLinking, SCOPES, visit } from "./linking-setup.ts";

const MINUTE_MS = 60_000;

describe("signing in on the page", () => {
  test("says that a password is wrong, and asks again", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    const page = await person.press({ ...CREDENTIALS, password: "rain" });
    expect(page).toMatchObject({
      title: "Sign in to Easee app",
      fault: "Those sign-in details were not accepted. Check them and try again.",
    });
    expect((await person.press(CREDENTIALS)).title).toBe("Choose your devices");
  });

  test("asks for what was left empty", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    expect((await person.press({ username: "anna@example.com" })).fault).toBe("Please fill in every field.");
  });

  test("asks for a second factor, again after a wrong code", async () => {
    await using linking = await openLinking();
    linking.vendors.code = "123456";
    const person = await atSignIn(linking.house);
    expect((await person.press(CREDENTIALS)).title).toBe("Enter the code");
    const page = await person.press({ code: "654321" });
    expect(page).toMatchObject({ title: "Enter the code", fault: expect.stringContaining("code was not accepted") });
    expect((await person.press({ code: "123456" })).title).toBe("Choose your devices");
  });

  test("takes no more than 20 attempts in a session", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    for (let count = 0; count < 20; count += 1) await person.press({ ...CREDENTIALS, password: "rain" });
    expect((await person.press(CREDENTIALS)).fault).toBe("There were too many attempts. Begin again in the app.");
  });

  test("shows a page that goes on by itself while a vendor takes its time", async () => {
    await using linking = await openLinking();
    linking.vendors.state = "silent";
    const person = await atSignIn(linking.house);
    const page = await person.press(CREDENTIALS);
    expect(page.title).toBe("One moment");
    expect(page.html).toContain('http-equiv="refresh"');
    await linking.house.pass(30_000);
    expect((await person.reload()).fault).toMatch(/does not answer at the moment/);
  });

  test("says that a vendor is out when its sign-ins keep failing, and offers it again later", async () => {
    await using linking = await openLinking();
    linking.vendors.state = "down";
    const person = await atSignIn(linking.house);
    for (let count = 0; count < 3; count += 1) {
      expect((await person.press(CREDENTIALS)).fault).toMatch(/does not answer/);
    }
    const later = await visit(linking.house, { vendor: "EASEE" });
    const page = await later.press();
    expect(page.title).toBe("Easee cannot be reached");
    expect(page.links.at(-1)).toContain("error=temporarily_unavailable");
    await linking.house.pass(16 * MINUTE_MS);
    expect((await (await visit(linking.house, { vendor: "EASEE" })).press()).title).toBe("test asks for access");
  });

  test("treats a vendor's nonsense as its failure", async () => {
    await using linking = await openLinking();
    linking.vendors.state = "broken";
    const person = await atSignIn(linking.house);
    expect((await person.press(CREDENTIALS)).fault).toMatch(/does not answer/);
  });

  test("says that an account has no such device", async () => {
    await using linking = await openLinking();
    for (const key of Object.keys(linking.vendors.account)) delete linking.vendors.account[key];
    const person = await atSignIn(linking.house);
    expect((await person.press(CREDENTIALS)).fault).toBe("There is no device of this kind in that account.");
  });

  test("forgets what was typed when nobody comes back for half an hour", async () => {
    await using linking = await openLinking();
    const person = await atSignIn(linking.house);
    await person.press(CREDENTIALS);
    await linking.house.pass(41 * MINUTE_MS);
    expect((await person.reload()).title).toBe("Link your Easee devices");
  });
});

describe("other ways to sign in", () => {
  test("looks for a device in the house", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    await person.press();
    expect((await person.press({ brand: "KEBA" })).title).toBe("How is your KEBA device connected?");
    await person.press({ offer: "fake-vendors/keba" });
    expect((await person.press({ scope: SCOPES })).title).toBe("Looking around your home");
    await linking.house.pass(5_000);
    expect((await person.reload()).title).toBe("Choose your devices");
    expect((await person.press({ device: "c-1" })).title).toBe("All set");
  });

  test("asks for the address of a device that is not found by itself", async () => {
    await using linking = await openLinking();
    const account = { ...linking.vendors.account };
    for (const key of Object.keys(account)) delete linking.vendors.account[key];
    const person = await visit(linking.house);
    await person.press();
    await person.press({ brand: "KEBA" });
    await person.press({ offer: "fake-vendors/keba" });
    await person.press({ scope: SCOPES });
    await linking.house.pass(5_000);
    const page = await person.reload();
    expect(page).toMatchObject({ title: "Where is your KEBA device?", fault: expect.stringContaining("by itself") });
    expect((await person.press({ host: "192.168.1.41" })).fault).toMatch(/The device does not answer/);
    Object.assign(linking.vendors.account, account);
    expect((await person.press({}, "search")).title).toBe("Looking around your home");
    await person.press();
    expect((await person.press({ host: "192.168.1.40" })).title).toBe("Choose your devices");
  });

  test("lets a search be skipped", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house);
    await person.press();
    await person.press({ brand: "KEBA" });
    await person.press({ offer: "fake-vendors/keba" });
    await person.press({ scope: SCOPES });
    expect((await person.press()).title).toBe("Where is your KEBA device?");
    await linking.house.pass(10_000);
    expect((await person.reload()).title).toBe("Where is your KEBA device?");
  });

  test("sends to the vendor's own page and takes back who returns from there", async () => {
    await using linking = await openLinking();
    const { house } = linking;
    const person = await visit(house, { vendor: "ZAPTEC" });
    await person.press();
    const page = await person.press({ scope: SCOPES });
    expect(page.title).toBe("Continue at Zaptec app");
    const [address = ""] = page.links.filter((link) => link.startsWith("https://portal.example"));
    const state = new URL(address).searchParams.get("state");
    expect(linking.vendors.lastStep?.callback).toEqual({ url: "http://localhost:80/link/return", state });
    const back = await house.ask({ url: `/link/return?state=${state}&code=good`, headers: { authorization: "" } });
    expect(back.statusCode).toBe(303);
    person.url = String(back.headers.location);
    expect((await person.reload()).title).toBe("Choose your devices");
  });

  test("takes nobody back with a state that is not known", async () => {
    await using linking = await openLinking();
    const answer = await linking.house.ask({
      url: "/link/return?state=guess&code=good",
      headers: { authorization: "" },
    });
    expect(answer.statusCode).toBe(404);
  });

  test("waits until a device code was entered", async () => {
    await using linking = await openLinking();
    const person = await visit(linking.house, { vendor: "TESLA", vendorType: "charger" });
    await person.press();
    const page = await person.press({ scope: SCOPES });
    expect(page.title).toBe("Confirm at Tesla app");
    expect(page.html).toContain("WDJB-MJHT");
    await linking.house.pass(6_000);
    await person.reload();
    expect((await person.reload()).title).toBe("Confirm at Tesla app");
    linking.vendors.isEntered = true;
    await linking.house.pass(6_000);
    await person.reload();
    expect((await person.reload()).title).toBe("Choose your devices");
  });
});
