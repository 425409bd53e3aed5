/** Fields of a form, with what is wrong with them; and buttons that show that something is under way. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { errorText, type Sentences } from "../error-text.ts";
import { useLanguage } from "../texts.ts";

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly type?: "text" | "password" | "number" | "time" | "date";
  readonly class?: string;
  readonly lang?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly min?: number;
  readonly max?: number | string;
  readonly step?: number | "any";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly autoComplete?: string;
  readonly autoCapitalize?: "characters";
}

export function Field({ label, hint, onText, class: extra, ...input }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        // Preact types each `type` on its own; all of ours take the same attributes.
        {...(input as { readonly type: "text" })}
        class={`in ${extra ?? ""}`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      {hint === undefined ? null : <span class="hint">{hint}</span>}
    </label>
  );
}

export interface Task {
  readonly isBusy: boolean;
  /** What went wrong, as a sentence. */
  readonly error: string | null;
  readonly isDone: boolean;
  /** `sentences`: what is said of an answer with a status, in place of what is usual. */
  readonly run: (work: () => Promise<unknown>, sentences?: Sentences) => void;
}

/** Something that takes a moment and may fail; one at a time. `usual`: sentences for all that it runs. */
export function useTask(usual: Sentences = {}): Task {
  const { texts } = useLanguage();
  const [state, setState] = useState({ isBusy: false, error: null as string | null, isDone: false });
  const run: Task["run"] = (work, sentences = {}) => {
    setState({ isBusy: true, error: null, isDone: false });
    work()
      .then(() => setState({ isBusy: false, error: null, isDone: true }))
      .catch((error: unknown) =>
        setState({ isBusy: false, error: errorText(error, texts, { ...usual, ...sentences }), isDone: false }),
      );
  };
  return { ...state, run };
}

/** Returns the present value, or while it is sent the one that a person has just chosen, and how to choose one. */
export function useChosen<T>(present: T, isBusy: boolean): readonly [T, (chosen: T) => void] {
  const [chosen, setChosen] = useState<{ readonly value: T } | null>(null);
  useEffect(() => {
    if (!isBusy) setChosen(null);
  }, [isBusy, present]);
  return [chosen === null ? present : chosen.value, (value) => setChosen({ value })];
}

interface ButtonProps {
  readonly task?: Task;
  readonly kind?: string;
  readonly type?: "button" | "submit";
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

export function Button({ task, kind = "", type = "button", isDisabled = false, onClick, children }: ButtonProps) {
  const isBusy = task?.isBusy === true;
  return (
    <button class={`b ${kind}`} type={type} aria-busy={isBusy} disabled={isDisabled || isBusy} onClick={onClick}>
      {children}
    </button>
  );
}

/** What a task came to, read out by screen readers. */
export function Outcome({ task, done }: { readonly task: Task; readonly done?: string }) {
  return (
    <p role="status" class={task.error === null ? "small second" : "error"}>
      {task.error ?? (task.isDone ? (done ?? "") : "")}
    </p>
  );
}

interface ChoiceProps<Name extends string> {
  readonly legend: string;
  readonly name: string;
  readonly value: Name | null;
  readonly choices: readonly { readonly value: Name; readonly label: ComponentChildren }[];
  readonly isDisabled?: boolean;
  /** True for single words. */
  readonly isLow?: boolean;
  readonly onChoose: (value: Name) => void;
}

/** One of a few, side by side. */
export function Choice<Name extends string>({
  legend,
  name,
  value,
  choices,
  isDisabled = false,
  isLow = false,
  onChoose,
}: ChoiceProps<Name>) {
  return (
    <fieldset disabled={isDisabled}>
      <legend class="sr">{legend}</legend>
      <div class={isLow ? "seg low" : "seg tall"}>
        {choices.map((choice) => (
          <label key={choice.value}>
            <input type="radio" name={name} checked={choice.value === value} onChange={() => onChoose(choice.value)} />
            <span class="o">{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
