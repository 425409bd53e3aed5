/** Linking a device that gives its token to whoever presses its button, on the page itself. */
import { describe, expect, test } from "vitest";
import { httpJsonAdapter } from "../../../adapters/http-json/http-json-adapter.ts";
import { makeHome } from "../../engine/home.ts";
import { HomeWizardTwin } from "../../twins/http-devices/homewizard-twin.ts";
import { listen } from "../../twins/http-devices/http-twin.ts";
import { LinkVisit } from "../support/link-visit.ts";
import { openRealHouse } from "../support/real-house.ts";

describe("the page", () => {
  test.each([
    ["en-US", "Press the button on the device"],
    ["de-DE", "Taste am Gerät drücken"],
  ])("asks for the button instead of a code, in %s", async (language, title) => {
    const home = makeHome(1, { adapters: [httpJsonAdapter], linking: { maxConnections: 10 } });
    const twin = new HomeWizardTwin(2);
    listen(home.world.web, "192.168.1.43", 443, twin, "ab".repeat(32));
    await using house = await openRealHouse({ home });
    const body = { vendorType: "meter", scopes: ["meter:read:data"], language, redirectUri: "myapp://done" };
    const answer = await house.ask({ method: "POST", url: "/users/anna/link", payload: body });
    const person = await LinkVisit.open(house, answer.json<{ linkUrl: string }>().linkUrl);
    await person.press();
    await person.press({ brand: "HomeWizard" });
    await person.press({ offer: "http-json/homewizard-v2" });
    await person.press({ scope: ["meter:read:data"] });
    const page = await person.press({ host: "192.168.1.43", port: "443" });
    expect(page.title).toBe(title);
    twin.press(home.world.clock.monotonicMs());
    expect((await person.press()).html).toContain("5c2fafaabbcc");
  });
});
