/** The port for e-mail. It stands with the others in `ports.ts`. */

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte; `starttls`: required after the greeting; `none`: in clear text. */
  readonly security: "tls" | "starttls" | "none";
  /** `null`: the server asks for none. */
  readonly account: { readonly username: string; readonly password: string } | null;
}

/** A plain text. */
export interface Mail {
  /** The same for a message that is sent again, so that mailboxes show it once. */
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/**
 * Why a mail was not taken.
 * - `unresolved`: the server's name has no address.
 * - `unreachable`: no connection came about.
 * - `untrusted`: the server's certificate is not valid for the host, or it offers no TLS where TLS is required.
 * - `unauthorized`: the server does not accept the account, or asks for one.
 * - `rejected`: the server does not take this mail, sender or recipient.
 * - `broken`: the connection ended, or what answers does not speak SMTP.
 */
export type MailErrorKind = "unresolved" | "unreachable" | "untrusted" | "unauthorized" | "rejected" | "broken";

/** A mail that was not taken; the message names the host and no address. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly kind: MailErrorKind;

  constructor(kind: MailErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

export interface Mailer {
  /**
   * Hands a mail to the server; resolves once the server has taken it for all recipients. Rejects with a `MailError`, or with
   * the signal's reason.
   */
  send(server: MailServer, mail: Mail, signal: AbortSignal): Promise<void>;
}
