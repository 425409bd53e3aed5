import { describe, expect, it, test } from "vitest";
import { lanAddresses, pageAddresses } from "../../src/api/lan-addresses.ts";

const net = {
  interfaces: () => [
    { address: "192.168.1.20", prefixLength: 24, mac: "00:00:5e:00:53:01" },
    { address: "10.0.0.2", prefixLength: 8, mac: "00:00:5e:00:53:02" },
  ],
};

test.each([
  ["http://192.168.1.20:8080", "0.0.0.0", ["http://192.168.1.20:8080", "http://10.0.0.2:8080"]],
  ["http://127.0.0.1:8080", "0.0.0.0", ["http://192.168.1.20:8080", "http://10.0.0.2:8080"]],
  ["http://[::]:8080", "::", ["http://192.168.1.20:8080", "http://10.0.0.2:8080"]],
  ["http://0.0.0.0:80", "0.0.0.0", ["http://192.168.1.20:80", "http://10.0.0.2:80"]],
  ["http://10.0.0.2:8080", "10.0.0.2", ["http://10.0.0.2:8080"]],
  ["http://127.0.0.1:8080", "127.0.0.1", []],
  ["http://[::1]:8080", "localhost", []],
])("an API at %s that listens on %s is found by the house at %j", (address, host, found) => {
  expect(lanAddresses(address, host, net)).toEqual(found);
});

describe("the addresses with https", () => {
  const lan = ["http://192.168.1.5:8080", "http://203.0.113.5:8080"];
  const certificate = {
    names: ["hemgate.local", "*.example.org", "home.example.org", "192.168.1.5"],
    validFrom: "2026-01-01T00:00:00.000Z",
    validUntil: "2027-01-01T00:00:00.000Z",
    fingerprint: "3B:0F",
  };
  const own = {
    source: "authority",
    isListening: true,
    port: 8443,
    problem: null,
    certificate,
    authority: null,
  } as const;

  it("are those that the certificate is for, behind those that a new phone can open without a warning", () => {
    expect(pageAddresses(lan, own)).toEqual([...lan, "https://192.168.1.5:8443"]);
    expect(pageAddresses(lan, { ...own, isListening: false, port: null })).toEqual(lan);
  });

  it("are the names of a certificate of one's own, first, while nothing is wrong with it", () => {
    const files = { ...own, source: "files" } as const;
    expect(pageAddresses(lan, files)).toEqual(["https://hemgate.local:8443", "https://home.example.org:8443", ...lan]);
    expect(pageAddresses(lan, { ...files, problem: "the certificate has expired" })).toEqual(lan);
  });
});
