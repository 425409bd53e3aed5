import { BoundedJsonError, MarketError, utf8Text } from "hemgate/sdk";
import sax from "sax";

const MAX_DEPTH = 12;
const MAX_ELEMENTS = 50_000;
const MAX_TEXT = 1_000;

/** An element, without its namespace and attributes. */
export interface XmlElement {
  readonly name: string;
  /** Without the white space around it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

/**
 * Parses an answer's XML within bounds. Documents with a type declaration are refused, so that there are no entities but
 * XML's own. Throws a `MarketError("malformed")` that quotes nothing of it.
 */
export function xmlTree(body: Uint8Array): XmlElement {
  const top: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [top];
  const parser = sax.parser(true);
  const refuse = (what: string): never => {
    throw new MarketError("malformed", `answered ${what}`);
  };
  let elements = 0;
  // The parser's own words quote the text.
  parser.onerror = () => refuse("no XML, or not all of it");
  parser.ondoctype = () => refuse("XML with a type declaration");
  parser.onopentag = ({ name }) => {
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) refuse("more XML than a day's prices");
    open.push({ name: name.slice(name.indexOf(":") + 1), text: "", children: [] });
  };
  parser.ontext = (text) => {
    const element = open.at(-1);
    if (element !== undefined && element.text.length < MAX_TEXT) element.text += text.slice(0, MAX_TEXT);
  };
  parser.onclosetag = () => {
    const element = open.pop();
    if (element !== undefined) open.at(-1)?.children.push({ ...element, text: element.text.trim() });
  };
  parser.write(textOf(body)).close();
  return top.children[0] ?? refuse("no XML");
}

function textOf(body: Uint8Array): string {
  try {
    return utf8Text(body);
  } catch (error) {
    if (error instanceof BoundedJsonError) throw new MarketError("malformed", `answered ${error.message}`);
    throw error;
  }
}

/** The elements at the end of a path of names, in the order of the document. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** The text of the first element at a path; null when there is none. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  return elementsAt(element, ...path)[0]?.text ?? null;
}
