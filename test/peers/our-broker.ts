/** The embedded broker as strangers meet it: real clock, real sockets, one user. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAedesBroker } from "../../src/broker/embedded/open-broker.ts";
import { RetainedMessages } from "../../src/broker/retained-messages.ts";
import { MqttLimits } from "../../src/config/mqtt-config.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import type { Broker, BrokerSettings } from "../../src/platform/ports/ports.ts";
import { TestLog } from "../../src/testing/test-log.ts";

const RIGHTS = { username: "plug", publish: ["tele/#"], subscribe: ["cmnd/#", "tele/#"] };

/** User `plug` with password `right`. The caller disposes it. */
export async function openTestBroker(settings: Partial<BrokerSettings> = {}): Promise<Broker> {
  const limits = MqttLimits.parse({});
  const access = {
    signIn: async ({ username, password }: { username: string; password: string }) =>
      username === "plug" && password === "right" ? RIGHTS : null,
    rightsOf: () => RIGHTS,
  };
  const clock = nodeClock(() => "synced");
  const parts = { clock, log: new TestLog(), access, retained: new RetainedMessages(limits) };
  return await openAedesBroker({ host: "127.0.0.1", port: 0, tls: null, limits, ...settings }, parts);
}

/** A certificate for localhost, and its key. */
export function selfSigned(): { readonly certFile: string; readonly keyFile: string } {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-tls-"));
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", [...made, ...subject, "-keyout", keyFile, "-out", certFile], { stdio: "pipe" });
  return { certFile, keyFile };
}
