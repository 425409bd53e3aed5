/** A button that asks before it does what cannot be undone. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, type Task } from "../../parts/form.tsx";
import { useLanguage } from "../../texts.ts";

interface SureButtonProps {
  readonly task: Task;
  /** What stops working. */
  readonly question: string;
  readonly onSure: () => void;
  readonly children: ComponentChildren;
}

export function SureButton({ task, question, onSure, children }: SureButtonProps) {
  const { texts } = useLanguage();
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <Button kind="q s" task={task} onClick={() => setAsked(true)}>
        {children}
      </Button>
    );
  }
  return (
    <div class="sure" role="alert">
      <p class="small">{question}</p>
      <div class="acts">
        <Button kind="s" onClick={() => setAsked(false)}>
          {texts.back}
        </Button>
        <Button kind="p s" task={task} onClick={onSure}>
          {children}
        </Button>
      </div>
    </div>
  );
}
