/** How complete the descriptions of all versions are, as they were agreed on. */
import { describe, expect, it, test } from "vitest";
import { SERVED_VERSIONS } from "../../../src/api/versions/served-versions.ts";
import { SUBSCRIBABLE } from "../../../src/domain/webhooks/webhook.ts";
import { checkerOf, type Description, follow, operationsOf } from "../support/description.ts";
import { readGoldens } from "../support/goldens.ts";
import { openSandbox } from "../support/sandbox-house.ts";

interface Media {
  readonly schema: { readonly $ref?: string; readonly examples?: readonly unknown[] };
  readonly example?: unknown;
}

interface WebhookItem {
  readonly post: {
    readonly requestBody: { readonly content: { "application/json": { schema: { items: { $ref: string } } } } };
  };
}

const DATES = SERVED_VERSIONS.map(({ date }) => date).reverse();
const DOCUMENTS = readGoldens(DATES).map(({ date, document }) => ({
  date,
  document: document as unknown as Description & { readonly tags: readonly { name: string; description?: string }[] },
}));
const NEWEST = DOCUMENTS.at(-1)!.document;

function undescribed(document: Description): readonly string[] {
  const wrong = operationsOf(document).filter(
    ({ operation: { summary = "", description = "" } }) => description.length < 20 || description === summary,
  );
  return wrong.map(({ method, path }) => `${method} ${path}`);
}

/** The JSON answers of success, each with where it is. */
function answersOf(document: Description): readonly { readonly where: string; readonly media: Media }[] {
  return operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const media = content?.["application/json"] as Media | undefined;
      return media === undefined || !status.startsWith("2") ? [] : [{ where: `${operationId} ${status}`, media }];
    }),
  );
}

/** The schema itself, so that its checker is made once. */
function schemaOf(document: Description, { schema }: Media): Media["schema"] {
  return schema.$ref === undefined ? schema : (follow(document, schema.$ref) as Media["schema"]);
}

function examplesOf(document: Description, media: Media): readonly unknown[] {
  return media.example === undefined ? (schemaOf(document, media).examples ?? []) : [media.example];
}

function withoutExample(document: Description): readonly string[] {
  const without = answersOf(document).filter(({ media }) => examplesOf(document, media).length === 0);
  return without.map(({ where }) => where);
}

/** Examples of answers that their schema refuses. */
function untrueExamples(document: Description): readonly string[] {
  return answersOf(document).flatMap(({ where, media }) =>
    examplesOf(document, media).flatMap((example) => {
      const { error } = checkerOf(document, schemaOf(document, media)).safeParse(example);
      return error === undefined ? [] : [`${where}: ${error.message}`];
    }),
  );
}

describe.each(DOCUMENTS)("the description of $date", ({ document }) => {
  it("describes every operation in more words than its summary has", () => {
    expect(undescribed(document)).toEqual([]);
  });

  it("defines every tag that is used, with a description", () => {
    const defined = document.tags.filter(({ description = "" }) => description !== "").map(({ name }) => name);
    const used = operationsOf(document).flatMap(({ operation }) => operation.tags ?? []);
    expect([...new Set(used)].filter((tag) => !defined.includes(tag))).toEqual([]);
  });
});

test("a sandbox describes every operation, also those that only it has, and shows examples of their answers", async () => {
  await using house = await openSandbox();
  const document: Description = (await house.ask({ url: "/openapi.json" })).json();
  expect(document.paths).toHaveProperty("/local/simulated/battery");
  expect(undescribed(document)).toEqual([]);
  expect(withoutExample(document)).toEqual([]);
  expect(untrueExamples(document)).toEqual([]);
});

describe.each([DOCUMENTS[0]!, DOCUMENTS.at(-1)!])("the webhooks of $date", ({ document }) => {
  const webhooks = Object.entries((document as unknown as { webhooks: Record<string, WebhookItem> }).webhooks);
  const schemas = webhooks.map(([event, { post }]) => ({
    event,
    schema: follow(document, post.requestBody.content["application/json"].schema.items.$ref) as Media["schema"],
  }));

  it("are every event that can be subscribed to and is sent, the test and the heartbeat", () => {
    const declared = [...SUBSCRIBABLE].filter(
      (event) => !event.includes("*") && event !== "user:charge-action:updated",
    );
    const all = [...declared, "service:webhook:test", "system:heartbeat"];
    expect(webhooks.map(([event]) => event).toSorted()).toEqual(all.toSorted());
  });

  it("have examples that are true to their schemas", () => {
    const faults = schemas.flatMap(({ event, schema }) => {
      const [example] = schema.examples ?? [];
      const { error } = checkerOf(document, schema).safeParse(example);
      return error === undefined ? [] : [`${event}: ${error.message}`];
    });
    expect(faults).toEqual([]);
  });
});

it("shows an example of every JSON answer of the newest version", () => {
  expect(answersOf(NEWEST).length).toBeGreaterThan(150);
  expect(withoutExample(NEWEST)).toEqual([]);
});

// Those between are made in the same way.
it.each([DOCUMENTS[0]!, DOCUMENTS.at(-1)!])(
  "has examples of answers in $date that are true to their schemas",
  ({ document }) => {
    expect(untrueExamples(document)).toEqual([]);
  },
);
