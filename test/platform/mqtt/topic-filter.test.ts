import { expect, test } from "vitest";
import { filterCovers, isTopicFilter, isTopicName, topicMatches } from "../../../src/platform/mqtt/topic-filter.ts";

test.each([
  ["a/b", "a/b", true],
  ["a/b", "a/c", false],
  ["a/+", "a/b", true],
  ["a/+", "a/b/c", false],
  ["a/+", "a", false],
  ["a/+", "a/", true],
  ["+", "a", true],
  ["+/+", "/a", true],
  ["a/#", "a", true],
  ["a/#", "a/b/c", true],
  ["#", "a/b", true],
  ["#", "$SYS/broker", false],
  ["+/broker", "$SYS/broker", false],
  ["$SYS/#", "$SYS/broker", true],
  ["A", "a", false],
])("under %s is %s: %s", (filter, topic, expected) => {
  expect(topicMatches(filter, topic)).toBe(expected);
});

test.each(["", "a+", "+a/b", "a/#/b", "a#", "a\0b", "\ud800", "x".repeat(65_536)])("%j is no filter", (text) => {
  expect(isTopicFilter(text)).toBe(false);
});

test.each(["#", "+", "a/+/b", "/", "a//b", "+/#"])("%s is a filter", (text) => {
  expect(isTopicFilter(text)).toBe(true);
});

test.each(["", "a/+", "#", "a\0"])("nothing can be published at %j", (text) => {
  expect(isTopicName(text)).toBe(false);
});

test.each([
  ["#", "a/b", true],
  ["#", "$SYS/x", false],
  ["a/#", "a/#", true],
  ["a/#", "a", true],
  ["a/+", "a/#", false],
  ["a/+", "a/+", true],
  ["a/b", "a/+", false],
  ["a/+/c", "a/b/c", true],
  ["a/+/c", "a/#", false],
  ["a/b/#", "a/#", false],
])("a right to %s is one to %s: %s", (wide, filter, expected) => {
  expect(filterCovers(wide, filter)).toBe(expected);
});
