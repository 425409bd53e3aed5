import { describe, expect, test } from "vitest";
import { refuseAddress } from "../../src/platform/network/address-policy.ts";
import { refuseTarget } from "../../src/sync/webhooks/target-policy.ts";
import { HOUSE_ADDRESSES, PUBLIC_ADDRESSES, REFUSED_ADDRESSES, REFUSED_HOSTS } from "./hostile-addresses.ts";

const INTERNET = { allowInsecureLan: false, allowLoopback: false };
const HOUSE = { allowInsecureLan: true, allowLoopback: false };
const SANDBOX = { allowInsecureLan: false, allowLoopback: true };

test("the table is long, and says nothing twice", () => {
  expect(REFUSED_ADDRESSES.length + REFUSED_HOSTS.length).toBeGreaterThanOrEqual(300);
  expect(new Set(REFUSED_ADDRESSES).size).toBe(REFUSED_ADDRESSES.length);
});

describe("an address is refused", () => {
  test.each(REFUSED_ADDRESSES)("%j", (address) => {
    expect(refuseAddress(address, "internet")).not.toBeNull();
  });

  test.each(REFUSED_ADDRESSES.filter((address) => !HOUSE_ADDRESSES.includes(address) && !isHouse(address)))(
    "in the house too: %j",
    (address) => {
      expect(refuseAddress(address, "both")).not.toBeNull();
      expect(refuseAddress(address, "lan")).not.toBeNull();
    },
  );
});

describe("an address may be reached", () => {
  test.each(PUBLIC_ADDRESSES)("%s", (address) => {
    expect(refuseAddress(address, "internet")).toBeNull();
    expect(refuseAddress(address, "both")).toBeNull();
    expect(refuseAddress(address, "lan")).not.toBeNull();
  });

  test.each(HOUSE_ADDRESSES)("in the house only: %s", (address) => {
    expect(refuseAddress(address, "lan")).toBeNull();
    expect(refuseAddress(address, "both")).toBeNull();
    expect(refuseAddress(address, "internet")).not.toBeNull();
  });
});

describe("a URL is refused when it is made a webhook", () => {
  test.each(REFUSED_HOSTS)("at %s", (host) => {
    const url = `https://${host}/hook`;
    const isRefused = !URL.canParse(url) || refuseTarget(new URL(url), INTERNET) !== null;
    expect(isRefused).toBe(true);
  });

  test.each([
    "http://hooks.example/a",
    "ftp://hooks.example/a",
    "file:///etc/passwd",
    "gopher://hooks.example:70/_",
    "data:text/plain,hello",
    "https://user@hooks.example/",
    "https://user:secret@hooks.example/",
    "https://hooks.example:22/",
    "https://hooks.example:25/",
    "https://hooks.example:80/",
    "https://hooks.example:502/",
    "https://hooks.example:1883/",
    "https://hooks.example:6379/",
    "https://hooks.example:11211/",
  ])("%s", (url) => {
    expect(refuseTarget(new URL(url), INTERNET)).not.toBeNull();
  });

  test.each([
    "http://192.168.1.20:8123/api/webhook/x",
    "http://10.0.0.5/",
    "http://homeassistant:8123/",
    "https://nas.local/",
  ])("unless the configuration allows the house: %s", (url) => {
    expect(refuseTarget(new URL(url), HOUSE)).toBeNull();
  });

  test.each([
    "http://127.0.0.1:8123/",
    "http://localhost/",
    "https://localhost/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://[::ffff:192.168.1.1]/",
    "http://93.184.216.34/",
    "http://192.168.1.20:502/",
  ])("even where the house is allowed: %s", (url) => {
    expect(refuseTarget(new URL(url), HOUSE)).not.toBeNull();
  });
});

test.each([
  "https://hooks.example/a?b=c",
  "https://hooks.example:8443/",
  "https://93.184.216.34/",
  "https://[2606:4700::1]/",
])("%s may be a webhook", (url) => {
  expect(refuseTarget(new URL(url), INTERNET)).toBeNull();
});

function isHouse(address: string): boolean {
  return /^(10\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.|f[cd][0-9a-f]{2}:)/.test(address) && address !== "fd00:ec2::254";
}

describe("a device in the house, which its owner named,", () => {
  test.each(["127.0.0.1", "::1", "192.168.1.4", "10.1.2.3", "fd12::1", "169.254.7.7", "2a02:810a::7"])(
    "may be at %s",
    (address) => {
      expect(refuseAddress(address, "house")).toBeNull();
    },
  );

  test.each([
    "169.254.169.254",
    "100.100.100.200",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "8.8.8.8",
    "::ffff:10.0.0.1",
  ])("is never at %s", (address) => {
    expect(refuseAddress(address, "house")).not.toBeNull();
  });
});

describe("a webhook on this machine", () => {
  const OWN = ["http://localhost:9000/in", "http://127.0.0.1:9000/in", "http://[::1]:9000/", "https://localhost/in"];

  test.each(OWN)("may be at %s in a sandbox, and is refused elsewhere", (url) => {
    expect(refuseTarget(new URL(url), SANDBOX)).toBeNull();
    expect(refuseTarget(new URL(url), INTERNET)).not.toBeNull();
    expect(refuseTarget(new URL(url), HOUSE)).not.toBeNull();
  });

  test.each([
    "http://192.168.1.5/in",
    "http://hooks.example/in",
    "http://169.254.169.254/",
    "http://0.0.0.0:9000/",
    "http://localhost:22/",
    "http://user:secret@localhost:9000/",
    "http://localhost.hooks.example/",
    "http://[::ffff:127.0.0.1]:9000/",
  ])("opens nothing else to a sandbox: %s", (url) => {
    expect(refuseTarget(new URL(url), SANDBOX)).not.toBeNull();
  });
});
