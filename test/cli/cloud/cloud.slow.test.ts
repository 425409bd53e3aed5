import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { openEnrolmentServer } from "../enrolment-server.ts";
import { Hemgate, hemgate, temporaryFolder } from "../hemgate-process.ts";

const PATIENCE = { timeout: 90_000 };

describe("hemgate cloud", PATIENCE, () => {
  test("enrols, tells and cuts on the folder of a gateway that does not run", async () => {
    await using service = await openEnrolmentServer();
    using folder = temporaryFolder();
    const caFile = join(folder.path, "ca.pem");
    writeFileSync(caFile, service.authority);
    const environment = { NODE_EXTRA_CA_CERTS: caFile };
    const cloud = (...words: readonly string[]) =>
      hemgate(["cloud", ...words, "--state", join(folder.path, "state")], { environment });
    expect(await cloud("status")).toMatchObject({ code: EXIT.ok, out: "state  not enrolled\n" });
    const token = service.twin.issueToken();
    const done = await cloud("enroll", token);
    expect(done).toMatchObject({ code: EXIT.ok, err: "" });
    expect(done.out).toMatch(/^gateway +gw-1$/m);
    const again = await cloud("enroll", token);
    expect(again.code).toBe(EXIT.failed);
    expect(again.err).toMatch(
      /^hemgate: localhost:\d+ answered 410: This token was used already\. Ask for a new token\.\n$/,
    );
    expect((await cloud("enroll", "what")).err).toMatch(/the token is not an address/);
    const status = JSON.parse((await cloud("status", "--json")).out);
    expect(status.identity.fingerprint).toBe(service.twin.keysOf("gw-1")[0]);
    expect(await cloud("cut")).toMatchObject({ code: EXIT.ok });
    expect(await cloud("cut")).toMatchObject({ code: EXIT.failed, err: "hemgate: The gateway is not enrolled.\n" });
  });

  test("does the same through a gateway that runs, which tells the service of the end", async () => {
    await using service = await openEnrolmentServer();
    using folder = temporaryFolder();
    const caFile = join(folder.path, "ca.pem");
    writeFileSync(caFile, service.authority);
    const config = join(folder.path, "g.yaml");
    writeFileSync(config, "http: { host: 127.0.0.1, port: 0 }\ndevices: []\n");
    const state = join(folder.path, "s");
    const environment = { NODE_EXTRA_CA_CERTS: caFile };
    await using gateway = new Hemgate(["start", "--config", config, "--state", state, "--json"], { environment });
    await gateway.output(/"address"/);
    const cloud = (...words: readonly string[]) => hemgate(["cloud", ...words, "--state", state]);
    expect(await cloud("enroll", "https://localhost:1/#no-such-secret")).toMatchObject({ code: EXIT.failed });
    expect(await cloud("enroll", service.twin.issueToken())).toMatchObject({ code: EXIT.ok, err: "" });
    expect((await cloud("status")).out).toContain("gw-1");
    expect(service.twin.gateways).toEqual(["gw-1"]);
    expect((await cloud("cut")).code).toBe(EXIT.ok);
    await gateway.logged(/destroyed key/);
    expect(service.twin.gateways).toEqual([]);
  });
});
