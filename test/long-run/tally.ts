/** How often each thing happened, by its name. */
export class Tally extends Map<string, number> {
  count(name: string, times = 1): void {
    this.set(name, this.of(name) + times);
  }

  of(name: string): number {
    return this.get(name) ?? 0;
  }
}
