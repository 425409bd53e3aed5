import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FilterTree } from "../../../src/platform/mqtt/filter-tree.ts";
import { isTopicFilter, topicMatches } from "../../../src/platform/mqtt/topic-filter.ts";

const level = fc.constantFrom("a", "b", "", "$SYS", "+");
const filters = fc
  .tuple(fc.array(level, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([levels, isOpen]) => [...levels, ...(isOpen ? ["#"] : [])].join("/"))
  .filter(isTopicFilter);
const topics = fc
  .array(fc.constantFrom("a", "b", "", "$SYS"), { minLength: 1, maxLength: 4 })
  .map((levels) => levels.join("/"));

function treeOf(all: Iterable<string>): FilterTree<string> {
  const tree = new FilterTree<string>();
  for (const filter of all) tree.set(filter, filter);
  return tree;
}

describe("a tree of topic filters", () => {
  test("finds what each filter by itself fits, in the order in which they were set", () => {
    fc.assert(
      fc.property(fc.uniqueArray(filters, { maxLength: 12 }), topics, (all, topic) => {
        expect(treeOf(all).under(topic)).toEqual(all.filter((filter) => topicMatches(filter, topic)));
      }),
    );
  });

  test("forgets what was taken away, and nothing else", () => {
    fc.assert(
      fc.property(fc.uniqueArray(filters, { maxLength: 12 }), fc.nat(12), topics, (all, count, topic) => {
        const tree = treeOf(all);
        for (const filter of [...all.slice(0, count), "not/there"]) tree.delete(filter);
        expect(tree.under(topic)).toEqual(all.slice(count).filter((filter) => topicMatches(filter, topic)));
      }),
    );
  });

  test("a filter that is set again keeps its place", () => {
    const tree = treeOf(["a/+", "a/b"]);
    tree.set("a/+", "new");
    expect(tree.under("a/b")).toEqual(["new", "a/b"]);
    tree.clear();
    expect(tree.under("a/b")).toEqual([]);
  });
});
