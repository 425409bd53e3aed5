import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOwnHost, ownNames } from "../../../src/api/requests/host-names.ts";

const NAMES = ownNames({ host: "gateway.example", names: ["Energy.Home.arpa"] }, "HemGate.example.net");

describe("a Host header is ours", () => {
  it.each([
    "localhost",
    "localhost:8080",
    "LOCALHOST",
    "localhost.",
    "api.localhost:3000",
    "hemgate.local",
    "hemgate.local.:8080",
    "192.168.1.20",
    "192.168.1.20:8080",
    "[::1]",
    "[fe80::1]:8080",
    "[::ffff:192.168.1.20]",
    "gateway.example",
    "GATEWAY.example:8080",
    "energy.home.arpa",
    "hemgate",
    "hemgate:8080",
    "hemgate.fritz.box",
    "HEMGATE.fritz.box.:8080",
    "hemgate.home",
    "hemgate.home.arpa",
    "hemgate.internal",
    "hemgate.intranet",
    "hemgate.lan",
    "hemgate.localdomain",
    "hemgate.speedport.ip",
  ])("as %s", (host) => {
    expect(isOwnHost(host, NAMES)).toBe(true);
  });
});

describe("a Host header is not ours", () => {
  it.each([
    undefined,
    "",
    "evil.example",
    "evil.example:8080",
    "local",
    ".local",
    "a..local",
    "-.local",
    "localhost.evil.example",
    "evil.example#localhost",
    "localhost@evil.example",
    "evil.example/localhost",
    "localhost:0",
    "localhost:65536",
    "localhost:80:80",
    "localhost ",
    " localhost",
    "192.168.1",
    "192.168.1.256",
    "192.168.1.20.evil.example",
    "0x7f.0.0.1",
    "2130706433",
    "01.2.3.4",
    "[::1",
    "::1",
    "[]",
    "[:::]",
    "[evil.example]",
    "localhost,evil.example",
    "localhost..",
    "ｌocalhost",
    "xn--lcalhost-3ya",
    // The machine's name in a domain that somebody may own, and another machine's in the router's.
    "hemgate.com",
    "hemgate.box",
    "hemgate.example.net",
    "hemgate.fritz.box.evil.example",
    "evil.hemgate.lan",
    "evil.fritz.box",
    "fritz.box",
    "lan",
    "home.arpa",
  ])("as %j", (host) => {
    expect(isOwnHost(host, NAMES)).toBe(false);
  });

  it("when it is any other name, whatever its case, port, dot or surroundings", () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    const name = fc
      .tuple(label, label, fc.constantFrom("com", "example", "lan", "localhost.com", "local.example", "127-0-0-1.nip"))
      .map((labels) => labels.join("."));
    const around = fc.tuple(
      fc.constantFrom("", "user@", "http://", "localhost@", "127.0.0.1,"),
      fc.constantFrom("", ".", ":80", ":0", ":99999", "/", "#localhost", "?.local", "\t"),
      fc.boolean(),
    );
    fc.assert(
      fc.property(name, around, (own, [before, after, isUpper]) => {
        const host = `${before}${isUpper ? own.toUpperCase() : own}${after}`;
        expect(isOwnHost(host, NAMES)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
