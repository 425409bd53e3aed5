import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { freePorts } from "../../free-ports.ts";
import { Hemgate, hemgate, temporaryFolder } from "../hemgate-process.ts";

const PATIENCE = { timeout: 60_000 };

describe("a start that cannot be", PATIENCE, () => {
  test("by a wrong configuration ends with 78 and tells every mistake", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "g.yaml");
    writeFileSync(file, "http: { prot: 1 }\ndevices:\n  - id: a\n    adapter: modbsu\n");
    const { code, out, err } = await hemgate(["start", "--config", file, "--state", folder.path]);
    expect({ code, out }).toEqual({ code: EXIT.config, out: "" });
    expect(err.split("\n")).toEqual([
      "hemgate: the configuration has mistakes:",
      `${file}:1:9: http.prot: unknown key; expected one of host, port, names, isAnnounced, corsOrigins, limits; did you mean "port"?`,
      `${file}:4:14: devices[0].adapter: wrong value; expected one of modbus, http-json, mqtt, smart-meter, speedwire, clouds, found "modbsu"; did you mean "modbus"?`,
      "",
    ]);
  });

  test("by a configuration that is not there ends with 78 in one line", async () => {
    const { code, err } = await hemgate(["start"], { environment: { HEMGATE_CONFIG: "/nowhere/g.yaml" } });
    expect(code).toBe(EXIT.config);
    expect(err).toBe("hemgate: configuration: /nowhere/g.yaml does not exist\n");
  });

  test("by ports that are none ends with 2", async () => {
    const { code, err } = await hemgate(["start", "--sandbox", "--twin-ports", "1,2"]);
    expect(code).toBe(EXIT.usage);
    expect(err).toBe('hemgate: --twin-ports takes five ports such as 5020,5021,5022,5023,5024, not "1,2"\n');
  });

  test("by a home file that is none ends with 78 and the file's name", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "home.csv");
    writeFileSync(file, "not,a\nhome,file\n");
    const words = ["start", "--sandbox", "--home", file, "--state", folder.path];
    const { code, err } = await hemgate([...words, "--twin-ports", (await freePorts(5)).join(",")]);
    expect(code).toBe(EXIT.config);
    expect(err.trim().split("\n").at(-1)).toContain(`hemgate: ${file}: home file, line 1:`);
  });
});

describe("the port of the API", PATIENCE, () => {
  test("is that of --port, which counts more than the file and the environment, and is told when it is taken", async () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const [inFile, inEnvironment, said] = await freePorts(3);
    const file = join(folder.path, "g.yaml");
    writeFileSync(file, `http: { host: 127.0.0.1, port: ${inFile} }\n`);
    const environment = { HEMGATE_HTTP_PORT: String(inEnvironment) };
    const words = (state: string) => ["start", "--config", file, "--port", String(said), "--state", state];
    await using gateway = new Hemgate(words(folder.path), { environment });
    expect((await gateway.output(/.*\n/))[0]).toBe(`API at http://127.0.0.1:${said}, for this machine only\n`);
    expect((await fetch(`http://127.0.0.1:${said}/health/ready`)).status).toBe(204);
    const second = await hemgate(words(other.path));
    expect(second.code).toBe(EXIT.unavailable);
    expect(second.err).toContain(
      `port ${said} on 127.0.0.1 is taken by another program; choose another port with --port or http.port`,
    );
  });

  test.each(["65536", "-1", "web", "80.5"])("is not %s: that ends with 2", async (port) => {
    const { code, err } = await hemgate(["start", `--port=${port}`]);
    expect({ code, err }).toEqual({
      code: EXIT.usage,
      err: `hemgate: --port takes a number from 0 to 65535, not "${port}"\n`,
    });
  });
});

describe("devices that are none", PATIENCE, () => {
  test("are told with what is wrong with each, and the gateway serves all the same", async () => {
    using folder = temporaryFolder();
    const [http, closed] = await freePorts(2);
    const website = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => website.once("listening", resolve));
    const address = website.address();
    const open = typeof address === "object" && address !== null ? address.port : 0;
    const file = join(folder.path, "g.yaml");
    const device = (id: string, port: number | undefined) =>
      `  - { id: ${id}, adapter: modbus, host: 127.0.0.1, port: ${port}, profile: eastron-sdm630 }\n`;
    const unplugged = "  - { id: unplugged, adapter: modbus, serialPort: /dev/ttyUSB77, profile: eastron-sdm630 }\n";
    writeFileSync(
      file,
      `http: { host: 127.0.0.1, port: ${http} }\ndevices:\n${device("website", open)}${device("nobody", closed)}${unplugged}`,
    );
    await using gateway = new Hemgate(["start", "--json", "--config", file, "--state", folder.path]);
    await gateway.output(/"address"/);
    await gateway.logged(/"deviceId":"website"[^\n]*"device unreachable"/);
    await gateway.logged(/"path":"devices\[2\]\.serialPort"[^\n]*"a file of the configuration cannot be used yet"/);
    await gateway.logged(/"deviceId":"unplugged"[^\n]*"device unreachable"/);
    await gateway.logged(/"deviceId":"nobody"[^\n]*"device unreachable"/);

    const { code, out } = await hemgate(["devices", "--state", folder.path]);
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(/^website +modbus +not yet reached +never$/m);
    expect(out).toMatch(/^website: .*127\.0\.0\.1/m);
    expect(out).toMatch(
      new RegExp(`^nobody: .*127\\.0\\.0\\.1:${closed}.*nothing accepts connections at this port`, "m"),
    );
    expect((await hemgate(["read", "nobody", "--state", folder.path])).out).toMatch(
      /^nobody: does not answer \(never heard\): .*nothing accepts connections at this port/,
    );
    expect(out).not.toMatch(/\bE[A-Z]{4,}\b/);
    expect((await fetch(`http://127.0.0.1:${http}/health/ready`)).status).toBe(204);

    gateway.send("SIGINT");
    expect(await gateway.finished()).toMatchObject({ code: EXIT.ok });
    website.closeAllConnections();
    website.close();
  });
});
