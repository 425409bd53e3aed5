import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allConnectors } from "../../../adapters/clouds/connectors.ts";
import { cloudsText } from "../../../scripts/clouds-text.ts";

const CONNECTORS = await allConnectors();

const DOCUMENT = new URL("../../../docs/clouds.md", import.meta.url);

test("docs/clouds.md is what the connectors say; scripts/update-clouds.mjs writes it", async () => {
  expect(readFileSync(DOCUMENT, "utf8")).toBe(await cloudsText());
});

test("connectors stand in the order of their names, each once", () => {
  const ids = CONNECTORS.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
});

describe.each(CONNECTORS.map((connector) => [connector.id, connector] as const))("%s", (_id, connector) => {
  test("signs in at its own hosts, over TLS", () => {
    const { login, hosts } = connector;
    const urls =
      login.kind === "code"
        ? [login.authorizeUrl, login.tokenUrl]
        : login.kind === "device-code"
          ? [login.deviceUrl, login.tokenUrl]
          : [];
    for (const url of urls.map((each) => new URL(each))) {
      expect(url.protocol).toBe("https:");
      const isOwn = hosts.some(
        (host) => host === url.hostname || (host.startsWith("*.") && url.hostname.endsWith(host.slice(1))),
      );
      // The person's browser goes to the authorization page, the gateway does not.
      expect([url.href, isOwn || (login.kind === "code" && url.href === login.authorizeUrl)]).toEqual([url.href, true]);
    }
  });

  test("leaves something of each quota to polls, and keeps something for commands and the login", () => {
    expect(connector.budgets.length).toBeGreaterThan(0);
    for (const { name, limit, reserved } of connector.budgets) {
      expect([name, reserved.command + reserved.login < limit]).toEqual([name, true]);
    }
  });

  test("reads no oftener while nothing moves", () => {
    const { active, usual, idle } = connector.pace;
    expect(active).toBeLessThanOrEqual(usual);
    expect(usual).toBeLessThanOrEqual(idle);
  });
});
