import { HttpError } from "../http-error.ts";
import { connectionFault, reachFault } from "./error-code.ts";

const UNREACHABLE = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EADDRNOTAVAIL"]);

/** What Node says of a connection to a host, as the ports say it. */
export function httpErrorOf(host: string, error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof Error && UNREACHABLE.has(code)) {
    const reason = reachFault(error);
    return new HttpError("unreachable", `${host} is not reachable: ${connectionFault(error)}`, {
      cause: error,
      reason,
    });
  }
  // An alert is the server's word about what we showed.
  if (code.includes("_ALERT_")) {
    return new HttpError("broken", `${host} refused the TLS connection: ${code}`, { cause: error });
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return new HttpError("untrusted", `the certificate of ${host} is not valid: ${code}`, { cause: error });
  }
  return new HttpError("broken", `the connection to ${host} broke${code === "" ? "" : `: ${code}`}`, { cause: error });
}
