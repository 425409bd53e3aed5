/** An error in a device's options, although each one is valid by its schema. */
export interface OptionProblem {
  /** Text for the user without the path, such as `9 is not from 1 to 3`. */
  readonly message: string;
  /** The path of the option; absent if the error is about several of them. */
  readonly path?: readonly (string | number)[];
  /** The names that are valid in place of the last one of `path`; absent unless that name is unknown. */
  readonly validNames?: readonly string[];
}

/** Converts the result of an adapter's `check` to one form. */
export function optionProblem(found: OptionProblem | string | null | undefined): OptionProblem | null {
  return typeof found === "string" ? { message: found } : (found ?? null);
}
