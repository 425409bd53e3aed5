/** Values by MQTT topic filter, found by topic without a look at all filters. */

interface Node<Value> {
  readonly below: Map<string, Node<Value>>;
  /** Of the filter that ends here. */
  entry: { readonly value: Value; readonly order: number } | null;
}

/** A map whose keys are topic filters (MQTT 3.1.1, 4.7); what fits a topic comes in the order in which it was set. */
export class FilterTree<Value> {
  readonly #root: Node<Value> = emptyNode();
  #nextOrder = 0;

  /** Sets the value of a filter, in place of the one that it had. */
  set(filter: string, value: Value): void {
    let node = this.#root;
    for (const level of filter.split("/")) {
      const next = node.below.get(level) ?? emptyNode<Value>();
      node.below.set(level, next);
      node = next;
    }
    node.entry = { value, order: node.entry?.order ?? this.#nextOrder++ };
  }

  /** Takes a filter away. */
  delete(filter: string): void {
    const levels = filter.split("/");
    const path: Node<Value>[] = [this.#root];
    for (const level of levels) {
      const next = path.at(-1)?.below.get(level);
      if (next === undefined) return;
      path.push(next);
    }
    const last = path.at(-1);
    if (last !== undefined) last.entry = null;
    for (let depth = levels.length; depth > 0; depth -= 1) {
      const node = path[depth];
      const level = levels[depth - 1];
      if (node === undefined || level === undefined || node.entry !== null || node.below.size > 0) return;
      path[depth - 1]?.below.delete(level);
    }
  }

  clear(): void {
    this.#root.below.clear();
  }

  /** The values of all filters that the topic is under. */
  under(topic: string): readonly Value[] {
    const found: { readonly value: Value; readonly order: number }[] = [];
    const levels = topic.split("/");
    // A wildcard on the first level does not reach the server's own topics.
    const isServers = topic.startsWith("$");
    let nodes: readonly Node<Value>[] = [this.#root];
    for (const [depth, level] of levels.entries()) {
      const next: Node<Value>[] = [];
      const mayBeWild = depth > 0 || !isServers;
      for (const { below } of nodes) {
        const exact = below.get(level);
        if (exact !== undefined) next.push(exact);
        const one = mayBeWild ? below.get("+") : undefined;
        if (one !== undefined) next.push(one);
        const all = mayBeWild ? below.get("#")?.entry : null;
        if (all != null) found.push(all);
      }
      nodes = next;
    }
    for (const { entry, below } of nodes) {
      if (entry !== null) found.push(entry);
      // `a/#` is also `a` itself.
      const all = below.get("#")?.entry;
      if (all != null) found.push(all);
    }
    if (found.length > 1) found.sort((one, other) => one.order - other.order);
    return found.map(({ value }) => value);
  }
}

function emptyNode<Value>(): Node<Value> {
  return { below: new Map(), entry: null };
}
