import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { makeCertificate } from "../../src/platform/certificate.ts";
import { isSignedBy, SigningKey, verificationKey } from "../../src/platform/signing-key.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";

const BYTES = new TextEncoder().encode("one");
const key = SigningKey.make(new SeededRandom(1));

describe("a signing key", () => {
  test("is the same when it is read again", () => {
    const again = SigningKey.read(key.privateKeyPem);
    expect(again.fingerprint).toBe(key.fingerprint);
    expect(isSignedBy(verificationKey(key.publicKeyPem)!, BYTES, again.sign(BYTES))).toBe(true);
  });

  test("signs these bytes and no others", () => {
    const known = verificationKey(key.publicKeyPem)!;
    const other = SigningKey.make(new SeededRandom(2));
    expect(isSignedBy(known, new TextEncoder().encode("two"), key.sign(BYTES))).toBe(false);
    expect(isSignedBy(known, BYTES, other.sign(BYTES))).toBe(false);
    expect(isSignedBy(known, BYTES, "")).toBe(false);
  });

  test("shows nothing of itself to JSON and the log", () => {
    expect(JSON.stringify(key)).toBe("{}");
  });

  test("asks for a certificate in a form that openssl reads and finds signed", () => {
    const words = ["req", "-verify", "-noout", "-subject", "-pubkey"];
    const out = execFileSync("openssl", words, {
      input: key.certificateRequest("gw-1"),
      encoding: "utf8",
      stdio: "pipe",
    });
    expect(out).toMatch(/subject=CN ?= ?gw-1\n/);
    expect(out).toContain(key.publicKeyPem);
  });

  test("issues certificates that openssl reads", () => {
    const text = makeCertificate({
      subject: "gw-1",
      publicKeyDer: key.publicKeyDer,
      issuer: { name: "Authority", key },
      fromMs: Date.UTC(2026, 0, 1),
      untilMs: Date.UTC(2051, 0, 1),
      serial: Uint8Array.of(0xff, 1),
      isAuthority: true,
    });
    const words = ["x509", "-noout", "-subject", "-issuer", "-dates", "-ext", "basicConstraints"];
    const out = execFileSync("openssl", words, { input: text, encoding: "utf8" });
    for (const part of ["gw-1", "Authority", "Jan  1 00:00:00 2026", "Jan  1 00:00:00 2051", "CA:TRUE"]) {
      expect(out).toContain(part);
    }
  });

  test("is not made of anything else that is a key", () => {
    expect(verificationKey("no key")).toBeNull();
    expect(verificationKey(key.privateKeyPem)).toBeNull();
  });
});
