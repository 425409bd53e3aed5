/**
 * The small part of Home Assistant's templates that states need: one expression of `value` or `value_json` with paths,
 * indexes, `float`, `int`, `round`, `default` and arithmetic. All else is refused by name.
 */
import { at, type Json, jsonOf, PayloadError } from "../kit/payload.ts";

const MAX_LENGTH = 500;
const MAX_DEPTH = 20;

/** A template uses what is not understood here. The message names it. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** What a payload means. Undefined: the payload has no such part. Throws a `PayloadError` for a payload that is no JSON. */
export type Template = (text: string) => Json | undefined;

type Value = Json | undefined;
interface Payload {
  readonly text: string;
  json(): Json;
}
type Expression = (payload: Payload) => Value;

/** Without a template the payload is the value. */
export const PLAIN: Template = (text) => text;

/** Throws a `TemplateError`. */
export function compileTemplate(template: string): Template {
  if (template.length > MAX_LENGTH) throw new TemplateError(`a template of ${template.length} characters`);
  const [, inner] = /^\s*\{\{-?((?:(?!\}\}|\{\{).)*?)-?\}\}\s*$/s.exec(template) ?? [];
  if (inner === undefined) throw new TemplateError(`more than one expression in ${JSON.stringify(template)}`);
  const parser = new Parser(tokensOf(inner));
  const expression = parser.whole();
  return (text) => expression({ text, json: () => jsonOf(text) });
}

type Token = { readonly kind: "number" | "text" | "name" | "sign"; readonly text: string };

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*)|(\S))/y;

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  const text = source.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) break;
    const [, number, single, double, name, sign = ""] = match;
    if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (name !== undefined) tokens.push({ kind: "name", text: name });
    else if (single !== undefined || double !== undefined) tokens.push({ kind: "text", text: single ?? double ?? "" });
    else tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#sum();
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw new TemplateError(`"${rest.text}" in a template`);
    return expression;
  }

  #sum(): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new TemplateError("a template that nests too deep");
    let left = this.#product();
    for (let sign = this.#take("+", "-"); sign !== null; sign = this.#take("+", "-")) {
      const [one, other, isPlus] = [left, this.#product(), sign === "+"];
      left = arithmetic(one, other, (a, b) => (isPlus ? a + b : a - b));
    }
    this.#depth -= 1;
    return left;
  }

  #product(): Expression {
    let left = this.#factor();
    for (let sign = this.#take("*", "/"); sign !== null; sign = this.#take("*", "/")) {
      const [one, other, isTimes] = [left, this.#factor(), sign === "*"];
      left = arithmetic(one, other, (a, b) => (isTimes ? a * b : a / b));
    }
    return left;
  }

  #factor(): Expression {
    if (this.#take("-") !== null) {
      const operand = this.#factor();
      return arithmetic(
        () => 0,
        operand,
        (a, b) => a - b,
      );
    }
    let expression = this.#primary();
    while (this.#take("|") !== null) expression = this.#filter(expression);
    return expression;
  }

  #primary(): Expression {
    if (this.#take("(") !== null) {
      const inner = this.#sum();
      this.#expect(")");
      return inner;
    }
    const token = this.#tokens[this.#next];
    this.#next += 1;
    if (token?.kind === "number") return () => Number(token.text);
    if (token?.kind === "text") return () => token.text;
    if (token?.kind === "name" && (token.text === "value" || token.text === "value_json"))
      return this.#path(token.text);
    throw new TemplateError(`"${token?.text ?? "nothing"}" in a template`);
  }

  #path(root: "value" | "value_json"): Expression {
    const keys: (string | number)[] = [];
    for (let sign = this.#take(".", "["); sign !== null; sign = this.#take(".", "[")) {
      const token = this.#tokens[this.#next];
      this.#next += 1;
      const isKey = sign === "." ? token?.kind === "name" : token?.kind === "text" || token?.kind === "number";
      if (token === undefined || !isKey) throw new TemplateError(`"${token?.text ?? "nothing"}" in a path`);
      if (sign === "." && this.#tokens[this.#next]?.text === "(")
        throw new TemplateError(`${token.text}() in a template`);
      keys.push(token.kind === "number" ? Number(token.text) : token.text);
      if (sign === "[") this.#expect("]");
    }
    if (root === "value" && keys.length > 0) throw new TemplateError("a path into value");
    return root === "value" ? ({ text }) => text : (payload) => at(payload.json(), ...keys);
  }

  #filter(input: Expression): Expression {
    const name = this.#tokens[this.#next]?.text ?? "nothing";
    this.#next += 1;
    const argument = this.#argument();
    switch (name) {
      case "float":
        return (payload) => toNumber(input(payload)) ?? argument(payload) ?? null;
      case "int":
        return (payload) => {
          const value = toNumber(input(payload));
          return value === null ? (argument(payload) ?? null) : Math.trunc(value);
        };
      case "round":
        return (payload) => rounded(input(payload), argument(payload));
      case "default":
        return (payload) => input(payload) ?? argument(payload) ?? null;
      default:
        throw new TemplateError(`the filter ${name} in a template`);
    }
  }

  #argument(): Expression {
    if (this.#take("(") === null) return () => undefined;
    if (this.#take(")") !== null) return () => undefined;
    const argument = this.#sum();
    this.#expect(")");
    return argument;
  }

  #take(...signs: readonly string[]): string | null {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "sign" || !signs.includes(token.text)) return null;
    this.#next += 1;
    return token.text;
  }

  #expect(sign: string): void {
    if (this.#take(sign) === null) throw new TemplateError(`no "${sign}" where a template needs it`);
  }
}

/** Undefined stays undefined, so that a message without the part tells nothing; what is no number is null. */
function arithmetic(one: Expression, other: Expression, compute: (a: number, b: number) => number): Expression {
  return (payload) => {
    const [a, b] = [one(payload), other(payload)];
    if (a === undefined || b === undefined) return undefined;
    const value = typeof a === "number" && typeof b === "number" ? compute(a, b) : Number.NaN;
    return Number.isFinite(value) ? value : null;
  };
}

function toNumber(value: Value): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function rounded(value: Value, places: Value): Value {
  if (value === undefined) return undefined;
  const digits = typeof places === "number" ? Math.min(Math.max(Math.trunc(places), 0), 10) : 0;
  return typeof value === "number" ? Number(value.toFixed(digits)) : null;
}

/** What the payload means, or undefined with a word on why it means nothing. */
export function applied(template: Template, text: string, problem: (what: string) => void): Json | undefined {
  try {
    return template(text);
  } catch (error) {
    if (!(error instanceof PayloadError)) throw error;
    problem(error.message);
    return undefined;
  }
}
