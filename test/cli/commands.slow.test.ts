import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { hemgate, temporaryFolder } from "./hemgate-process.ts";

const EXAMPLE = new URL("../../config/gateway.example.yaml", import.meta.url).pathname;
const PACKAGE = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };

describe("version", () => {
  test("names the package and the runtime", async () => {
    expect(await hemgate(["version"])).toMatchObject({
      code: EXIT.ok,
      out: `hemgate ${PACKAGE.version} on Node ${process.versions.node}\n`,
      err: "",
    });
  });

  test("is told by --version too, and a command's own --version stays its own", async () => {
    const out = `hemgate ${PACKAGE.version} on Node ${process.versions.node}\n`;
    expect(await hemgate(["--version"])).toMatchObject({ code: EXIT.ok, out, err: "" });
    using folder = temporaryFolder();
    const words = ["client", "create", "--name", "app", "--version", "2024-01-01", "--state", folder.path];
    const { code, out: client } = await hemgate(words);
    expect(code).toBe(EXIT.ok);
    expect(client).not.toContain("on Node");
  });

  test("as JSON", async () => {
    const { out } = await hemgate(["version", "--json"]);
    expect(JSON.parse(out)).toEqual({ hemgate: PACKAGE.version, node: process.versions.node });
  });
});

describe("check-config", () => {
  test("a right file ends with 0 and says what it sets up", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "g.yaml");
    writeFileSync(file, "devices: [{ id: one, adapter: modbus, profile: eastron-sdm630, host: 192.168.1.5 }]\n");
    expect(await hemgate(["check-config", file])).toMatchObject({
      code: EXIT.ok,
      out: `${file}: right, with 1 device\n`,
      err: "",
    });
  });

  test("nothing is wrong with the example but that its files are those of another house", async () => {
    const { code, err } = await hemgate(["check-config", EXAMPLE]);
    expect(code).toBe(EXIT.failed);
    expect(
      err
        .trim()
        .split("\n")
        .filter((line) => !line.includes("does not exist")),
    ).toEqual([]);
  });

  test("a wrong file ends with 1 and tells every mistake on standard error", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "g.yaml");
    writeFileSync(file, "htpp:\n  port: 1\nlog:\n  level: loud\n");
    const { code, out, err } = await hemgate(["check-config", file]);
    expect({ code, out }).toEqual({ code: EXIT.failed, out: "" });
    expect(
      err
        .trim()
        .split("\n")
        .map((line) => line.split(";")[0]),
    ).toEqual([`${file}:1:1: htpp: unknown key`, `${file}:4:10: log.level: wrong value`]);
  });

  test("files and serial ports that cannot be used are mistakes with line and advice", async () => {
    using folder = temporaryFolder();
    const [file, empty] = [join(folder.path, "g.yaml"), join(folder.path, "no.pem")];
    writeFileSync(empty, "no certificate\n");
    writeFileSync(
      file,
      `mqtt:
  tls: { certFile: ${empty}, keyFile: /no/such/key.pem }
  broker:
    url: mqtts://broker.example
    caFile: ${folder.path}
devices:
  - { id: one, adapter: modbus, profile: eastron-sdm630, serialPort: /dev/ttyUSB77 }
  - { id: two, adapter: modbus, profile: eastron-sdm630, serialPort: ${empty} }
`,
    );
    const { code, err } = await hemgate(["check-config", file]);
    expect(code).toBe(EXIT.failed);
    expect(err.trim().split("\n")).toEqual([
      `${file}:2:20: mqtt.tls.certFile: ${empty} holds no certificate in PEM; expected a PEM file of the certificate that this user may read`,
      expect.stringMatching(/:2:\d+: mqtt.tls.keyFile: \/no\/such\/key.pem does not exist; expected a PEM file/),
      `${file}:5:13: mqtt.broker.caFile: ${folder.path} is not a file; expected a PEM file of certificates that this user may read`,
      expect.stringMatching(
        /:7:\d+: devices\[0\].serialPort: \/dev\/ttyUSB77 does not exist; expected a serial port that is/,
      ),
      expect.stringMatching(/:8:\d+: devices\[1\].serialPort: .* is not a serial port; expected a serial port/),
    ]);
  });

  test("as JSON each mistake has its place, path and nearest key", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "g.yaml");
    writeFileSync(file, "htpp: {}\n");
    const { code, out } = await hemgate(["check-config", "--json", file]);
    expect(code).toBe(EXIT.failed);
    expect(JSON.parse(out)).toMatchObject({
      isValid: false,
      mistakes: [{ place: { kind: "file", line: 1, column: 1 }, path: "htpp", nearest: "http" }],
    });
  });

  test("environment variables are checked with the file", async () => {
    const { code, err } = await hemgate(["check-config", EXAMPLE], { environment: { HEMGATE_HTTP_PORT: "no" } });
    expect(code).toBe(EXIT.failed);
    expect(err).toContain("HEMGATE_HTTP_PORT: http.port: wrong value; expected a whole number from 0 to 65535");
  });

  test.each([
    ["a file that is not there", (folder: string) => join(folder, "no.yaml"), "does not exist"],
    ["a folder", (folder: string) => folder, "is not a file"],
    [
      "a file that is not text",
      (folder: string) => {
        const file = join(folder, "binary.yaml");
        writeFileSync(file, Buffer.from([0xff, 0xfe, 0x80]));
        return file;
      },
      "is not UTF-8 text",
    ],
  ])("%s ends with 78 in one line", async (_name, make, problem) => {
    using folder = temporaryFolder();
    const file = make(folder.path);
    expect(await hemgate(["check-config", file])).toMatchObject({
      code: EXIT.config,
      out: "",
      err: `hemgate: configuration: ${file} ${problem}\n`,
    });
  });
});

describe("the command line", () => {
  test("a wrong command ends with 2 and names the nearest", async () => {
    const { code, err } = await hemgate(["devcies"]);
    expect(code).toBe(EXIT.usage);
    expect(err).toContain("Did you mean devices?");
  });

  test("a missing argument ends with 2", async () => {
    expect(await hemgate(["read"])).toMatchObject({ code: EXIT.usage, out: "" });
  });

  test("help lists the commands and the exit codes", async () => {
    const { code, out } = await hemgate(["--help"]);
    expect(code).toBe(EXIT.ok);
    for (const word of ["start", "client", "devices", "read", "check-config", "version", "Exit codes:"]) {
      expect(out).toContain(word);
    }
  });
});

describe("when no gateway runs", () => {
  test.each([[["devices"]], [["checks"]], [["read", "inverter"]]])(
    "%j says so, and how to start one",
    async (words) => {
      using folder = temporaryFolder();
      const { code, out, err } = await hemgate([...words, "--state", folder.path]);
      expect({ code, out }).toEqual({ code: EXIT.notRunning, out: "" });
      expect(err).toContain(`no gateway runs on the state folder ${folder.path}`);
      expect(err).toContain("hemgate start");
    },
  );

  test("the socket of a killed gateway is no gateway", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "control.sock");
    const killed = createServer().listen(path);
    await new Promise((resolve) => killed.once("listening", resolve));
    // Node removes the path that it listened on when the server closes; a killed process leaves it.
    renameSync(path, `${path}.kept`);
    await new Promise((resolve) => killed.close(resolve));
    renameSync(`${path}.kept`, path);
    expect(await hemgate(["devices", "--state", folder.path])).toMatchObject({ code: EXIT.notRunning });
  });

  test("client create makes the client in the store, readable by the owner only", async () => {
    using folder = temporaryFolder();
    const state = join(folder.path, "state");
    const { code, out } = await hemgate(["client", "create", "--name", "app", "--state", state, "--json"]);
    expect(code).toBe(EXIT.ok);
    const client = JSON.parse(out) as { id: string; secret: string };
    expect(client.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(client.secret.length).toBeGreaterThanOrEqual(43);
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  test("a client is made for a version, and pinned to another", async () => {
    using folder = temporaryFolder();
    const state = ["--state", join(folder.path, "state"), "--json"];
    const made = await hemgate(["client", "create", "--name", "app", "--version", "2023-08-01", ...state]);
    expect(made.code).toBe(EXIT.ok);
    const { id } = JSON.parse(made.out) as { id: string };
    const pinned = await hemgate(["client", "pin", id, "--version", "2024-01-01", ...state]);
    expect([pinned.code, JSON.parse(pinned.out)]).toEqual([EXIT.ok, { id, name: "app", version: "2024-01-01" }]);
    const unknown = await hemgate(["client", "pin", "nobody", "--version", "2024-01-01", ...state]);
    expect(unknown).toMatchObject({ code: EXIT.failed, out: "" });
    expect(unknown.err).toBe(`hemgate: There is no client "nobody"; there are ${id} (app).\n`);
  });

  test("a version that is not served ends with 2 and names those that are, and nothing is made", async () => {
    using folder = temporaryFolder();
    const state = join(folder.path, "state");
    for (const words of [
      ["create", "--name", "app"],
      ["pin", "nobody"],
    ]) {
      const { code, err } = await hemgate(["client", ...words, "--version", "2025-01-01", "--state", state]);
      expect(code).toBe(EXIT.usage);
      expect(err).toMatch(/no version 2025-01-01 of the API; --version takes 2024-10-01, 2024-01-01, /);
    }
    const none = await hemgate(["client", "pin", "nobody", "--version", "2024-01-01", "--state", state]);
    expect([none.code, none.err]).toEqual([EXIT.failed, expect.stringContaining("no state folder of a gateway")]);
    expect(existsSync(state)).toBe(false);
  });

  test("a client without a name ends with 2", async () => {
    using folder = temporaryFolder();
    expect(await hemgate(["client", "create", "--name", " ", "--state", folder.path])).toMatchObject({
      code: EXIT.usage,
    });
    expect(await hemgate(["client", "create", "--state", folder.path])).toMatchObject({ code: EXIT.usage });
  });

  test("a state folder that goes through a file ends with 75 in one line", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    const { code, err } = await hemgate(["client", "create", "--name", "a", "--state", join(file, "state")]);
    expect(code).toBe(EXIT.unavailable);
    expect(err).toMatch(/^hemgate: \S+ is, or goes through, something that is no folder\n$/);
  });
});
