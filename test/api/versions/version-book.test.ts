/** What an answer in an older version costs, counted on the agreed description. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isObject, type JsonObject, madeWhenRead, objectAt } from "../../../src/api/versions/json.ts";
import { olderDocument } from "../../../src/api/versions/older-document.ts";
import { SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { translate } from "../../../src/api/versions/translation.ts";
import { createVersionBook } from "../../../src/api/versions/version-book.ts";

const OLDEST = SERVED_VERSIONS.at(-1)!;
const AGREED: JsonObject = JSON.parse(
  readFileSync(new URL("../../golden/openapi-2024-10-01.json", import.meta.url), "utf8"),
);

/** The agreed description; `read` gets the names of the schemas and the operations that were read. */
function countedDocument(read: Set<string>): JsonObject {
  const counted = (object: JsonObject, prefix = ""): JsonObject =>
    madeWhenRead(
      Object.entries(object).map(([key, value]) => [
        key,
        () => {
          read.add(prefix + key);
          return value;
        },
      ]),
    );
  const components = objectAt(AGREED, "components");
  const paths = Object.entries(objectAt(AGREED, "paths")).map(([path, item]) => [
    path,
    isObject(item) ? counted(item, `${path} `) : item,
  ]);
  return {
    ...AGREED,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas: counted(objectAt(components, "schemas")) },
  };
}

it("reads of the descriptions what the answer is made of, and not the hundreds of others", () => {
  const read = new Set<string>();
  const document = countedDocument(read);
  const book = createVersionBook(() => document);
  const url = "/chargers";
  const translation = translate(OLDEST.steps, { method: "GET", url, userId: "home" });
  const { body } = book.answerIn(
    OLDEST,
    { method: "GET", translation, isProblem: false, isKnown: false },
    { status: 200, body: { data: [], pagination: { after: null, before: null } } },
  );
  expect(body).toEqual([]);
  const all = Object.keys(objectAt(objectAt(AGREED, "components"), "schemas"));
  const operations = [...read].filter((name) => name.startsWith("/") && !name.endsWith(" parameters"));
  const schemas = [...read].filter((name) => !name.startsWith("/"));
  expect(operations).toEqual(["/users/{userId}/chargers get"]);
  expect(schemas).toContain("Charger");
  expect(schemas.length).toBeLessThan(all.length / 10);
});

it("makes no schema of an older description before it is read, and each once", () => {
  const read = new Set<string>();
  const [step] = OLDEST.steps;
  const older = olderDocument(countedDocument(read), step!);
  expect([...read].filter((name) => !name.endsWith(" parameters"))).toEqual([]);
  const schemas = objectAt(objectAt(older, "components"), "schemas");
  expect(schemas["Battery"]).toHaveProperty("properties.locationId");
  expect(schemas["Battery"]).toBe(schemas["Battery"]);
  expect(read).not.toContain("ChargeSchedule");
});

it("takes a round of the event loop for each step to a version, and none once they are made", async () => {
  const read = new Set<string>();
  const document = countedDocument(read);
  const isPrepared = { value: false };
  const newest = () => (isPrepared.value ? document : expect.unreachable("asked for before it is prepared"));
  let rounds = 0;
  const book = createVersionBook(newest, {
    async prepare() {
      isPrepared.value = true;
    },
    yieldLoop: async () => void rounds++,
  });
  await Promise.all([book.load(OLDEST), book.load(OLDEST)]);
  expect(rounds).toBe(OLDEST.steps.length + 1);
  for (const version of SERVED_VERSIONS) expect(book.load(version)).toBeNull();
});
