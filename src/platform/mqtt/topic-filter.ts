/** MQTT topics and filters (MQTT 3.1.1, 4.7). */

const MAX_TOPIC_BYTES = 65_535;

/** Whether a message can be published there: not empty, no wildcard, no NUL, no lone surrogate. */
export function isTopicName(topic: string): boolean {
  return isText(topic) && !/[+#]/.test(topic);
}

/** Whether it can be subscribed to: `+` and `#` each fill a whole level, `#` only the last one. */
export function isTopicFilter(filter: string): boolean {
  if (!isText(filter)) return false;
  const levels = filter.split("/");
  return levels.every((level, index) => {
    if (level === "+") return true;
    if (level === "#") return index === levels.length - 1;
    return !/[+#]/.test(level);
  });
}

/** Whether the topic is under the filter. A wildcard on the first level does not reach the server's own `$` topics. */
export function topicMatches(filter: string, topic: string): boolean {
  if (topic.startsWith("$") && /^[+#]/.test(filter)) return false;
  const filterLevels = filter.split("/");
  const levels = topic.split("/");
  for (const [index, want] of filterLevels.entries()) {
    // `a/#` is also `a` itself.
    if (want === "#") return true;
    if (index >= levels.length) return false;
    if (want !== "+" && want !== levels[index]) return false;
  }
  return filterLevels.length === levels.length;
}

/** Whether every topic under `filter` is also under `wide`. */
export function filterCovers(wide: string, filter: string): boolean {
  if (filter.startsWith("$") && /^[+#]/.test(wide)) return false;
  const outer = wide.split("/");
  const inner = filter.split("/");
  for (const [index, want] of outer.entries()) {
    if (want === "#") return true;
    const level = inner[index];
    if (level === undefined || level === "#") return false;
    if (want !== "+" && want !== level) return false;
  }
  return outer.length === inner.length;
}

function isText(text: string): boolean {
  return text !== "" && !text.includes("\0") && text.isWellFormed() && Buffer.byteLength(text) <= MAX_TOPIC_BYTES;
}
