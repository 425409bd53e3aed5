import { describe, expect, test } from "vitest";
import { errorText } from "../../src/platform/error-text.ts";
import { fileError } from "../../src/platform/node/files/text-file.ts";
import { httpErrorOf } from "../../src/platform/node/http/http-failure.ts";
import { mqttFault } from "../../src/platform/node/mqtt/mqtt-client.ts";
import { DeviceError } from "../../src/points/device-error.ts";

/** An error as Node and its libraries throw it: words of their own, and a code. */
function coded(code: string | number): Error {
  return Object.assign(new Error("raw words of a library"), { code });
}

describe("the text of a failure is the gateway's own", () => {
  test.each([
    ["CERT_HAS_EXPIRED", "untrusted", /certificate has expired; renew it/],
    ["CERT_NOT_YET_VALID", "untrusted", /not valid yet; check the clocks/],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "untrusted", /signed by itself; name it as the authority/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "untrusted", /authority that issued the certificate is not known/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "untrusted", /for another name; use a name that stands in it/],
    ["CERT_OF_A_NEW_KIND", "untrusted", /certificate is not valid \(CERT_OF_A_NEW_KIND\)/],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "broken", /refused the TLS connection: it wants a certificate/],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "broken", /does not know the authority/],
    ["ERR_SSL_TLSV1_ALERT_NEW", "broken", /no reason that is known here \(ERR_SSL_TLSV1_ALERT_NEW\)/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "broken", /this port does not speak TLS; check the port/],
    ["HPE_INVALID_CONSTANT", "broken", /the answer is not HTTP; check the port/],
    ["ECONNRESET", "broken", /the other side ended the connection/],
    ["ECONNREFUSED", "unreachable", /nothing accepts connections at this port/],
    ["ENEW", "broken", /the connection failed \(ENEW\)/],
  ])("of an HTTP request that fails by %s", (code, kind, words) => {
    const error = httpErrorOf("cloud.example", coded(code));
    expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(error.message).not.toContain("raw words");
    expect(error.message).toContain("cloud.example");
  });

  test.each([
    [coded(5), /not allowed to do that \(0x05\)/],
    [coded(0x87), /not allowed to do that \(0x87\)/],
    [coded(0x99), /the server refused: 0x99/],
    [coded("ECONNRESET"), /the other side ended the connection/],
    [new Error("connack timeout"), /did not answer the sign-in in time/],
    [new Error("Invalid header flag bits, must be 0x0 for puback packet"), /not MQTT; check its address and port/],
    [new DeviceError("unreachable", "our own words"), /^our own words$/],
  ])("of an MQTT connection, case %#", (error, words) => {
    expect(mqttFault(error)).toMatch(words);
    expect(mqttFault(error)).not.toMatch(/raw words|header flag/);
  });

  test.each([
    ["ENOSPC", "/data/x cannot be used: the disk is full"],
    ["EIO", "/data/x cannot be used: the disk or the device reports a failure; it may be defective"],
    ["ENEW", "/data/x cannot be used: it failed (ENEW)"],
  ])("of a file that fails by %s", (code, words) => {
    expect(fileError("/data/x", coded(code)).message).toBe(words);
  });

  test("quotes nothing that a bug's error quotes", () => {
    const wrong = (): unknown => JSON.parse('{"password": hunter2}');
    expect(wrong).toThrow(SyntaxError);
    expect(errorText(new SyntaxError('"hunter2" is not valid JSON'))).toBe("an internal error (SyntaxError)");
    expect(errorText("hunter2")).toBe("it failed without a reason");
    expect(errorText(new Error("our own words"))).toBe("our own words");
  });
});
