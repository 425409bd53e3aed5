/** Where text stops being JSON. The engine's own message names a place only sometimes, so the text is read again. */
export interface JsonFault {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly expected: string;
}

const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])|$)/y;

type State = "value" | "first item" | "first key" | "key" | "colon" | "more" | "end";

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "first item": "a value or ]",
  "first key": "a quoted key or }",
  key: "a quoted key",
  colon: "a colon",
  more: "a comma or the end of the list or object",
  end: "nothing more",
};

/** The first place where the text cannot go on as JSON. Null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ("{" | "[")[] = [];
  let state: State = "value";
  let offset = 0;
  for (;;) {
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(text);
    const token = match?.[0].trimStart();
    if (match !== null && token === "" && state === "end") return null;
    const next: State | null = token ? step(state, token, open) : null;
    if (match === null || next === null) return faultAt(text, offset, EXPECTED[state]);
    state = next;
    offset = TOKEN.lastIndex;
  }
}

/** What may follow a token; null when the token may not stand here. Keeps `open`, the brackets that wait. */
function step(state: State, token: string, open: ("{" | "[")[]): State | null {
  const isKey = token.startsWith('"');
  switch (state) {
    case "first key":
    case "key":
      if (isKey) return "colon";
      return state === "first key" && token === "}" ? close(open) : null;
    case "colon":
      return token === ":" ? "value" : null;
    case "more":
      if (token === ",") return open.at(-1) === "{" ? "key" : "value";
      return token === (open.at(-1) === "{" ? "}" : "]") ? close(open) : null;
    case "end":
      return null;
    case "value":
    case "first item":
      if (state === "first item" && token === "]") return close(open);
      return startValue(token, open);
    default:
      return state satisfies never;
  }
}

function startValue(token: string, open: ("{" | "[")[]): State | null {
  if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? "first key" : "first item";
  }
  if (",:]}".includes(token)) return null;
  return open.length === 0 ? "end" : "more";
}

function close(open: ("{" | "[")[]): State {
  open.pop();
  return open.length === 0 ? "end" : "more";
}

function faultAt(text: string, offset: number, expected: string): JsonFault {
  const start = offset + (/^[ \t\n\r]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const before = text.slice(0, start);
  const line = before.split("\n").length;
  return { line, column: start - before.lastIndexOf("\n"), expected };
}
