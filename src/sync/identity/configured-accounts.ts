/** The account of a gateway whose configuration sets the cloud service, with the files that it names. */

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { errorText } from "../../platform/error-text.ts";
import type { Files } from "../../platform/ports/files-port.ts";
import type { Log } from "../../platform/ports/ports.ts";
import { fingerprintOf } from "../../platform/signing-key.ts";
import type { CloudUplinkRecord } from "../../store/records/cloud/cloud.ts";
import { UplinkError } from "../uplink/uplink.ts";
import type { CloudAccount, CloudAccounts } from "./account.ts";
import { certificatesOf, checkChain, IdentityError } from "./certificates.ts";

/** The section `cloud` of the configuration; the paths are of PEM files. */
export interface CloudProvision {
  readonly gateway: string;
  readonly uplinks: readonly (ProvidedMqtt | ProvidedHttps)[];
  readonly credentials: {
    readonly certFile?: string | undefined;
    readonly keyFile?: string | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly passwordFile?: string | undefined;
  };
}

interface ProvidedMqtt extends Pick<CloudUplinkRecord, "version"> {
  readonly kind: "mqtt";
  readonly servers: readonly string[];
  readonly topicPrefix: string;
  readonly caFile?: string | undefined;
}

interface ProvidedHttps {
  readonly kind: "https";
  readonly url: string;
  readonly caFile?: string | undefined;
}

export interface ConfiguredAccountsParts {
  readonly provision: CloudProvision;
  readonly files: Files;
  readonly log: Log;
}

/** Reads the account from the configuration and its files. */
export class ConfiguredAccounts implements CloudAccounts {
  readonly #parts: ConfiguredAccountsParts;
  #account: CloudAccount | null = null;
  #mistake: string | null = null;
  #refusal: string | null = null;

  constructor(parts: ConfiguredAccountsParts) {
    this.#parts = parts;
  }

  get registration(): NonNullable<CloudAccounts["registration"]> {
    return { gateway: this.#parts.provision.gateway, service: null };
  }

  /** The account as it was read last; `null` if it could not be read yet. */
  get account(): CloudAccount | null {
    return this.#account;
  }

  /** What is wrong with the files, as they were read last; `null` if nothing is. */
  get mistake(): string | null {
    return this.#mistake;
  }

  /** Why the cloud service refuses the gateway; `null` if it does not, or was not connected to yet. */
  get refusal(): string | null {
    return this.#refusal;
  }

  /** The servers, without the certificates of their authorities. */
  get uplinks(): readonly CloudUplinkRecord[] {
    return this.#parts.provision.uplinks.map((uplink) => uplinkOf(uplink));
  }

  /** Reads the files again, so that replaced files are used from the next connection on. */
  async offered(): Promise<readonly CloudAccount[]> {
    try {
      this.#account = await this.#read();
      this.#mistake = null;
      return [this.#account];
    } catch (cause) {
      const reason = errorText(cause);
      this.#mistake = reason;
      throw new UplinkError({ kind: "lost", reason, retryAfterMs: null }, { cause });
    }
  }

  /** Never calls the listener: the configuration does not change while the gateway runs. */
  observe(): Disposable {
    return { [Symbol.dispose]: () => undefined };
  }

  async accepted(): Promise<void> {
    this.#refusal = null;
  }

  async refused(_account: CloudAccount, reason: string): Promise<void> {
    const { log, provision } = this.#parts;
    const { gateway } = provision;
    if (this.#refusal !== reason) log.warn({ gateway, reason }, "the cloud service refuses this gateway; trying again");
    this.#refusal = reason;
  }

  async #read(): Promise<CloudAccount> {
    const { gateway, uplinks } = this.#parts.provision;
    const read = uplinks.map(async (uplink, index) => {
      const { caFile } = uplink;
      if (caFile === undefined) return uplinkOf(uplink);
      const what = `cloud.uplinks[${index}].caFile`;
      const caPem = await this.#text(what, caFile);
      certificatesOf(caPem, `${what} (${caFile})`);
      return uplinkOf(uplink, caPem);
    });
    return { gateway, service: null, uplinks: await Promise.all(read), ...(await this.#signIn()) };
  }

  async #signIn(): Promise<Pick<CloudAccount, "signIn" | "fingerprint" | "expiresAtMs">> {
    const { gateway, credentials } = this.#parts.provision;
    const { certFile, keyFile, username = gateway, password, passwordFile } = credentials;
    if (certFile === undefined || keyFile === undefined) {
      const word = password ?? (await this.#password(passwordFile ?? ""));
      return { signIn: { kind: "password", username, password: word }, fingerprint: null, expiresAtMs: null };
    }
    const pem = await this.#text("cloud.credentials.certFile", certFile);
    const keyPem = await this.#text("cloud.credentials.keyFile", keyFile);
    const fingerprint = fingerprintOf(publicKeyOf(keyPem, keyFile));
    const expiresAtMs = checkChain(pem, fingerprint, `cloud.credentials.certFile (${certFile})`);
    return { signIn: { kind: "certificate", certificate: { pem, keyPem } }, fingerprint, expiresAtMs };
  }

  async #password(file: string): Promise<string> {
    const [first = ""] = (await this.#text("cloud.credentials.passwordFile", file)).split(/\r?\n/);
    if (first === "") throw new IdentityError(`cloud.credentials.passwordFile: the first line of ${file} is empty`);
    return first;
  }

  async #text(what: string, path: string): Promise<string> {
    try {
      return await this.#parts.files.read(path);
    } catch (cause) {
      throw new IdentityError(`${what}: ${errorText(cause)}`, { cause });
    }
  }
}

function uplinkOf(uplink: CloudProvision["uplinks"][number], caPem?: string): CloudUplinkRecord {
  const trust = caPem === undefined ? {} : { caPem };
  if (uplink.kind === "https") return { kind: "https", urls: [uplink.url], topicPrefix: null, ...trust };
  const { servers: urls, topicPrefix, version } = uplink;
  return { kind: "mqtt", urls, topicPrefix, ...trust, ...(version !== undefined && { version }) };
}

function publicKeyOf(keyPem: string, file: string): KeyObject {
  try {
    return createPublicKey(createPrivateKey(keyPem));
  } catch (cause) {
    throw new IdentityError(`cloud.credentials.keyFile: ${file} has no readable private key`, { cause });
  }
}
