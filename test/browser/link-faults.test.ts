/** Why a device at an address is not linked, as a person sees it in a browser. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { LinkRefusal } from "../../src/domain/linking/link-form.ts";
import { type Adapter, defineAdapter } from "../../src/sdk/driver.ts";
import { IN_ALL_LANGUAGES } from "./page-faults.ts";
import { lookAt, openPageHouse, type PageHouse } from "./page-house.ts";

const PASSWORD = "cactus-and-thorns";

/** A brand that is linked by its address, and refuses as the test says. */
function makeAdapter(refusal: () => LinkRefusal): Adapter {
  return defineAdapter({
    name: "plain",
    options: z.object({}),
    linking: [
      {
        id: "plain",
        vendors: ["KEBA"],
        vendorTypes: ["charger"],
        displayName: "KEBA",
        portalName: "KEBA P30",
        method: "local",
        fields: [
          { name: "host", kind: "host" },
          { name: "port", kind: "port", initial: "502" },
          { name: "unit", kind: "unit", initial: "1" },
          { name: "password", kind: "password", isOptional: true },
        ],
      },
    ],
    start: () => ({
      connect: () => Promise.reject(new Error("nothing is linked here")),
      linking: { take: async () => ({ kind: "refused", why: refusal() }) },
      accounts: () => [],
      [Symbol.asyncDispose]: async () => undefined,
    }),
  });
}

interface Cause {
  readonly why: LinkRefusal;
  readonly typed?: Readonly<Record<string, string>>;
  /** The names of the fields that it is about, with what stands there in English and in German. */
  readonly at: Readonly<Record<string, readonly [string, string]>>;
}

const RANGES = {
  port: ["A whole number from 1 to 65535.", "Eine ganze Zahl von 1 bis 65535."],
  unit: ["A whole number from 0 to 255.", "Eine ganze Zahl von 0 bis 255."],
} as const;

const TRIED = [
  "Tried: unit number 3. Of this maker 1 is usual; 1, 2, 3, 247 and 255 are common.",
  "Versucht: Unit-Nummer 3. Bei diesem Hersteller ist 1 üblich; häufig sind auch 1, 2, 3, 247 und 255.",
] as const;

const CAUSES: readonly Cause[] = [
  {
    why: "connection-refused",
    at: { port: ["This port takes no connection.", "Dieser Port nimmt keine Verbindung an."] },
  },
  {
    why: "no-such-host",
    at: { host: ["There is no device at this address.", "Unter dieser Adresse ist kein Gerät."] },
  },
  {
    why: "name-not-found",
    typed: { host: "inverter.home.arpa" },
    at: { host: ["The network does not know this name.", "Das Netzwerk kennt diesen Namen nicht."] },
  },
  {
    why: "outside-house",
    typed: { host: "8.8.8.8" },
    at: { host: ["This address is not in your home network.", "Diese Adresse liegt nicht in Ihrem Heimnetz."] },
  },
  {
    why: "no-serial-port",
    typed: { host: "/dev/ttyUSB9" },
    at: { host: ["This serial port cannot be opened.", "Diese serielle Schnittstelle lässt sich nicht öffnen."] },
  },
  { why: "wrong-unit", at: { unit: TRIED } },
  {
    why: "wrong-device",
    at: { host: ["Another kind of device is at this address.", "Unter dieser Adresse ist ein Gerät anderer Art."] },
  },
  { why: "not-answering", at: { unit: TRIED } },
  { why: "out-of-range", typed: { port: "70000", unit: "300" }, at: RANGES },
];

const WORDS = {
  "en-US": { begin: "Get started", allow: "Allow and continue" },
  "de-DE": { begin: "Los geht’s", allow: "Erlauben und weiter" },
} as const;

let house: PageHouse;
let refusal: LinkRefusal = "wrong-device";

beforeAll(async () => {
  house = await openPageHouse(() => [makeAdapter(() => refusal)]);
});
afterAll(async () => await house[Symbol.asyncDispose]());

const LOOKS = [
  ["narrow", "dark", "de-DE", 1],
  ["desktop", "light", "en-US", 0],
] as const;

it.each(IN_ALL_LANGUAGES ? LOOKS : LOOKS.slice(0, 1))(
  "a refused address is told at its field, and only secrets are to be typed again, on a %s, %s, %s",
  async (size, scheme, language, at) => {
    const words = WORDS[language];
    const url = await house.link({ language, vendor: "KEBA" });
    const { context, page } = await house.open(size, scheme);
    await page.goto(url);
    await page.getByRole("button", { name: words.begin }).click();
    await page.getByRole("button", { name: words.allow }).click();
    for (const { why, typed = {}, at: places } of CAUSES) {
      refusal = why;
      const values = { host: "192.168.1.40", port: "1502", unit: "3", ...typed };
      for (const [name, value] of Object.entries(values)) await page.locator(`#field-${name}`).fill(value);
      await page.locator("#field-password").fill(PASSWORD);
      await page.locator("button.button-main").click();
      await page.getByText(Object.values(places)[0]?.[at] ?? "", { exact: true }).waitFor();
      await lookAt(page, `link-fault-${why}-${size}-${language}`);
      const fields = await page.locator("input[id^=field-]").evaluateAll((inputs) =>
        inputs.map((input) => {
          const { id, value } = input as HTMLInputElement;
          const described = (input.getAttribute("aria-describedby") ?? "").split(" ");
          const error = described.find((each) => each.endsWith("-error")) ?? "";
          return {
            name: id.replace("field-", ""),
            value,
            isBad: input.getAttribute("aria-invalid") === "true",
            error: document.getElementById(error)?.textContent ?? null,
            isFocused: input === document.activeElement,
          };
        }),
      );
      const expected = Object.entries({ ...values, password: "" }).map(([name, value]) => {
        const error = places[name]?.[at] ?? null;
        return { name, value, isBad: error !== null, error, isFocused: name === Object.keys(places)[0] };
      });
      expect(fields, why).toEqual(expected);
      expect(await page.content(), why).not.toContain(PASSWORD);
      expect(await page.getByRole("alert").count(), why).toBe(1);
    }
    await page.locator("#field-host").fill(`http://admin:${PASSWORD}@192.168.1.40`);
    refusal = "name-not-found";
    await page.locator("button.button-main").click();
    await page.getByText(CAUSES[2]?.at["host"]?.[at] ?? "", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(PASSWORD);
    await context.close();
    expect(house.trouble).toEqual([]);
  },
  300_000,
);
