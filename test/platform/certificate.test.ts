import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../../src/platform/certificate.ts";
import { certificateFacts, certificateProblem, isFor, validityProblem } from "../../src/platform/certificate-check.ts";
import { SigningKey } from "../../src/platform/signing-key.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";

const FROM_MS = Date.UTC(2025, 0, 1);
const UNTIL_MS = Date.UTC(2055, 0, 1);
const random = new SeededRandom(1);
const rootKey = SigningKey.make(random);
const key = SigningKey.make(random);
const issuer = { name: "House", key: rootKey };
const common = { issuer, fromMs: FROM_MS, untilMs: UNTIL_MS };

const root = makeCertificate({
  ...common,
  subject: issuer.name,
  publicKeyDer: rootKey.publicKeyDer,
  serial: Uint8Array.of(1),
  isAuthority: true,
  permitted: { domains: ["local", "fritz.box"], networks: ["192.168.0.0/16", "172.16.0.0/12", "fc00::/7"] },
});

function issue(...hosts: string[]): string {
  const content = { ...common, subject: "hemgate", publicKeyDer: key.publicKeyDer, hosts };
  return makeCertificate({ ...content, serial: Uint8Array.of(2) });
}

describe("A certificate of the house's authority", () => {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-certificate-"));
  const rootFile = join(folder, "root.pem");
  writeFileSync(rootFile, root);
  const verify = (certificate: string, ...words: string[]) => {
    const file = join(folder, "server.pem");
    writeFileSync(file, certificate);
    const { status, stdout, stderr } = spawnSync(
      "openssl",
      ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", rootFile, ...words, file],
      { encoding: "utf8" },
    );
    return { status, text: stdout + stderr };
  };

  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([["hemgate.local"], ["box.fritz.box"], ["192.168.1.5"], ["172.31.255.1"], ["fd00::1"]])(
    "passes openssl's strict checks for %s",
    (host) => {
      const words = host.includes(":") || /^\d/.test(host) ? ["-verify_ip", host] : ["-verify_hostname", host];
      expect(verify(issue("hemgate.local", host), ...words)).toMatchObject({ status: 0 });
    },
  );

  test.each([["bank.example"], ["notlocal"], ["fritz.box.example"], ["8.8.8.8"], ["172.32.0.1"], ["2001:db8::1"]])(
    "is refused by openssl for %s, which the authority is not for",
    (host) => {
      const { status, text } = verify(issue("hemgate.local", host));
      expect(status).not.toBe(0);
      expect(text).toContain("permitted subtree violation");
    },
  );

  test("is refused for a name that is not in it", () => {
    expect(verify(issue("hemgate.local"), "-verify_hostname", "other.local").text).toContain("hostname mismatch");
  });

  test("makes no further authorities", () => {
    const lower = makeCertificate({
      ...common,
      subject: "Lower",
      publicKeyDer: key.publicKeyDer,
      serial: Uint8Array.of(3),
      isAuthority: true,
    });
    const lowerFile = join(folder, "lower.pem");
    writeFileSync(lowerFile, lower);
    const leafKey = SigningKey.make(random);
    const leaf = makeCertificate({
      subject: "leaf",
      publicKeyDer: leafKey.publicKeyDer,
      issuer: { name: "Lower", key },
      fromMs: FROM_MS,
      untilMs: UNTIL_MS,
      serial: Uint8Array.of(4),
      hosts: ["hemgate.local"],
    });
    expect(verify(leaf, "-untrusted", lowerFile).text).toContain("path length constraint exceeded");
  });

  test("states times after 2049 as openssl reads them", () => {
    const out = execFileSync("openssl", ["x509", "-noout", "-dates"], { input: root, encoding: "utf8" });
    expect(out).toContain("notAfter=Jan  1 00:00:00 2055 GMT");
  });
});

describe("What is looked at in a certificate", () => {
  const pair = { certificate: issue("hemgate.local", "192.168.1.5"), privateKeyPem: key.privateKeyPem };

  test("Its names, addresses, dates and fingerprint are read", () => {
    expect(certificateFacts(pair.certificate)).toMatchObject({
      names: ["hemgate.local", "192.168.1.5"],
      fromMs: FROM_MS,
      untilMs: UNTIL_MS,
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
  });

  test("It is for its names and addresses only", () => {
    const hosts = ["hemgate.local", "192.168.1.5", "other.local", "192.168.1.6", ""];
    expect(hosts.filter((host) => isFor(pair.certificate, host))).toEqual(["hemgate.local", "192.168.1.5"]);
  });

  test("A key that is not its own, and texts that are no certificate or key, are named", () => {
    const encrypted = execFileSync("openssl", ["pkey", "-aes256", "-passout", "pass:abcd"], {
      input: key.privateKeyPem,
      encoding: "utf8",
    });
    expect(certificateProblem(pair)).toBeNull();
    expect(certificateProblem({ ...pair, privateKeyPem: rootKey.privateKeyPem })).toContain("does not belong");
    expect(certificateProblem({ ...pair, privateKeyPem: encrypted })).toContain("has a passphrase");
    expect(certificateProblem({ ...pair, privateKeyPem: "" })).toBe("the private key is not one in PEM");
    expect(certificateProblem({ ...pair, certificate: key.publicKeyPem })).toBe("the certificate is not one in PEM");
  });

  test("It is named when it is over, and when it has not begun", () => {
    const facts = certificateFacts(pair.certificate);
    expect(validityProblem(facts, UNTIL_MS - 1)).toBeNull();
    expect(validityProblem(facts, UNTIL_MS)).toBe("the certificate has expired on 2055-01-01; replace it");
    expect(validityProblem(facts, FROM_MS - 1)).toBe("the certificate is not valid before 2025-01-01");
  });
});
