/** Reads what a WebDAV server (RFC 4918) answers: lists of files, and refusals as sentences that say what to do. */
import sax from "sax";
import type { HttpAnswer } from "../../platform/ports/ports.ts";

const MAX_FILES = 5_000;
const MAX_TEXT_CHARACTERS = 4_096;
const WHOLE_NUMBER = /^\d{1,15}$/;

/** A server that did not do what it was asked; the message says what and why, and what to do. */
export class WebDavError extends Error {
  override readonly name = "WebDavError";
  /** It may pass by itself. */
  readonly isPassing: boolean;
  readonly status: number | null;

  constructor(
    message: string,
    { isPassing = false, status = null as number | null, cause = undefined as unknown } = {},
  ) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.status = status;
  }
}

export interface WebDavFile {
  readonly name: string;
  /** `null` if the server does not say. */
  readonly bytes: number | null;
}

/** Reads the body of a 207: the last part of each path, without its encoding. Throws a `WebDavError`. */
export function readMultistatus(host: string, { body, isBodyCut }: HttpAnswer): readonly WebDavFile[] {
  const refuse = (what: string): never => {
    throw new WebDavError(
      `${host} answered ${what} for the list of its files; backup.webdav.url has to be a WebDAV folder`,
    );
  };
  if (isBodyCut) refuse("too much");
  const files: WebDavFile[] = [];
  let path = "";
  let bytes: number | null = null;
  let text = "";
  let isList = false;
  const parser = sax.parser(true);
  parser.onerror = () => refuse("no XML, or not all of it,");
  parser.ondoctype = () => refuse("XML with a type declaration");
  parser.onopentag = ({ name }) => {
    text = "";
    isList ||= plain(name) === "multistatus";
    if (plain(name) === "response") [path, bytes] = ["", null];
  };
  const addText = (more: string): void => {
    if (text.length < MAX_TEXT_CHARACTERS) text += more;
  };
  parser.ontext = addText;
  parser.oncdata = addText;
  parser.onclosetag = (name) => {
    const value = text.trim();
    text = "";
    if (plain(name) === "href" && path === "") path = value;
    if (plain(name) === "getcontentlength" && WHOLE_NUMBER.test(value)) bytes = Number(value);
    if (plain(name) !== "response") return;
    if (files.length >= MAX_FILES) refuse("too many files");
    files.push({ name: lastPart(path), bytes });
  };
  parser.write(Buffer.from(body).toString("utf8")).close();
  return isList ? files : refuse("something else");
}

function plain(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function lastPart(path: string): string {
  const part = path.split("/").findLast((each) => each !== "") ?? "";
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What was asked of the server, for its refusal. */
export interface WebDavQuestion {
  /** `write backups`, after "the account may not". */
  readonly deed: string;
  readonly url: URL;
  /** Of the file that is uploaded. */
  readonly bytes?: number;
}

/** Describes an answer that was not expected. */
export function refusalOf({ status, headers }: HttpAnswer, question: WebDavQuestion): WebDavError {
  const isPassing = status === 423 || status === 429 || (status >= 500 && status !== 501 && status !== 507);
  return new WebDavError(sentenceOf(status, new Map(headers), question), { status, isPassing });
}

function sentenceOf(
  status: number,
  headers: ReadonlyMap<string, string>,
  { deed, url, bytes }: WebDavQuestion,
): string {
  const { host, pathname } = url;
  const answered = `${host} answered HTTP ${status}`;
  switch (status) {
    case 401:
      return /basic/i.test(headers.get("www-authenticate") ?? "basic")
        ? `${host} refuses the account (HTTP 401): check username and password of backup.webdav; a Nextcloud with two factors wants an app password`
        : `${host} takes no password in the usual way (HTTP 401): let it allow Basic authentication for WebDAV`;
    case 403:
      return `${host} does not let the account ${deed} (HTTP 403): allow it to write in ${pathname}, or name another folder in backup.webdav.url`;
    case 404:
    case 409:
      return `${host} has no WebDAV folder at ${pathname} (HTTP ${status}): check backup.webdav.url; that of a Nextcloud is https://…/remote.php/dav/files/<account>/<folder>`;
    case 405:
    case 501:
      return `${host} does not speak WebDAV at ${pathname} (HTTP ${status}): turn WebDAV on there, and check backup.webdav.url`;
    case 412:
      return `${host} has a file of this name already (HTTP 412): give each gateway its own folder in backup.webdav.url`;
    case 413:
      return `${host} takes no file of ${megabytes(bytes ?? 0)} (HTTP 413): raise the largest upload that the server or the proxy before it allows`;
    case 423:
      return `${host} has locked the file or the folder (HTTP 423): close what uses ${pathname} there`;
    case 507:
      return `the disk of ${host}, or what the account may use of it, is full (HTTP 507): remove files there, or lower backup.keep`;
    default:
      break;
  }
  if (status >= 300 && status < 400) {
    return `${answered} and sends to another address: put that address into backup.webdav.url (${placeOf(headers.get("location"), url)})`;
  }
  return `${answered} when it was to ${deed}: the log of that server says why`;
}

/** Where a redirect leads, without its query. */
function placeOf(location: string | undefined, base: URL): string {
  const target = location === undefined ? null : URL.parse(location, base.href);
  return target === null ? "it names none" : `${target.origin}${target.pathname}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
