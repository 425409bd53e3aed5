import { certificateFault, codeOf, connectionFault } from "../error-text.ts";
import { lazy } from "../lazy.ts";
import { type Mail, MailError, type MailErrorKind, type Mailer, type MailServer } from "../ports/mail-port.ts";

/** Limits of a slow server, ms; the caller's signal ends the whole earlier. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 15_000;

/** Loaded with the first e-mail: most homes send none. */
const nodemailer = lazy("the part that sends e-mail", () => import("nodemailer"));

/** What nodemailer says of a failure. Its own texts are not shown: they quote the server, and with it people's addresses. */
const KINDS: Readonly<Record<string, MailErrorKind>> = {
  EDNS: "unresolved",
  ENOTFOUND: "unresolved",
  EAI_AGAIN: "unresolved",
  EAUTH: "unauthorized",
  ENOAUTH: "unauthorized",
  EENVELOPE: "rejected",
  EMESSAGE: "rejected",
  EMAXRECIPIENTS: "rejected",
  ECONNREFUSED: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ETIMEDOUT: "unreachable",
};

/** Real e-mail over SMTP, a connection a mail. */
export const nodeMailer: Mailer = {
  async send(server, mail, signal) {
    signal.throwIfAborted();
    const { createTransport } = await nodemailer();
    const transport = createTransport(transportOptions(server));
    try {
      const { rejected } = await transport.sendMail(mailOptions(server, mail, signal));
      if (rejected.length > 0) {
        throw new MailError(
          "rejected",
          `${server.host} takes the e-mail for some recipients only; check the addresses`,
        );
      }
    } catch (error) {
      signal.throwIfAborted();
      throw mailErrorOf(server, error);
    } finally {
      transport.close();
    }
  },
};

function transportOptions({ host, port, security, account }: MailServer) {
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(account !== null && { auth: { user: account.username, pass: account.password } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A mail is a text of ours: nothing in it may name a file or a URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function mailOptions({ host }: MailServer, { id, from, to, subject, text }: Mail, signal: AbortSignal) {
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return {
    from,
    subject,
    text,
    signal,
    to: [...to],
    messageId: `<${id}@${domain === "" ? host : domain}>`,
    // No answers of "I am away" to a box in the cellar.
    headers: { "Auto-Submitted": "auto-generated" },
  };
}

function mailErrorOf({ host, security }: MailServer, error: unknown): MailError {
  if (error instanceof MailError || !(error instanceof Error)) {
    return error instanceof MailError ? error : new MailError("broken", `${host} failed without a reason`);
  }
  const inner = innerCode(error);
  const certificate = certificateFault(inner ?? "");
  if (certificate !== null)
    return new MailError("untrusted", `${host} is not trusted: ${certificate}`, { cause: error });
  const outer = codeOf(error) ?? "";
  const kind = KINDS[inner ?? ""] ?? KINDS[outer] ?? "broken";
  const answer = "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : null;
  return new MailError(kind, sentence(kind, { host, security, outer, inner, answer }), { cause: error });
}

/** The code of Node, which nodemailer puts behind its own. */
function innerCode(error: Error): string | null {
  return "originalCode" in error && typeof error.originalCode === "string" ? error.originalCode : null;
}

function sentence(
  kind: MailErrorKind,
  failure: {
    readonly host: string;
    readonly security: MailServer["security"];
    readonly outer: string;
    readonly inner: string | null;
    readonly answer: number | null;
  },
): string {
  const { host, security, outer, inner, answer } = failure;
  const said = answer === null ? "" : ` (SMTP ${answer})`;
  switch (kind) {
    case "unresolved":
      return `${host} is not known: the network knows no host of this name; check mailServer.host`;
    case "unauthorized":
      return `${host} does not accept the user or the password${said}; many services want a password made for this program`;
    case "rejected":
      return `${host} does not take the e-mail${said}; check the addresses in from and to`;
    case "unreachable":
      return `${host} is not reachable: ${faultOf(inner ?? "ETIMEDOUT")}; check mailServer.host and mailServer.port`;
    case "untrusted":
      return `${host} is not trusted`;
    case "broken":
      if (outer === "ETLS" && security === "starttls")
        return `${host} offers no TLS after its greeting; check mailServer.security`;
      if (outer === "ETLS" || outer === "ESOCKET") {
        return `the connection to ${host} broke: ${faultOf(inner)}; check mailServer.port and mailServer.security`;
      }
      return `${host} does not answer as a mail server${said}; check mailServer.port and mailServer.security`;
    default:
      return kind satisfies never;
  }
}

function faultOf(code: string | null): string {
  return code === null
    ? "the other side ended it"
    : connectionFault(Object.assign(new Error("no connection"), { code }));
}
