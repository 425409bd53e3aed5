import { describe, expect, test } from "vitest";
import { CloudConfig, cloudProvision } from "../../src/config/cloud-config.ts";

const UPLINKS = [
  { kind: "mqtt", servers: ["mqtts://mqtt.cloud.example"] },
  { kind: "https", url: "https://sync.cloud.example/v1/" },
];
const WHOLE = { gateway: "gw-1", uplinks: UPLINKS, credentials: { certFile: "/a.crt", keyFile: "/a.key" } };

/** Path and message of each mistake. */
function mistakes(cloud: object): readonly string[] {
  const issues = CloudConfig.safeParse(cloud).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("a cloud service in the configuration", () => {
  test("is where and as whom the gateway connects", () => {
    const cloud = CloudConfig.parse(WHOLE);
    expect(cloudProvision(cloud)).toMatchObject({ gateway: "gw-1", uplinks: [{ topicPrefix: "hemgate" }, UPLINKS[1]] });
  });

  test("is left to an enrolment where nothing says it", () => {
    expect(cloudProvision(undefined)).toBeNull();
    expect(cloudProvision(CloudConfig.parse({ maxEventMegabytes: 10 }))).toBeNull();
  });

  test("is said whole or not at all", () => {
    const told = "missing beside gateway; without all three the gateway connects when it is enrolled";
    expect(mistakes({ gateway: "gw-1" })).toEqual([`uplinks: ${told}`, `credentials: ${told}`]);
  });

  test.each([
    [{}, "credentials: neither a certificate (certFile, keyFile) nor a password or passwordFile"],
    [{ certFile: "/a" }, "credentials.keyFile: missing beside certFile"],
    [{ keyFile: "/a" }, "credentials.certFile: missing beside keyFile"],
    [{ certFile: "/a", keyFile: "/b", password: "c" }, "credentials: a certificate or a password, not both"],
    [{ password: "a", passwordFile: "/b" }, "credentials: password or passwordFile, not both"],
    [{ username: "a:b", password: "c" }, "credentials.username: a name with a colon cannot sign in by HTTPS"],
  ])("has no credentials such as %j", (credentials, told) => {
    expect(mistakes({ ...WHOLE, credentials })).toEqual([told]);
  });

  test("takes a name with a colon by MQTT alone", () => {
    expect(mistakes({ ...WHOLE, uplinks: [UPLINKS[0]], credentials: { username: "a:b", password: "c" } })).toEqual([]);
  });

  test.each(["mqtt://mqtt.cloud.example", "mqtts://user@host", "mqtts://host/path"])("checks TLS: not %s", (server) => {
    expect(mistakes({ ...WHOLE, uplinks: [{ kind: "mqtt", servers: [server] }] })).toHaveLength(1);
  });

  test.each(["http://host/", "https://host/?a=b", "https://user@host/"])("checks TLS: not %s", (url) => {
    expect(mistakes({ ...WHOLE, uplinks: [{ kind: "https", url }] })).toHaveLength(1);
  });
});
