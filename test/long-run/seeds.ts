/**
 * Seeds as an environment variable names them, else the usual ones: `3`, `1,2,3` or `1-10000`.
 * Throws a `RangeError` for anything else.
 */
export function seedsOf(variable: string, usual: string): readonly number[] {
  const text = process.env[variable] ?? usual;
  return text.split(",").flatMap((part) => {
    const [, first = "", last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    if (first === "" || Number(last) < Number(first))
      throw new RangeError(`${variable}=${text}: expected 3, 1,2 or 1-10`);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_unused, index) => Number(first) + index);
  });
}
