import { describe, expect, test } from "vitest";
import type { Https } from "../../../src/engine/contracts/https/https.ts";
import type { PageFiles } from "../../../src/platform/ports/page-files-port.ts";
import { openHouse } from "../support/api-house.ts";

const PAGE: PageFiles = { read: async (name) => (name === "index.html" ? Buffer.from("<!doctype html>") : null) };
const BROWSER = { accept: "text/html" };
const DER = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x05);

/** https whose pages are sent to one place. */
function httpsWith(page: string | null): Https {
  return {
    state: () => ({
      source: "authority",
      isListening: true,
      port: 8443,
      problem: null,
      certificate: null,
      authority: {
        fingerprint: "3B:0F",
        validUntil: "2055-01-01T00:00:00.000Z",
        path: "/local/https/authority.crt",
        domains: ["local"],
      },
    }),
    authority: () => DER,
    pageFor: () => page,
  };
}

describe("https in the API", () => {
  test("Everybody sees how it stands, and gets the authority's certificate, without a token", async () => {
    await using house = await openHouse({ https: httpsWith(null) });
    const state = await house.api.inject({ url: "/local/https" });
    expect([state.statusCode, state.json()]).toEqual([
      200,
      expect.objectContaining({ source: "authority", port: 8443, isThisEncrypted: false }),
    ]);
    const file = await house.api.inject({ url: "/local/https/authority.crt" });
    expect([file.statusCode, new Uint8Array(file.rawPayload)]).toEqual([200, DER]);
    expect(file.headers).toMatchObject({
      "content-type": "application/x-x509-ca-cert",
      "content-disposition": 'attachment; filename="hemgate-authority.crt"',
    });
  });

  test("A gateway without it says that it is off, and has no authority", async () => {
    await using house = await openHouse();
    expect((await house.api.inject({ url: "/local/https" })).json()).toMatchObject({
      source: "off",
      isListening: false,
      port: null,
      authority: null,
    });
    expect((await house.api.inject({ url: "/local/https/authority.crt" })).statusCode).toBe(404);
  });

  test("A browser that opens the page is sent to https where that is wanted, and for this time only", async () => {
    await using house = await openHouse({ page: PAGE, https: httpsWith("https://hemgate.local:8443/") });
    const answer = await house.api.inject({ url: "/", headers: BROWSER });
    expect([answer.statusCode, answer.headers.location, answer.headers["cache-control"]]).toEqual([
      307,
      "https://hemgate.local:8443/",
      "no-store",
    ]);
    await using plain = await openHouse({ page: PAGE, https: httpsWith(null) });
    expect((await plain.api.inject({ url: "/", headers: BROWSER })).statusCode).toBe(200);
  });

  test("Programs are never sent anywhere, and nothing makes a browser insist on https", async () => {
    await using house = await openHouse({ page: PAGE, https: httpsWith("https://hemgate.local:8443/") });
    for (const url of ["/batteries", "/health/ready", "/openapi.json", "/local/https", "/docs"]) {
      const { statusCode, headers } = await house.ask({ url, headers: BROWSER });
      expect([url, Math.floor(statusCode / 100)]).not.toEqual([url, 3]);
      expect(headers["strict-transport-security"]).toBeUndefined();
    }
  });
});
