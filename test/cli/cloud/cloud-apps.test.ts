import { expect, test } from "vitest";
import { cloudAdapter } from "../../../adapters/clouds/cloud-adapter.ts";
import { vendorOf } from "../../../adapters/clouds/kit/vendor.ts";
import { ADAPTERS } from "../../../src/cli/adapters.ts";
import { unknownApps, withCloudApps } from "../../../src/cli/cloud/cloud-apps.ts";
import { loadConfig } from "../../../src/config/load-config.ts";
import { APP } from "../../adapters/clouds/fake-session.ts";
import { sunny } from "../../adapters/clouds/kit/sunny.ts";

function clouds(text: string) {
  const result = loadConfig({ text: `clouds:\n  apps:\n    ${text}\n`, environment: {}, adapters: ADAPTERS });
  if (!result.ok) throw new Error(JSON.stringify(result.mistakes));
  return result.config;
}

test("a registration is what the configuration says, and one of nobody is told", () => {
  const config = clouds("nobody: { clientId: c-1, clientSecret: s-1 }");
  expect(config.clouds.apps).toEqual({ nobody: { clientId: "c-1", clientSecret: "s-1" } });
  expect(unknownApps(config)).toEqual([expect.stringContaining("clouds.apps.nobody: there is no such vendor")]);
  expect(unknownApps(config).join()).not.toContain("s-1");
  expect(() => clouds("nobody: { clientSecret: s-1 }")).toThrow("clientId");
});

test.each(["https://example.com", "example", "-a.example.com", "exa mple.com"])(
  "a registration has no domain %s",
  (domain) => {
    expect(() => clouds(`tesla: { clientId: c-1, domain: "${domain}" }`)).toThrow("domain");
    expect(clouds("tesla: { clientId: c-1, domain: keys.example.com }").clouds.apps["tesla"]?.domain).toBe(
      "keys.example.com",
    );
  },
);

test("the adapters are the same but for the clouds, which have the registrations", () => {
  const withApps = withCloudApps(ADAPTERS, clouds("nobody: { clientId: c-1 }"));
  expect(withApps.map(({ name }) => name)).toEqual(ADAPTERS.map(({ name }) => name));
  const changed = withApps.filter((each, index) => each !== ADAPTERS[index]).map(({ name }) => name);
  expect(changed).toEqual(["clouds"]);
});

test("a vendor that needs a registration can be linked only where there is one", () => {
  const connectors = [sunny("code"), { ...sunny("form"), id: "shady" }];
  const ids = (apps: Parameters<typeof cloudAdapter>[0]["apps"]) =>
    cloudAdapter({ apps, vendors: connectors.map(vendorOf) }).linking?.map(({ id, method }) => [id, method]);
  expect(ids({})).toEqual([["shady", "sign-in"]]);
  expect(ids({ sunny: APP })).toEqual([
    ["sunny", "redirect"],
    ["shady", "sign-in"],
  ]);
});
