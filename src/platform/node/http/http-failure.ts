import { alertFault, certificateFault, codeOf, connectionFault, reachFault } from "../../error-text.ts";
import { HttpError } from "../../ports/http-error.ts";

const UNREACHABLE = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EADDRNOTAVAIL"]);

/** What Node says of a connection to a host, as the ports say it. */
export function httpErrorOf(host: string, error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const own = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof Error && UNREACHABLE.has(own)) {
    const reason = reachFault(error);
    return new HttpError("unreachable", `${host} is not reachable: ${connectionFault(error)}`, {
      cause: error,
      reason,
    });
  }
  const alert = alertFault(own);
  if (alert !== null) {
    return new HttpError("broken", `${host} refused the TLS connection: ${alert}`, { cause: error });
  }
  const certificate = certificateFault(own);
  if (certificate !== null)
    return new HttpError("untrusted", `${host} is not trusted: ${certificate}`, { cause: error });
  const why = error instanceof Error && codeOf(error) !== null ? `: ${connectionFault(error)}` : "";
  return new HttpError("broken", `the connection to ${host} broke${why}`, { cause: error });
}
