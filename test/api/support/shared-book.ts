/** The descriptions of all versions, made once a process: they take half a second, and tests open thousands of APIs. */
import type { VersionBook } from "../../../src/api/versions/version-book.ts";
import type { Config } from "../../../src/config/config.ts";
import type { Engine } from "../../../src/engine/contracts/engine.ts";

/** By what a description depends on. */
const books = new Map<string, VersionBook>();

/** Returns the `bookFrom` of an API with this configuration. */
export function sharedBook(
  { compat, sandbox }: Config,
  { services: { simulated } }: Pick<Engine, "services">,
): (make: () => VersionBook) => VersionBook {
  const key = JSON.stringify([compat, sandbox, simulated !== null]);
  return (make) => {
    const book = books.get(key) ?? make();
    books.set(key, book);
    return book;
  };
}
