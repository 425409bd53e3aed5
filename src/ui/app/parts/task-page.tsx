/** A page about long work of the gateway: it can be left, and found again with how far the work is. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Right, useRight } from "../context.ts";
import { waitText } from "../error-text.ts";
import { type Polled, usePolled } from "../live/poll.ts";
import { useLanguage } from "../texts.ts";

const EACH_MS = 10_000;
const RUNNING_EACH_MS = 1_000;

interface WithTask {
  readonly task: { readonly state: string } | null;
}

interface TaskPageProps<View extends WithTask> {
  /** Where the work is asked about. */
  readonly url: string;
  readonly title: string;
  readonly lead: string;
  readonly right: Right;
  /** Said in place of the lead to who has not the right. */
  readonly refusal: string;
  readonly children: (view: View, polled: Polled<View>) => ComponentChildren;
}

/** Shows the work to who may see it. It is asked about more often while it runs. */
export function TaskPage<View extends WithTask>(props: TaskPageProps<View>) {
  const { title, lead, right, refusal } = props;
  const isAllowed = useRight(right);
  return (
    <>
      <div class="lead">
        <h1>{title}</h1>
        <p>{isAllowed ? lead : refusal}</p>
      </div>
      {isAllowed ? <Work {...props} /> : null}
    </>
  );
}

function Work<View extends WithTask>({ url, children }: TaskPageProps<View>) {
  const { texts } = useLanguage();
  const [isRunning, setRunning] = useState(false);
  const polled = usePolled<View>(url, isRunning ? RUNNING_EACH_MS : EACH_MS);
  const { value, error } = polled;
  const runs = value?.task?.state === "running";
  if (runs !== isRunning) setRunning(runs);
  if (value === null) return <p class="second">{waitText(error, texts)}</p>;
  return <>{children(value, polled)}</>;
}
