/** Answers on a connection whose bytes never became a request: too slow, too long, or not HTTP. */
import { PROBLEMS, type ProblemError, problem } from "../../domain/problem.ts";
import { PROBLEM_TYPE, problemBody } from "../answers.ts";

/** What is used of the socket. */
interface BrokenConnection {
  readonly writable: boolean;
  readonly destroyed: boolean;
  write(text: string): unknown;
  destroy(): unknown;
}

/** Node's code for what is wrong, and the connection it is wrong on. Says so once, then closes. */
export function createBrokenRequestHandler(headers: Readonly<Record<string, string>>, base: string) {
  return (error: { readonly code: string }, connection: BrokenConnection): void => {
    if (error.code === "ECONNRESET" || connection.destroyed) return;
    if (connection.writable) connection.write(rawAnswer(faultOf(error.code), headers, base));
    connection.destroy();
  };
}

function faultOf(code: string): ProblemError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return problem("request-timeout", "The request did not arrive in time.");
  if (code === "HPE_HEADER_OVERFLOW") return problem("header-fields-too-large", "The headers are too large.");
  return problem("bad-request", "This is not an HTTP request.");
}

function rawAnswer(error: ProblemError, headers: Readonly<Record<string, string>>, base: string): string {
  const { status, title } = PROBLEMS[error.slug];
  const body = JSON.stringify(problemBody(error, base));
  const lines = Object.entries({
    ...headers,
    "content-type": PROBLEM_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${title}\r\n${lines.join("")}\r\n${body}`;
}
