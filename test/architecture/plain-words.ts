import { BANNED_WORDS, type BannedWord, FIXED_KEYS } from "./banned-words.ts";
import { finding, isSyntaxNode, nodesOf, type Source } from "./syntax.ts";

const EVERYWHERE = patternOf(BANNED_WORDS.filter(({ where }) => where === "everywhere"));
const IN_NAMES = patternOf(BANNED_WORDS.filter(({ where }) => where === "names"));

/** Returns every banned word in the file's text and in its names, without those in fixed keys. */
export function bannedWords(source: Source): readonly string[] {
  const fixedKeys = FIXED_KEYS.filter(({ path }) => `${source.path}/`.startsWith(`${path}/`)).map(({ key }) => key);
  const text = fixedKeys.reduce(
    (rest, key) => rest.replaceAll(new RegExp(`\\b${key}(?=[:"\`])`, "gu"), ""),
    source.text,
  );
  const inText = [...separateWords(text).matchAll(EVERYWHERE)].map((match) => describe(match[0]));
  const inPath = [...separateWords(source.path).matchAll(EVERYWHERE)].map((match) => describe(match[0]));
  return [
    ...[...inPath, ...wordsOfName(source.path)].map((problem) => finding(source, 0, problem)),
    ...inText.map((problem) => `${source.path}: ${problem}`),
    ...namesOf(source)
      .filter(({ name }) => !fixedKeys.includes(name))
      .flatMap(({ name, offset }) =>
        wordsOfName(name).map((problem) => finding(source, offset, `${name}: ${problem}`)),
      ),
  ];
}

function patternOf(words: readonly BannedWord[]): RegExp {
  return new RegExp(`\\b(?:${words.map(({ pattern }) => pattern).join("|")})\\b`, "gu");
}

/** Splits `lastToldAt` and `told-currency` into lower-case words; a line break in a comment is a space. */
function separateWords(text: string): string {
  return text
    .replace(/\n\s*(?:\*|\/\/)?\s*/gu, " ")
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_'’-]/gu, " ")
    .toLowerCase();
}

function wordsOfName(name: string): readonly string[] {
  return [...separateWords(name).matchAll(IN_NAMES)].map((match) => describe(match[0]));
}

function describe(found: string): string {
  const word = BANNED_WORDS.find(({ pattern }) => new RegExp(`^(?:${pattern})$`, "u").test(found));
  return `"${found}" is banned (${word?.why}); say: ${word?.instead}`;
}

/** Returns the names that the file declares: variables, parameters, types, keys and members. */
function namesOf(source: Source): readonly { readonly name: string; readonly offset: number }[] {
  return nodesOf(source).flatMap(({ node, parent, key }) => {
    const name = node["name"];
    const isName = /^(Private)?Identifier$/.test(node.type) && typeof name === "string";
    return isName && isDeclared(parent, key) ? [{ name, offset: node.start }] : [];
  });
}

function isDeclared(parent: unknown, key: string): boolean {
  if (!isSyntaxNode(parent)) return false;
  if (/^(MethodDefinition|PropertyDefinition|TSPropertySignature|TSMethodSignature)$/.test(parent.type))
    return key === "key";
  if (parent.type === "Property") return key === "key" && parent["shorthand"] !== true;
  const isDeclaration = /Declarat(ion|or)$|^(Function|Arrow|TSParameter|ArrayPattern|AssignmentPattern)/.test(
    parent.type,
  );
  return isDeclaration && /^(id|params|elements|left|parameter)$/.test(key);
}
