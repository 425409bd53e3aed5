import { expect, test } from "vitest";
import { lanAddresses } from "../../src/api/lan-addresses.ts";

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
