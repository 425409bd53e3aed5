import { describe, expect, test } from "vitest";
import { MadePasskey } from "../../engine/people/made-passkey.ts";
import { Browser, house, ownerOf, personOf } from "./browser.ts";

/** What a browser sends to the gateway's https. */
const HTTPS = { headers: { host: "hemgate.local:8443", origin: "https://hemgate.local:8443" } };
const REQUEST = "/local/session/passkey/options";
const PASSWORD = "correct horse";

async function idOf(browser: Browser): Promise<string> {
  return (await browser.get("/local/session")).json().account.id;
}

async function register(browser: Browser, device: MadePasskey, password = PASSWORD) {
  const path = `/local/people/${await idOf(browser)}/passkeys`;
  const options = await browser.send("POST", `${path}/options`, { password }, HTTPS);
  expect(options.statusCode).toBe(200);
  return { path, answer: await browser.send("POST", path, device.create(options.json()), HTTPS) };
}

async function signIn(browser: Browser, device: MadePasskey) {
  const options = (await browser.send("POST", REQUEST, undefined, HTTPS)).json();
  return await browser.send("POST", "/local/session/passkey", device.get(options), HTTPS);
}

describe("Passkeys over the API", () => {
  test("A passkey is made, listed, signs in with a secure cookie, and is gone when it is removed", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const device = new MadePasskey();
    const { path, answer } = await register(anna, device);
    expect([answer.statusCode, answer.json().host]).toEqual([201, "hemgate.local"]);
    const phone = new Browser(opened, "192.168.1.9");
    const signedIn = await signIn(phone, device);
    expect([signedIn.statusCode, signedIn.json().account.name]).toEqual([200, "Anna"]);
    expect(signedIn.headers["set-cookie"]).toMatch(/HttpOnly; SameSite=Strict; Secure$/u);
    expect((await anna.get(path)).json()).toEqual([{ ...answer.json(), lastUsedAt: expect.any(String) }]);
    expect(JSON.stringify((await anna.get(path)).json())).not.toContain(device.id);
    expect((await anna.send("DELETE", `${path}/${answer.json().id}`)).statusCode).toBe(204);
    expect((await anna.send("DELETE", `${path}/${answer.json().id}`)).statusCode).toBe(404);
    expect((await signIn(new Browser(opened), device)).statusCode).toBe(401);
    const audit = (await anna.get("/local/audit")).json().data as { method: string; path: string; status: number }[];
    const deeds = audit.map((deed) => `${deed.method} ${deed.path} ${deed.status}`);
    expect(deeds).toEqual(
      expect.arrayContaining([
        `POST ${path} 201`,
        `DELETE ${path}/${answer.json().id} 204`,
        "POST /local/session/passkey 200",
        "POST /local/session/passkey 401",
      ]),
    );
  });

  test.each([
    ["over http", "http://hemgate.local:8080", "hemgate.local:8080", 409],
    ["at an IPv4 address", "https://192.168.1.5:8443", "192.168.1.5:8443", 409],
    ["at an IPv6 address", "https://[fe80::1]:8443", "[fe80::1]:8443", 409],
    ["on another site's page", "https://evil.example", "hemgate.local:8443", 403],
    ["on a page of another port", "https://hemgate.local:9000", "hemgate.local:8443", 403],
    ["where nothing says which page it is", "", "hemgate.local:8443", 403],
  ])("There are none %s", async (_title, origin, host, status) => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const sent = { headers: { host, origin } };
    expect((await new Browser(opened).send("POST", REQUEST, undefined, sent)).statusCode).toBe(status);
    const path = `/local/people/${await idOf(anna)}/passkeys/options`;
    expect((await anna.send("POST", path, { password: PASSWORD }, sent)).statusCode).toBe(status);
  });

  test.each([
    ["at a name", "hemgate.local:8443", "same-origin", 200],
    ["over http on the machine itself", "localhost:8080", "same-origin", 409],
    ["at an address", "192.168.1.5:8443", "same-origin", 409],
    ["on another site's page", "hemgate.local:8443", "cross-site", 403],
    ["on a page of another port", "hemgate.local:8443", "same-site", 403],
  ])(
    "A page that sends no referrer has Origin null, and is known by Sec-Fetch-Site %s",
    async (_t, host, site, status) => {
      await using opened = await house();
      const sent = { headers: { host, origin: "null", "sec-fetch-site": site } };
      expect((await new Browser(opened).send("POST", REQUEST, undefined, sent)).statusCode).toBe(status);
    },
  );

  test("People see, make and remove their own; owners see and remove those of all; programs make none", async () => {
    await using opened = await house();
    const anna = await ownerOf(opened);
    const guest = await personOf(opened, anna, "guest", "Gus");
    const { path, answer } = await register(guest, new MadePasskey(), "the guest's password");
    const annas = `/local/people/${await idOf(anna)}/passkeys`;
    expect((await guest.get(annas)).statusCode).toBe(403);
    expect((await guest.send("POST", `${annas}/options`, { password: PASSWORD }, HTTPS)).statusCode).toBe(403);
    expect((await anna.send("POST", `${path}/options`, { password: PASSWORD }, HTTPS)).statusCode).toBe(403);
    expect((await anna.get(path)).json()).toHaveLength(1);
    const program = await opened.ask({ method: "POST", url: `${path}/options`, payload: { password: PASSWORD } });
    expect(program.statusCode).toBe(403);
    expect((await anna.send("DELETE", `${path}/${answer.json().id}`)).statusCode).toBe(204);
    expect((await guest.get(path)).json()).toEqual([]);
  });

  test("After ten refused passkeys from an address the next one waits", async () => {
    await using opened = await house();
    await ownerOf(opened);
    const thief = new Browser(opened, "192.168.1.66");
    for (let count = 0; count < 10; count += 1) expect((await signIn(thief, madeUp())).statusCode).toBe(401);
    const answer = await signIn(thief, madeUp());
    expect([answer.statusCode, Number(answer.headers["retry-after"])]).toEqual([429, expect.any(Number)]);
  });
});

function madeUp(): MadePasskey {
  const device = new MadePasskey();
  device.userHandle = "AAAA";
  return device;
}
